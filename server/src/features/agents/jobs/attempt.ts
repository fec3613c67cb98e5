import type { Trainer } from "@aos/builtin-model";
import type { JobParts } from "../../../kernel/machines.ts";
import type { SkillRunner } from "../../../kernel/skill-runner.ts";
import type { AgentDefinition, SkillDefinition } from "../definition.ts";
import { leftOut, type Split, splitExamples } from "../training-model.ts";
import { TRAINING_LIMITS } from "../training-schemas.ts";
import { type HeldTraining, reportTraining, type TrainingRequestText, type TrainingRow } from "../training-store.ts";
import { findDefinition } from "../version-store.ts";
import { examplesOf } from "./gather-examples.ts";

/** What a worker trains with. */
export type TrainingParts = Pick<JobParts, "clock" | "db" | "inside" | "seals"> & {
  readonly skills: SkillRunner;
  readonly trainer: Trainer;
};

/** An attempt at a training job, as the parts of it see it. */
export interface Attempt extends TrainingParts {
  readonly row: TrainingRow;
  readonly held: HeldTraining;
  /** Milliseconds before a run is tried again that something hindered; more each time. */
  readonly pauseMs: number;
  /** Aborted when the job is in other hands or was cancelled. */
  readonly signal: AbortSignal;
  /** Says what it is doing, and how far it is, from 0 to 1. */
  progress(phase: string, share: number): void;
}

/** What people are told of a training job that cannot come to anything; no other attempt would do better. */
export class TrainingFailed extends Error {
  readonly code: string;
  constructor(code: string, detail: string) {
    super(detail);
    this.code = code;
  }
}

/** What a job goes out from. */
export interface Material {
  readonly request: TrainingRequestText;
  readonly definition: AgentDefinition;
  readonly skill: SkillDefinition;
  readonly split: Split;
}

/** Gathers the examples of all sources and holds a share of them out. Every attempt finds the same: dataset and feedback are as they were when the job was asked for. */
export async function gatherExamples({ db, seals, row, held }: Attempt): Promise<Material> {
  const request = JSON.parse(row.request) as TrainingRequestText;
  const definition = await findDefinition(db, held.organization, row.base_version_id);
  const skill = definition?.skills.find(({ name }) => name === row.skill);
  if (!definition || !skill)
    throw new TrainingFailed("no_version", `Version ${row.base_number} of ${row.agent} can no longer be read.`);
  const { sources, notIntact } = await examplesOf({ db, seals, row, held, request, skill });
  const split = splitExamples(sources, request.held_out, request.seed);
  if (split.counts.used < TRAINING_LIMITS.least || split.heldOut.length === 0) {
    throw new TrainingFailed(
      "too_few_examples",
      `There are ${split.counts.used} different examples, ${split.heldOut.length} of them to measure by; it takes at least ${TRAINING_LIMITS.least}.${leftOut(notIntact)}`,
    );
  }
  await reportTraining(db, held, { examples: { ...split.counts, ...(notIntact > 0 && { not_intact: notIntact }) } });
  return { request, definition, skill, split };
}
