import { asEarlier, type Decider, storedActor, unite } from "../../../kernel/actor.ts";
import type { CallContext, WriteContext } from "../../../kernel/context.ts";
import { refuse } from "../../../kernel/errors.ts";
import type { Statements } from "../../../kernel/machines.ts";
import { conflict } from "../../../kernel/problems.ts";
import { resolveActor } from "../../admin/public.ts";
import { digestOf } from "../definitions/bundle/index.ts";
import type { AgentDefinition } from "../definitions/schemas.ts";
import { lockAgent } from "../definitions/store.ts";
import { agentArchived, noVersion, trainerNotPermitted } from "../errors.ts";
import { trainingSources } from "../ports.ts";
import { versionObject } from "../versions/deciders.ts";
import { findNewestVersion, findVersion, insertVersion } from "../versions/store.ts";
import { TRAINING_LIMITS, type TrainingPair } from "./schemas.ts";
import { datasetsOf, setCandidate, type TrainingRow, trainingJson } from "./store.ts";

// A training acts on behalf of whoever started it; who decided what it learnt from is accountable too.

/** Returns null if whoever started the training may go on. */
export async function whyTrainerMayNot(
  ctx: Pick<CallContext, "scope" | "now"> & { readonly db: Statements },
  { actor, agent }: TrainingRow,
): Promise<string | null> {
  if (actor === null) return "nobody is recorded who started it";
  return (await resolveActor(ctx, storedActor(actor), "agents:write", [agent])).stopped ?? null;
}

/** The deciders of the resulting version: whoever started it, and those of its datasets and feedback. */
async function decidersOfTraining(ctx: WriteContext, job: TrainingRow, object: string): Promise<Decider[]> {
  const { datasets, corrected } = sourcesOf(job);
  const sources = ctx.port(trainingSources);
  const trainers = asEarlier(storedActor(job.actor).persons, "trained", object);
  const authors: (readonly Decider[])[] = [];
  for (const { id, version } of datasets) authors.push(await sources.authorsOf(ctx, id, version));
  const { agent, skill } = job;
  const most = TRAINING_LIMITS.feedback;
  const teachers = corrected === null ? [] : await sources.listTeachers(ctx, { agent, skill, before: corrected, most });
  const lessons = teachers.map(({ id, at }) => ({
    id,
    how: "corrected" as const,
    of: object,
    at: at.toISOString(),
  }));
  return unite(trainers, ...authors, lessons);
}

function sourcesOf(row: TrainingRow) {
  const request = trainingJson(row, "request");
  return { datasets: datasetsOf(request), corrected: request.feedback_before };
}

/** Freezes the result of a job as a version on top of the one that it started from. It acts nowhere until somebody deploys it. Throws `agent_archived`, `no_version` or `trainer_not_permitted` where it can never be frozen, and `conflict` where another worker has the job. */
export async function addCandidate(
  ctx: WriteContext,
  job: TrainingRow,
  attempt: number,
  demonstrations: readonly TrainingPair[] | null,
): Promise<{ id: string; number: number }> {
  const { archived_at } = await lockAgent(ctx, job.agent);
  if (archived_at !== null)
    throw refuse(agentArchived, `${job.agent} was archived while the job ran, so no version can be frozen.`);
  const base = await findVersion(ctx, job.base_version_id);
  if (!base) throw refuse(noVersion, `Version ${job.base_number} of ${job.agent} can no longer be read.`);
  const definition =
    demonstrations === null ? base.definition : withExamples(base.definition, job.skill, demonstrations);
  const why = await whyTrainerMayNot(ctx, job);
  if (why !== null) throw refuse(trainerNotPermitted, `${why}.`);
  const number = ((await findNewestVersion(ctx, job.agent))?.number ?? 0) + 1;
  const { id } = await insertVersion(ctx, {
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
