import type { CallContext } from "../../../kernel/context.ts";
import type { Reader } from "../../../kernel/db.ts";
import type { Statements } from "../../../kernel/machines.ts";
import type { Scope } from "../../../kernel/principal.ts";
import { findVersion } from "../versions/store.ts";
import { datasetsOf, type PinnedDataset, trainingJson } from "./store.ts";

// What a version and its ancestors were trained from.

/** Without its examples. */
interface EarlierTraining {
  readonly id: string;
  readonly given: number;
  readonly datasets: readonly PinnedDataset[];
  readonly at: number;
}

const mostEarlier = 100;

/** SQL: a version (`where`) and its ancestors. Takes organization ($1) and agent ($2). */
const lineOf = (where: string): string => `with recursive line as (
  select id, based_on from agent_versions where organization = $1 and agent = $2 and ${where}
  union
  select v.id, v.based_on from line join agent_versions v on v.organization = $1 and v.agent = $2 and v.number = line.based_on)`;

/** Trainings of a skill in the environment that a version descends from, newest first, back to one that left out earlier examples. */
export async function listEarlierTrainings(
  db: Statements,
  { organization, environment }: Scope,
  { agent, skill, version }: { readonly agent: string; readonly skill: string; readonly version: number },
): Promise<EarlierTraining[]> {
  const rows = await db.query<{ id: string; request: string; given: number; created_at: Date }>(
    `${lineOf("number = $3")}
     select j.id, j.request, json_array_length(j.examples::json) as given, j.created_at from line
     join training_jobs j on j.organization = $1 and j.environment = $4 and j.version_id = line.id
     where j.agent = $2 and j.skill = $5 and j.state = 'completed' order by j.id desc limit ${mostEarlier}`,
    [organization, agent, version, environment, skill],
  );
  const earlier = rows.map((row) => ({ ...row, request: trainingJson(row, "request") }));
  const last = earlier.findIndex(({ request }) => request.earlier === false);
  const kept = last < 0 ? earlier : earlier.slice(0, last + 1);
  return kept.map(({ id, given, request, created_at }) => {
    return { id, given, datasets: datasetsOf(request), at: created_at.getTime() };
  });
}

/** What a version has seen of a skill before it is evaluated. */
export interface LearntFrom {
  readonly datasets: readonly PinnedDataset[];
  /** JSON of the inputs of the examples that came with trainings, and of those in its definition. */
  readonly inputs: readonly string[];
  /** Feedback given before this audit record; null: none. */
  readonly feedback_before: string | null;
}

/** In whatever environment, with the examples in the definition. */
export async function listLearntFrom(
  ctx: CallContext & { readonly db: Reader },
  { agent, skill, version_id }: { readonly agent: string; readonly skill: string; readonly version_id: string },
): Promise<LearntFrom> {
  const jobs = await ctx.db.query<{ request: string; examples: string }>(
    `${lineOf("id = $3")}
     select j.request, j.examples from line join training_jobs j on j.organization = $1 and j.version_id = line.id
     where j.agent = $2 and j.skill = $4 and j.state = 'completed'`,
    [ctx.scope.organization, agent, version_id, skill],
  );
  const requests = jobs.map((job) => trainingJson(job, "request"));
  const version = await findVersion(ctx, version_id);
  const shown = version?.definition.skills.find(({ name }) => name === skill)?.examples ?? [];
  const given = [...jobs.flatMap((job) => trainingJson(job, "examples")), ...shown];
  return {
    datasets: requests.flatMap(datasetsOf),
    inputs: [...new Set(given.map(({ input }) => JSON.stringify(input)))],
    feedback_before:
      requests
        .flatMap(({ feedback_before }) => feedback_before ?? [])
        .sort()
        .at(-1) ?? null,
  };
}
