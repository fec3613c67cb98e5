import type { Statements } from "../../kernel/machines.ts";
import type { Scope } from "../../kernel/principal.ts";
import type { TrainingPair } from "./training-schemas.ts";
import { datasetsOf, type TrainingRequestText } from "./training-store.ts";

/** A training by which a version came about, without its examples. */
export interface EarlierTraining {
  readonly id: string;
  /** How many examples came with it. */
  readonly given: number;
  readonly datasets: ReturnType<typeof datasetsOf>;
  readonly at: number;
}

interface Row {
  id: string;
  request: string;
  given: number;
  created_at: Date;
}

/** Trainings that are looked back on at most. */
const most = 100;

/**
 * The trainings of a skill that a version goes back to, in the environment of the scope, newest first. One that left out what was before it ends the list: that
 * stays forgotten.
 */
export async function listEarlierTrainings(
  db: Statements,
  { organization, environment }: Scope,
  { agent, skill, version }: { readonly agent: string; readonly skill: string; readonly version: number },
): Promise<EarlierTraining[]> {
  const rows = await db.query<Row>(
    `with recursive line as (
       select id, based_on from agent_versions where organization = $1 and agent = $3 and number = $5
       union all
       select v.id, v.based_on from line join agent_versions v on v.organization = $1 and v.agent = $3 and v.number = line.based_on)
     select j.id, j.request, json_array_length(j.examples::json) as given, j.created_at from line
     join training_jobs j on j.organization = $1 and j.environment = $2 and j.version_id = line.id
     where j.agent = $3 and j.skill = $4 and j.state = 'completed' order by j.id desc limit ${most}`,
    [organization, environment, agent, skill, version],
  );
  const earlier = rows.map((row) => ({ ...row, request: JSON.parse(row.request) as TrainingRequestText }));
  const last = earlier.findIndex(({ request }) => request.earlier === false);
  return earlier.slice(0, last < 0 ? earlier.length : last + 1).map(({ id, given, request, created_at }) => ({
    id,
    given,
    datasets: datasetsOf(request),
    at: created_at.getTime(),
  }));
}

/** The examples that came with a training. */
export async function readEarlierExamples(
  db: Statements,
  { organization, environment }: Scope,
  id: string,
): Promise<TrainingPair[]> {
  const rows = await db.query<{ examples: string }>(
    "select examples from training_jobs where organization = $1 and environment = $2 and id = $3",
    [organization, environment, id],
  );
  return JSON.parse(rows[0]?.examples ?? "[]") as TrainingPair[];
}
