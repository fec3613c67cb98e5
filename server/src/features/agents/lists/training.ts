import type { FactSet } from "../../../kernel/facts.ts";
import type { JobHandlers, Sweep } from "../../../kernel/machines.ts";
import type { Operation } from "../../../kernel/operation.ts";
import { evidenceFacts } from "../evidence-facts.ts";
import { evidenceSweep } from "../evidence-sweep.ts";
import type { TrainingParts } from "../jobs/attempt.ts";
import { createTrainingJob } from "../jobs/training-job.ts";
import { trainingSweep } from "../jobs/training-sweep.ts";
import { cancelTraining } from "../operations/cancel-training.ts";
import { finishTraining } from "../operations/finish-training.ts";
import { fitSkill } from "../operations/fit-skill.ts";
import { proposeVersion } from "../operations/propose-version.ts";
import { readTraining } from "../operations/read-training.ts";
import { readTrust } from "../operations/read-trust.ts";
import { startTraining } from "../operations/start-training.ts";
import { trainingJobName } from "../training-model.ts";

// Training of agents, and the trust that they earn.

export const operations: readonly Operation[] = [
  startTraining,
  readTraining,
  cancelTraining,
  readTrust,
  proposeVersion,
  finishTraining,
  fitSkill,
];
export const createJobs = (parts: TrainingParts): JobHandlers => ({ [trainingJobName]: createTrainingJob(parts) });
export const facts: readonly FactSet<unknown>[] = [evidenceFacts];
export const sweeps: readonly Sweep[] = [evidenceSweep, trainingSweep];
