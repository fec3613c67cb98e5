import { refuse } from "../../../../kernel/errors.ts";
import { defineInside, exempt, type InsideOperation } from "../../../../kernel/operation.ts";
import { conflict } from "../../../../kernel/problems.ts";
import { agentArchived, noVersion, trainerNotPermitted } from "../../errors.ts";
import { type JudgedCase, recordJudgements } from "../../trust/evidence-store.ts";
import { addCandidate } from "../candidate.ts";
import { endTraining, findTraining, type TrainingRow } from "../store.ts";

/** From 0 to 1, with the probability if the model gave one. */
interface HeldOutOutcome {
  readonly outcome: number;
  readonly probability?: number | undefined;
}

/** `learnt`: the result becomes a candidate; `done`: there is a candidate already, or nothing new came out. */
export type TrainingEnding =
  | { readonly kind: "learnt"; readonly outcomes: readonly HeldOutOutcome[] }
  | { readonly kind: "done"; readonly phase: string; readonly outcomes: readonly HeldOutOutcome[] }
  | { readonly kind: "failed"; readonly code: string; readonly detail: string };

interface FinishTraining {
  readonly training: string;
  /** An earlier attempt that was given up can no longer end it. */
  readonly attempt: number;
  readonly ending: TrainingEnding;
}

interface FinishedTraining {
  readonly state: "completed" | "failed";
}

/**
 * Ends a training job. What it learnt becomes a candidate version in the same transaction, and how that did on examples that it had not seen is evidence about it,
 * like an evaluation.
 */
export const finishTraining: InsideOperation<FinishTraining, FinishedTraining> = defineInside({
  id: "agents.finishTraining",
  summary: "Finish a training job",
  permission: exempt("a machine of the service itself"),
  load: (ctx, { training }: FinishTraining) => findTraining(ctx, training),
  gate: exempt("a version acts only when deployed"),
  compliance: exempt("carries out what a caller was allowed to ask for"),
  audit: ({ params }) => `training:${params.training}`,
  errors: [agentArchived, conflict, noVersion, trainerNotPermitted],
  async handle(ctx, { params: { training: id, attempt, ending }, loaded }): Promise<FinishedTraining> {
    const candidate =
      ending.kind === "learnt" ? (await addCandidate(ctx, loaded, attempt, null)).id : loaded.version_id;
    if (ending.kind !== "failed" && candidate !== null)
      await recordJudgements(ctx, judgementsOf(loaded, candidate, ending.outcomes));
    const failed = ending.kind === "failed";
    const ended = await endTraining(ctx, {
      id,
      to: failed ? "failed" : "completed",
      phase: ending.kind === "done" ? ending.phase : failed ? "failed" : "done",
      failure: failed ? { code: ending.code, detail: ending.detail } : null,
      attempt,
    });
    if (!ended)
      throw refuse(conflict, "The training job is no longer in the hands of this attempt, so it was not ended.");
    return { state: failed ? "failed" : "completed" };
  },
});

function judgementsOf(
  { id, agent, skill }: TrainingRow,
  version_id: string,
  outcomes: readonly HeldOutOutcome[],
): JudgedCase[] {
  return outcomes.map(({ outcome, probability }, n) => ({
    agent,
    skill,
    version_id,
    id: `${id}-${n}`,
    source: "evaluation",
    origin: "evaluation",
    outcome,
    case: probability === undefined ? {} : { probability, probability_source: "trained" },
  }));
}
