import type { WriteContext } from "../../kernel/context.ts";
import { refuse } from "../../kernel/errors.ts";
import { conflict } from "../../kernel/problems.ts";
import { digestOf } from "./bundle/index.ts";
import { versionObject } from "./deciders.ts";
import type { AgentDefinition } from "./definition.ts";
import { lockAgent } from "./draft-store.ts";
import { agentArchived, noVersion, trainerNotPermitted } from "./errors.ts";
import { decidersOfTraining, whyTrainerMayNot } from "./training-account.ts";
import type { TrainingPair } from "./training-schemas.ts";
import { setCandidate, type TrainingRow } from "./training-store.ts";
import { findNewestVersion, findVersion, insertVersion } from "./version-store.ts";

/**
 * Freezes what a job made as a version of its agent: the version that it went out from, with what was learnt, or with the demonstrations that were chosen.
 * It acts nowhere before somebody deploys it. Refuses, with `agent_archived`, `no_version` or `trainer_not_permitted`, where that can never be, and with `conflict` where the job is in other
 * hands.
 */
export async function addCandidate(
  ctx: WriteContext,
  job: TrainingRow,
  attempt: number,
  demonstrations: readonly TrainingPair[] | null,
): Promise<{ id: string; number: number }> {
  const { archived_at } = await lockAgent(ctx, job.agent);
  if (archived_at !== null)
    throw refuse(agentArchived, `${job.agent} was archived while the job ran; no version of it is frozen any more.`);
  const base = await findVersion(ctx, job.base_version_id);
  if (!base) throw refuse(noVersion, `Version ${job.base_number} of ${job.agent} can no longer be read.`);
  const definition =
    demonstrations === null ? base.definition : withExamples(base.definition, job.skill, demonstrations);
  const why = await whyTrainerMayNot(ctx, job);
  if (why !== null) throw refuse(trainerNotPermitted, `${why}.`);
  const number = ((await findNewestVersion(ctx, job.agent))?.number ?? 0) + 1;
  const id = await insertVersion(ctx, {
    agent: job.agent,
    number,
    definition,
    digest: digestOf(definition),
    note: job.note === "" ? `Trained: ${job.skill}, from version ${job.base_number}.` : job.note,
    basedOn: job.base_number,
    deciders: await decidersOfTraining(ctx, job, versionObject(job.agent, number)),
    learntFrom: job.base_version_id,
    ...(demonstrations === null ? { learnt: { skill: job.skill, job: job.id } } : {}),
  });
  const candidate = { id, number };
  if (!(await setCandidate(ctx, { id: job.id, attempt }, candidate))) {
    throw refuse(conflict, "The training job is no longer in the hands of this attempt, so it makes no version.");
  }
  return candidate;
}

function withExamples(definition: AgentDefinition, name: string, examples: readonly TrainingPair[]): AgentDefinition {
  const skills = definition.skills.map((skill) =>
    skill.name === name ? { ...skill, examples: examples.map((one) => ({ ...one })) } : skill,
  );
  return { ...definition, skills };
}
