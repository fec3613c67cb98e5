import { defineList } from "../../../kernel/listing.ts";
import { limitedTo } from "../../../kernel/narrowing.ts";
import { governs } from "../../../kernel/operation.ts";
import { commaList } from "../../../kernel/schema-words.ts";
import { exampleScorer } from "../example.ts";
import { Scorer, ScorerKind } from "../schemas.ts";
import { scorerView } from "../scorer-model.ts";
import { listScorers as readPage } from "../scorer-store.ts";

export const listScorers = defineList({
  id: "evaluations.listScorers",
  path: "/v1/evaluations/scorers",
  listed: true,
  summary: "List scorers",
  description: "By name, each in its present version.",
  filters: { kind: commaList(ScorerKind, "Kinds") },
  item: Scorer,
  example: { item: exampleScorer },
  permission: "evaluations:read",
  narrowing: limitedTo("lists scorers by which gates and runs of the key's agents judge"),
  compliance: governs("scorer.read"),
  audit: "scorers",
  sort: "scorer",
  read: readPage,
  position: ({ name }) => name,
  view: scorerView,
});
