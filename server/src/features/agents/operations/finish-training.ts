import { refuse } from "../../../kernel/errors.ts";
import { defineInside, exempt, type InsideOperation } from "../../../kernel/operation.ts";
import { conflict } from "../../../kernel/problems.ts";
import { agentArchived } from "../drafts-errors.ts";
import { type EvidenceRow, recordEvidence } from "../evidence-store.ts";
import { addCandidate } from "../training-candidate.ts";
import { endTraining, findTraining, type TrainingRow } from "../training-store.ts";
import { noVersion } from "../trust-errors.ts";

/**
 * How a job ends. `learnt`: what was learnt becomes a candidate; `done`: there is a candidate already, or nothing new came out. `outcomes`: how the candidate did
 * on held-out examples, each from 0 to 1.
 */
export type TrainingEnding =
  | { readonly kind: "learnt"; readonly outcomes: readonly number[] }
  | { readonly kind: "done"; readonly phase: string; readonly outcomes: readonly number[] }
  | { readonly kind: "failed"; readonly code: string; readonly detail: string };

export interface FinishTraining {
  readonly training: string;
  /** The attempt that ends it; an earlier one, which was taken for lost, no longer can. */
  readonly attempt: number;
  readonly ending: TrainingEnding;
}

export interface FinishedTraining {
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
  audit: ({ params }) => ({ object: `training:${params.training}` }),
  emits: [],
  errors: [agentArchived, conflict, noVersion],
  async handle(ctx, { params: { training: id, attempt, ending }, loaded }): Promise<FinishedTraining> {
    const candidate = ending.kind === "learnt" ? (await addCandidate(ctx, loaded, attempt, null)).id : loaded.version_id;
    if (ending.kind !== "failed" && candidate !== null) await recordEvidence(ctx, evidenceOf(loaded, candidate, ending.outcomes));
    const failed = ending.kind === "failed";
    const ended = await endTraining(ctx, {
      id,
      to: failed ? "failed" : "completed",
      phase: ending.kind === "done" ? ending.phase : failed ? "failed" : "done",
      failure: failed ? { code: ending.code, detail: ending.detail } : null,
      attempt,
    });
    if (!ended) throw refuse(conflict, "The training job is no longer in the hands of this attempt, so it was not ended.");
    return { state: failed ? "failed" : "completed" };
  },
});

function evidenceOf({ id, skill }: TrainingRow, version_id: string, outcomes: readonly number[]): EvidenceRow[] {
  return outcomes.map((outcome, n) => ({ version_id, skill, id: `${id}-${n}`, channel: "evaluations", outcome, quality: 1 }));
}
