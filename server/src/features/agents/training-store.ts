import type { CallContext, WriteContext } from "../../kernel/context.ts";
import type { Reader } from "../../kernel/db.ts";
import { isId } from "../../kernel/ids.ts";
import type { Statements } from "../../kernel/machines.ts";
import type { Scope } from "../../kernel/principal.ts";
import type { TrainingJob } from "./training-schemas.ts";

/** A job that was taken up so often without coming to an end is given up. */
export const mostAttempts = 5;

/** A training job as it is stored, without what is large. */
export interface TrainingRow {
  id: string;
  agent: string;
  skill: string;
  base_version_id: string;
  base_number: number;
  method: TrainingJob["method"];
  /** JSON of a {@link TrainingRequestText}. */
  request: string;
  state: TrainingJob["state"];
  phase: string;
  progress: number;
  attempt: number;
  /** JSON of a {@link TrainingReport}. */
  report: string | null;
  version_id: string | null;
  version_number: number | null;
  /** JSON. */
  failure: string | null;
  note: string;
  principal: string;
  cost_usd: number;
  created_at: Date;
  finished_at: Date | null;
}

export interface PinnedDataset {
  readonly id: string;
  readonly version: number;
}

/** The datasets that a job learns from. */
export const datasetsOf = ({ dataset, datasets = [] }: TrainingRequestText): readonly PinnedDataset[] => [
  ...(dataset ? [dataset] : []),
  ...datasets,
];

/** What a job was asked for, besides its skill and the examples that came with it. */
export interface TrainingRequestText {
  /** The dataset and the version of it that counts, of a job that was asked for before there could be several. */
  readonly dataset?: PinnedDataset | null;
  /** The datasets and the versions of them that count. */
  readonly datasets?: readonly PinnedDataset[];
  /** Whether it learns again what earlier trainings of the version learnt from; `earlier_datasets`: also from their datasets. */
  readonly earlier?: boolean;
  readonly earlier_datasets?: boolean;
  /** Feedback given before this audit record; null: none. */
  readonly feedback_before: string | null;
  readonly held_out: number;
  readonly seed: number;
  readonly budget: { readonly prompt_tokens: number; readonly runs: number; readonly cost_usd: number };
}

/** What is known of a job, as it becomes known. */
export interface TrainingReport {
  readonly examples?: NonNullable<TrainingJob["examples"]>;
  readonly demonstrations?: NonNullable<TrainingJob["demonstrations"]>;
  readonly metrics?: NonNullable<TrainingJob["metrics"]>;
  readonly seconds?: number;
}

const columns = `j.id, j.agent, j.skill, j.base_version_id, j.base_number, j.method, j.request, j.state, j.phase, j.progress, j.attempt, j.report, j.version_id,
  j.version_number, j.failure, j.note, j.principal, j.created_at, j.finished_at,
  coalesce((select sum(r.cost_usd) from training_results r
    where r.organization = j.organization and r.environment = j.environment and r.job_id = j.id), 0) as cost_usd`;

/** Whose a job is. */
export interface TrainingAddress extends Scope {
  readonly id: string;
}

const named = "j.organization = $1 and j.environment = $2 and j.id = $3";
const keyOf = ({ organization, environment, id }: TrainingAddress): readonly string[] => [
  organization,
  environment,
  id,
];
/** How long a worker may be silent before another takes the job up. */
const lease = "interval '30 seconds'";

/** One job of the call's environment. */
export async function findTraining(
  ctx: CallContext & { readonly db: Reader },
  id: string,
): Promise<TrainingRow | undefined> {
  if (!isId(id, "trn")) return undefined;
  const rows = await ctx.db.query<TrainingRow>(
    `select ${columns} from training_jobs j where ${named}`,
    keyOf({ ...ctx.scope, id }),
  );
  return rows[0];
}

/** The job of a skill that has not ended in the call's environment. The caller has locked the agent's row, so that none is added meanwhile. */
export async function findOpenTraining(ctx: WriteContext, agent: string, skill: string): Promise<string | undefined> {
  const rows = await ctx.db.query<{ id: string }>(
    `select id from training_jobs where organization = $1 and environment = $2 and state in ('queued', 'running') and agent = $3 and skill = $4 limit 1`,
    [ctx.scope.organization, ctx.scope.environment, agent, skill],
  );
  return rows[0]?.id;
}

export interface NewTraining {
  readonly agent: string;
  readonly skill: string;
  readonly base: { readonly id: string; readonly number: number };
  readonly method: TrainingJob["method"];
  readonly request: TrainingRequestText;
  /** JSON. */
  readonly examples: string;
  readonly note: string;
}

/** Adds a job of the caller. */
export async function insertTraining(ctx: WriteContext, made: NewTraining): Promise<TrainingRow> {
  const { agent, skill, base, method, request, examples, note } = made;
  const id = ctx.newId("trn");
  const rows = await ctx.db.query<TrainingRow>(
    `insert into training_jobs as j (organization, environment, id, agent, skill, base_version_id, base_number, method, request, examples, note, principal, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) returning ${columns}`,
    [
      ...keyOf({ ...ctx.scope, id }),
      agent,
      skill,
      base.id,
      base.number,
      method,
      JSON.stringify(request),
      examples,
      note,
      ctx.principal.id,
      new Date(ctx.now),
    ],
  );
  return rows[0] as TrainingRow;
}

/** A job in the hands of a worker. */
export interface HeldTraining extends TrainingAddress {
  readonly attempt: number;
}

const heldBy = (held: HeldTraining): readonly unknown[] => [...keyOf(held), held.attempt];
const isHeld = `${named} and j.attempt = $4 and j.state = 'running'`;

/** Takes up a job that nobody works on; undefined where there is nothing to take up: it ended, another worker has it, or it was tried often enough. */
export async function claimTraining(db: Statements, address: TrainingAddress): Promise<TrainingRow | undefined> {
  const rows = await db.query<TrainingRow>(
    `update training_jobs j set state = 'running', attempt = attempt + 1, lease_until = now() + ${lease}
     where ${named} and attempt < $4 and (state = 'queued' or (state = 'running' and lease_until <= now())) returning ${columns}`,
    [...keyOf(address), mostAttempts],
  );
  return rows[0];
}

/** Says that the attempt is still at work, and how far it is; false where it has lost the job, or the job was cancelled. */
export async function renewTraining(
  db: Statements,
  held: HeldTraining,
  at: { phase: string; progress: number },
): Promise<boolean> {
  const rows = await db.query(
    `update training_jobs j set lease_until = now() + ${lease}, phase = $5, progress = greatest(progress, $6) where ${isHeld} returning j.id`,
    [...heldBy(held), at.phase, at.progress],
  );
  return rows.length > 0;
}

/** Adds to what is known of the job. */
export async function reportTraining(db: Statements, held: HeldTraining, report: TrainingReport): Promise<void> {
  await db.query(
    `update training_jobs j set report = (coalesce(report, '{}')::jsonb || $5::jsonb)::text where ${isHeld}`,
    [...heldBy(held), JSON.stringify(report)],
  );
}

/** Keeps what was learnt until it lies with the candidate. */
export async function keepArtifact(
  db: Statements,
  held: HeldTraining,
  artifact: Uint8Array,
  digest: string,
): Promise<void> {
  await db.query(`update training_jobs j set artifact = $5, artifact_digest = $6 where ${isHeld}`, [
    ...heldBy(held),
    Buffer.from(artifact.buffer, artifact.byteOffset, artifact.byteLength),
    digest,
  ]);
}

/** Gives a job back for another attempt, at once. */
export async function giveBackTraining(db: Statements, held: HeldTraining): Promise<void> {
  await db.query(`update training_jobs j set lease_until = now() where ${isHeld}`, heldBy(held));
}

/** The examples that came with the request, as JSON. */
export async function readGivenExamples(db: Statements, address: TrainingAddress): Promise<string> {
  const rows = await db.query<{ examples: string }>(
    `select j.examples from training_jobs j where ${named}`,
    keyOf(address),
  );
  return rows[0]?.examples ?? "[]";
}

/** What one held-out example came to, run by a version. */
export interface TrainingResultRow {
  version_id: string;
  item: number;
  correct: number;
  cost_usd: number;
}

/** What the job has measured so far. */
export async function listTrainingResults(
  db: Statements,
  { organization, environment, id }: TrainingAddress,
): Promise<TrainingResultRow[]> {
  return db.query<TrainingResultRow>(
    "select version_id, item, correct, cost_usd from training_results where organization = $1 and environment = $2 and job_id = $3",
    [organization, environment, id],
  );
}

/** Keeps one result; that of an attempt that has lost the job is dropped. */
export async function insertTrainingResult(db: Statements, held: HeldTraining, row: TrainingResultRow): Promise<void> {
  await db.query(
    `insert into training_results (organization, environment, job_id, version_id, item, correct, cost_usd)
     select $1, $2, $3, $5, $6, $7, $8 from training_jobs j where ${isHeld} on conflict do nothing`,
    [...heldBy(held), row.version_id, row.item, row.correct, row.cost_usd],
  );
}

/** Names the candidate of a job that the attempt has in hand; false where it has not. */
export async function setCandidate(
  ctx: WriteContext,
  job: { id: string; attempt: number },
  candidate: { id: string; number: number },
) {
  const rows = await ctx.db.query(
    `update training_jobs j set version_id = $5, version_number = $6 where ${isHeld} returning j.id`,
    [...heldBy({ ...ctx.scope, ...job }), candidate.id, candidate.number],
  );
  return rows.length > 0;
}

export interface TrainingEnd {
  readonly id: string;
  readonly to: "completed" | "failed" | "cancelled";
  readonly phase: string;
  readonly failure: { readonly code: string; readonly detail: string } | null;
  /** The attempt that ends it; null: whoever has it. */
  readonly attempt: number | null;
}

/** Ends a job that has not ended, and drops what only its work needed; undefined where it has, or is in other hands. */
export async function endTraining(
  ctx: WriteContext,
  { id, to, phase, failure, attempt }: TrainingEnd,
): Promise<TrainingRow | undefined> {
  const rows = await ctx.db.query<TrainingRow>(
    `update training_jobs j set state = $5, phase = $6, failure = $7, lease_until = null, finished_at = $8, artifact = null,
       progress = case when $5 = 'completed' then 1 else progress end
     where ${named} and ($4::int is null or j.attempt = $4) and j.state in ('queued', 'running') returning ${columns}`,
    [...keyOf({ ...ctx.scope, id }), attempt, to, phase, failure && JSON.stringify(failure), new Date(ctx.now)],
  );
  return rows[0];
}

/** Jobs that nobody works on: those whose worker is gone, and those whose wake-up was lost. The oldest first. */
export async function listIdleTraining(db: Statements, most: number): Promise<HeldTraining[]> {
  return db.query<HeldTraining>(
    `select organization, environment, id, attempt from training_jobs
     where (state = 'running' and lease_until <= now()) or (state = 'queued' and created_at < now() - interval '5 seconds')
     order by created_at limit $1`,
    [most],
  );
}
