import { isDeepStrictEqual } from "node:util";
import { changedMeanwhile } from "../../../../kernel/changed-meanwhile.ts";
import { refuse } from "../../../../kernel/errors.ts";
import { defineOperation, exempt, governs } from "../../../../kernel/operation.ts";
import { conflict, notFound } from "../../../../kernel/problems.ts";
import { noteRuleChange } from "../../../admin/public.ts";
import { exampleScorer } from "../../example.ts";
import { SetScorerBody } from "../../schemas.ts";
import { possibleName, scorers } from "../resource.ts";
import { definitionOf, type ScorerRow, scorerFaults } from "../rules.ts";

/** `present` is undefined for a new scorer. */
interface Loaded {
  readonly present: ScorerRow | undefined;
}

export const setScorer = defineOperation({
  ...scorers.changeOfOne(),
  ...scorers.answer,
  id: "evaluations.setScorer",
  method: "PUT",
  listed: true,
  summary: "Create or replace a scorer",
  description:
    "Tests the scorer on the samples of the body and saves it as the next version if every sample scores as expected. Versions never change. Runs keep the versions that they began with, and gates " +
    "judge by the version that they pin until they are set again in their environment. The same body again changes nothing. A key that is narrowed to agents replaces those by which gates of its agents alone judge.",
  body: SetScorerBody,
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
  mayMatch: ({ present }: Loaded) => present?.version ?? 0,
  compliance: governs("scorer.set"),
  load: async (ctx, { scorer }): Promise<Loaded> => ({ present: await scorers.rows.find(ctx, scorer) }),
  validate(_ctx, { params, body }) {
    if (!possibleName.test(params.scorer))
      throw refuse(notFound, "No scorer can have this name: lowercase letters, digits, `_` and `-`, 64 at most.");
    return scorerFaults(body);
  },
  gate: exempt("makes no agent act"),
  errors: [conflict, notFound],
  async handle(ctx, { params: { scorer: name }, loaded, body }) {
    const present = await scorers.rows.find(ctx, name);
    if (ctx.basedOnLoaded && present?.version !== loaded.present?.version) throw changedMeanwhile();
    const made = { definition: definitionOf(body), description: body.description ?? "", samples: body.samples };
    if (present) {
      const { definition, description, samples } = present;
      if (isDeepStrictEqual({ definition, description, samples }, made)) return scorers.view(present, ctx);
    }
    const version = (present?.version ?? 0) + 1;
    const row = await scorers.rows.insertUnlessTaken(ctx, { name, version, ...made, author: ctx.principal.id });
    if (!row)
      throw refuse(conflict, `${name} was changed by somebody else at this moment; look at it and repeat the change.`);
    await noteRuleChange(ctx, `scorer:${name}`, `${present ? "Changed" : "Created"} the scorer ${name}`);
    return scorers.view(row, ctx);
  },
});
