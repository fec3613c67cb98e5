import { isDeepStrictEqual } from "node:util";
import { Type } from "typebox";
import { changedMeanwhile } from "../../../kernel/changed-meanwhile.ts";
import { refuse } from "../../../kernel/errors.ts";
import { byObject, usedByOwn } from "../../../kernel/narrowing.ts";
import { defineOperation, exempt, governs } from "../../../kernel/operation.ts";
import { conflict, notFound } from "../../../kernel/problems.ts";
import { noteRuleChange } from "../../admin/public.ts";
import { exampleScorer } from "../example.ts";
import { judgedBy } from "../gate-store.ts";
import { Scorer, ScorerName, SetScorerBody, scorerNamePattern } from "../schemas.ts";
import { definitionOf, type ScorerRow, scorerFaults, scorerView } from "../scorer-model.ts";
import { findScorers, insertScorer } from "../scorer-store.ts";

/** `present` is undefined for a scorer that is not there yet: it is created. */
interface Loaded {
  readonly present: ScorerRow | undefined;
}

const possibleName = new RegExp(scorerNamePattern);

export const setScorer = defineOperation({
  id: "evaluations.setScorer",
  method: "PUT",
  path: "/v1/evaluations/scorers/{scorer}",
  listed: true,
  summary: "Create or replace a scorer",
  description:
    "Tests the scorer on the samples of the body and saves it as the next version if every sample scores as expected. Versions never change. Runs keep the versions that they began with, and gates " +
    "judge by the version that they pin until they are set again in their environment. The same body again changes nothing. A key that is narrowed to agents replaces those by which gates of its agents alone judge.",
  params: Type.Object({ scorer: ScorerName }),
  body: SetScorerBody,
  output: Scorer,
  example: {
    params: { scorer: exampleScorer.scorer },
    body: {
      kind: exampleScorer.kind,
      pointer: exampleScorer.pointer,
      description: exampleScorer.description,
      samples: exampleScorer.samples,
    },
    output: exampleScorer,
  },
  revision: ({ version }) => version,
  mayMatch: ({ present }: Loaded) => present?.version ?? 0,
  permission: "evaluations:write",
  load: async (ctx, { scorer }): Promise<Loaded> => ({
    present: possibleName.test(scorer) ? (await findScorers(ctx, [scorer]))[0] : undefined,
  }),
  narrowing: byObject(
    "the agents whose gates judge by the scorer; a scorer of no gate is nobody's",
    (ctx, { params }: { params: { scorer: string } }) =>
      judgedBy(ctx, params.scorer).then((agents) => usedByOwn(ctx, agents)),
  ),
  validate(_ctx, { params, body }) {
    if (!possibleName.test(params.scorer))
      throw refuse(notFound, "No scorer can have this name: lowercase letters, digits, `_` and `-`, 64 at most.");
    return scorerFaults(body);
  },
  gate: exempt("makes no agent act"),
  decides: "rules",
  compliance: governs("scorer.set"),
  audit: ({ params }) => `scorer:${params.scorer.slice(0, 64)}`,
  errors: [conflict, notFound],
  async handle(ctx, { params: { scorer: name }, loaded, body }) {
    const [present] = await findScorers(ctx, [name]);
    if (ctx.basedOnLoaded && present?.version !== loaded.present?.version) throw changedMeanwhile();
    const made = { definition: definitionOf(body), description: body.description ?? "", samples: body.samples };
    if (present) {
      const { definition, description, samples } = present;
      if (isDeepStrictEqual({ definition, description, samples }, made)) return scorerView(present);
    }
    const row = await insertScorer(ctx, { name, version: (present?.version ?? 0) + 1, ...made });
    if (!row)
      throw refuse(conflict, `${name} was changed by somebody else at this moment; look at it and repeat the change.`);
    await noteRuleChange(ctx, `scorer:${name}`, `${present ? "Changed" : "Created"} the scorer ${name}`);
    return scorerView(row);
  },
});
