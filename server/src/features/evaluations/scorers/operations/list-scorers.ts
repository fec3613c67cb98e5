import { defineList } from "../../../../kernel/listing.ts";
import { governs } from "../../../../kernel/operation.ts";
import { commaList } from "../../../../kernel/schema-words.ts";
import { exampleScorer } from "../../example.ts";
import { Scorer, ScorerKind } from "../../schemas.ts";
import { scorers } from "../resource.ts";
import { scorerView } from "../rules.ts";
import { listScorers as readPage } from "../store.ts";

export const listScorers = defineList({
  ...scorers.all,
  id: "evaluations.listScorers",
  listed: true,
  summary: "List scorers",
  description: "By name, each in its present version.",
  filters: { kind: commaList(ScorerKind, "Kinds") },
  item: Scorer,
  example: { item: exampleScorer },
  permission: "evaluations:read",
  compliance: governs("scorer.read"),
  sort: "scorer",
  read: readPage,
  position: ({ name }) => name,
  view: scorerView,
});
