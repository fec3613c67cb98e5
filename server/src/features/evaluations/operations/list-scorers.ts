import { Type } from "typebox";
import { listPage, listQuery, pageSchema } from "../../../kernel/listing.ts";
import { limitedTo } from "../../../kernel/narrowing.ts";
import { defineRead, exempt, governs } from "../../../kernel/operation.ts";
import { exampleScorer } from "../example.ts";
import { Scorer, ScorerKind } from "../schemas.ts";
import { scorerView } from "../scorer-model.ts";
import { listScorers as readPage } from "../scorer-store.ts";

export const listScorers = defineRead({
  id: "evaluations.listScorers",
  path: "/v1/evaluations/scorers",
  listed: true,
  summary: "List scorers",
  description: "By name, each in its present version.",
  query: listQuery({ kind: Type.Optional(Type.Array(ScorerKind, { description: "Kinds, separated by commas." })) }),
  output: pageSchema(Scorer),
  example: { output: { data: [exampleScorer], has_more: false, next_cursor: null } },
  permission: "evaluations:read",
  load: exempt("names no object; scorers belong to the organization"),
  narrowing: limitedTo("lists scorers by which gates and runs of the key's agents judge"),
  compliance: governs("scorer.read"),
  audit: "scorers",
  handle(ctx, { query }) {
    const filter = { kind: query.kind };
    return listPage(ctx, query, filter, {
      sort: "scorer",
      read: (page) => readPage(ctx, query.kind, page),
      positionOf: (row) => ({ keys: [], id: row.name }),
      item: scorerView,
    });
  },
});
