import { refuse } from "../../../../kernel/errors.ts";
import { defineInside, exempt, type InsideOperation } from "../../../../kernel/operation.ts";
import { conflict } from "../../../../kernel/problems.ts";
import { agentArchived, noVersion, trainerNotPermitted } from "../../errors.ts";
import { addCandidate } from "../candidate.ts";
import type { TrainingPair } from "../schemas.ts";
import { findTraining } from "../store.ts";

interface ProposeVersion {
  readonly training: string;
  readonly attempt: number;
  readonly demonstrations: readonly TrainingPair[];
}

export interface ProposedVersion {
  readonly id: string;
  readonly number: number;
}

/** Freezes a candidate that must run to be measured. A later attempt continues with the same one. */
export const proposeVersion: InsideOperation<ProposeVersion, ProposedVersion> = defineInside({
  id: "agents.proposeVersion",
  summary: "Freeze the candidate of a training job",
  permission: exempt("a machine of the service itself"),
  load: (ctx, { training }: ProposeVersion) => findTraining(ctx, training),
  gate: exempt("a version acts only when deployed"),
  compliance: exempt("carries out what a caller was allowed to ask for"),
  audit: ({ params, output }) => (output ? `version:${output.id}` : `training:${params.training}`),
  errors: [agentArchived, conflict, noVersion, trainerNotPermitted],
  async handle(ctx, { params: { attempt, demonstrations }, loaded }): Promise<ProposedVersion> {
    if (loaded.attempt !== attempt) throw refuse(conflict, "The training job is in the hands of a later attempt.");
    if (loaded.version_id !== null && loaded.version_number !== null)
      return { id: loaded.version_id, number: loaded.version_number };
    return addCandidate(ctx, loaded, attempt, demonstrations);
  },
});
