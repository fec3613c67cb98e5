import { Type } from "typebox";
import { select, sql } from "../../../db/scoped.ts";
import { byObject, limitedTo, usedByOwn } from "../../../kernel/narrowing.ts";
import { defineResource } from "../../../resources/resource.ts";
import { json, type Query } from "../../../resources/rows.ts";
import { erasedWithRow, evidence, ownTables } from "../../../resources/tables.ts";
import { exampleScorer } from "../example.ts";
import { judgedBy } from "../gates/store.ts";
import { type ScorerJson, type ScorerRow, scorerView } from "./rules.ts";
import { Scorer, ScorerName, scorerNamePattern } from "./schemas.ts";

export const owned = ownTables({
  scorers: {
    keeps: evidence("Runs and gates name a scorer by its version, which never changes."),
    personal: {
      columns: ["description", "samples", "author"],
      erased: erasedWithRow("It names the member who decided how outputs are scored."),
    },
  },
});

export const possibleName = new RegExp(scorerNamePattern);
const isNewest = sql<boolean>`not exists (select from scorers l
  where l.organization = r.organization and l.name = r.name and l.version > r.version)`;

/** Scorers in their present versions. */
export const scorers = defineResource({
  table: owned.scorers,
  key: "name",
  isKey: (text) => possibleName.test(text),
  json: json<ScorerJson>()("definition", "samples"),
  reads: (ctx) => select(ctx, "scorers", "r").selectAll("r").where(isNewest) as unknown as Query<ScorerRow>,
  path: "/v1/evaluations/scorers",
  member: Type.Object({ scorer: ScorerName }),
  item: Scorer,
  identity: "scorer",
  example: { params: { scorer: exampleScorer.scorer }, item: exampleScorer },
  view: scorerView,
  revision: ({ version }) => version,
  object: ({ scorer }) => `scorer:${scorer.slice(0, 64)}`,
  objects: "scorers",
  permission: { read: "evaluations:read", change: "evaluations:write" },
  governs: { read: "scorer.read", change: "scorer.set" },
  decides: "rules",
  narrowing: {
    one: byObject(
      "the agents whose gates judge by the scorer; a scorer of no gate is nobody's",
      (ctx, { params }: { params: { scorer: string } }) =>
        judgedBy(ctx, params.scorer).then((agents) => usedByOwn(ctx, agents)),
    ),
    all: limitedTo("lists scorers by which gates and runs of the key's agents judge"),
  },
});
