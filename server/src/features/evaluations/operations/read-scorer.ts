import { Type } from "typebox";
import { byObject, usedByOwn } from "../../../kernel/narrowing.ts";
import { defineRead, governs } from "../../../kernel/operation.ts";
import { exampleScorer } from "../example.ts";
import { judgedBy } from "../gate-store.ts";
import { Scorer, ScorerName, scorerNamePattern } from "../schemas.ts";
import { scorerView } from "../scorer-model.ts";
import { findScorers } from "../scorer-store.ts";

const possibleName = new RegExp(scorerNamePattern);

export const readScorer = defineRead({
  id: "evaluations.readScorer",
  path: "/v1/evaluations/scorers/{scorer}",
  summary: "Read a scorer",
  description: "In its present version, whose number its ETag is.",
  params: Type.Object({ scorer: ScorerName }),
  output: Scorer,
  example: { params: { scorer: exampleScorer.scorer }, output: exampleScorer },
  revision: ({ version }) => version,
  permission: "evaluations:read",
  load: async (ctx, { scorer }) => (possibleName.test(scorer) ? (await findScorers(ctx, [scorer]))[0] : undefined),
  narrowing: byObject(
    "the agents whose gates judge by the scorer; a scorer of no gate is nobody's",
    (ctx, { params }: { params: { scorer: string } }) =>
      judgedBy(ctx, params.scorer).then((agents) => usedByOwn(ctx, agents)),
  ),
  compliance: governs("scorer.read"),
  audit: ({ params }) => `scorer:${params.scorer.slice(0, 64)}`,
  handle: (_ctx, { loaded }) => scorerView(loaded),
});
