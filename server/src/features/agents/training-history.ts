import type { CallContext } from "../../kernel/context.ts";
import type { Reader } from "../../kernel/db.ts";
import type { Statements } from "../../kernel/machines.ts";
import type { Scope } from "../../kernel/principal.ts";
import { datasetsOf, type PinnedDataset, type TrainingRequestText } from "./training-store.ts";
import { findVersion } from "./version-store.ts";

// What a version, and those that it is based on, were trained from.

/** A training that led to a version, without its examples. */
export interface EarlierTraining {
  readonly id: string;
  /** How many examples came with it. */
  readonly given: number;
  readonly datasets: readonly PinnedDataset[];
  readonly at: number;
}

const mostEarlier = 100;

/** The versions from which a version (`where`) descends, itself included. Takes organization ($1) and agent ($2). */
const lineOf = (where: string): string => `with recursive line as (
  select id, based_on from agent_versions where organization = $1 and agent = $2 and ${where}
  union
  select v.id, v.based_on from line join agent_versions v on v.organization = $1 and v.agent = $2 and v.number = line.based_on)`;

/** The trainings of a skill that a version descends from, in the scope's environment, newest first, back to one that left out what was before it. */
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
  const earlier = rows.map((row) => ({ ...row, request: JSON.parse(row.request) as TrainingRequestText }));
  const last = earlier.findIndex(({ request }) => request.earlier === false);
  const kept = last < 0 ? earlier : earlier.slice(0, last + 1);
  return kept.map(({ id, given, request, created_at }) => {
    return { id, given, datasets: datasetsOf(request), at: created_at.getTime() };
  });
}

/** What a version has seen of a skill before anybody evaluates it. */
export interface LearntFrom {
  readonly datasets: readonly PinnedDataset[];
  /** JSON of the inputs of the examples that came with trainings, and of those in its definition. */
  readonly inputs: readonly string[];
  /** Feedback given before this audit record; null: none. */
  readonly feedback_before: string | null;
}

/** What a version's skill learnt from, in whatever environment, with the examples in its definition. */
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
  const requests = jobs.map(({ request }) => JSON.parse(request) as TrainingRequestText);
  const version = await findVersion(ctx, version_id);
  const shown = version?.definition.skills.find(({ name }) => name === skill)?.examples ?? [];
  const given = [...jobs.flatMap(({ examples }) => JSON.parse(examples) as { input: unknown }[]), ...shown];
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
