import { Type } from "typebox";
import { listPage, listQuery, pageSchema } from "../../../kernel/listing.ts";
import { limitedTo } from "../../../kernel/narrowing.ts";
import { defineRead, exempt, governs } from "../../../kernel/operation.ts";
import { exampleRun } from "../example.ts";
import { runView } from "../run-model.ts";
import { listRuns as readPage } from "../run-store.ts";
import { EvaluationRun, RunState } from "../schemas.ts";

const Filters = {
  agent: Type.Optional(Type.String({ description: "Runs of this agent's versions." })),
  version: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: "Runs of the version of this number." }),
  ),
  dataset: Type.Optional(Type.String({ description: "Runs of this set, by its id or name." })),
  verdict: Type.Optional(
    Type.Array(Type.Enum(["open", "failed", "inconclusive", "none"]), {
      description: "What a gate drew from them, separated by commas; `none`: nothing.",
    }),
  ),
  state: Type.Optional(Type.Array(RunState, { description: "States, separated by commas." })),
};

export const listRuns = defineRead({
  id: "evaluations.listRuns",
  path: "/v1/evaluations/runs",
  listed: true,
  summary: "List runs of datasets",
  description:
    "Those of the environment of the key, newest first. A key that is narrowed to agents sees theirs. Filters narrow together.",
  query: listQuery(Filters),
  output: pageSchema(EvaluationRun),
  example: { output: { data: [exampleRun], has_more: false, next_cursor: null } },
  permission: "evaluations:read",
  load: exempt("names no object; the list holds what the key may see"),
  narrowing: limitedTo("lists runs of the key's agents"),
  compliance: governs("evaluation.read"),
  audit: "runs",
  handle(ctx, { query }) {
    const { limit: _limit, cursor: _cursor, ...filter } = query;
    return listPage(ctx, query, filter, {
      sort: "-created_at",
      read: (page) => readPage(ctx, filter, page),
      positionOf: (row) => ({ keys: [], id: row.id }),
      item: runView,
    });
  },
});
