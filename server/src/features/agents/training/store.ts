import { all, first, insert, type Row, select, sql, update } from "../../../db/scoped.ts";
import { actorOfCall, storable } from "../../../kernel/actor.ts";
import type { CallContext, WriteContext } from "../../../kernel/context.ts";
import type { Reader } from "../../../kernel/db.ts";
import { isId } from "../../../kernel/ids.ts";
import { leaseEnd as endOfLease } from "../../../kernel/lease.ts";
import type { Statements } from "../../../kernel/machines.ts";
import type { Scope } from "../../../kernel/principal.ts";
import { faultPauseSql, faultText, type Interrupted, mostFaults } from "../../../kernel/service-faults.ts";
import { storedJson } from "../../../kernel/stored-json.ts";
import type { TrainingJob, TrainingPair } from "./schemas.ts";

/** A job that was attempted so often without ending is given up. */
export const mostAttempts = 5;

// Without what is large: the examples and the artifact.
const columns = [
  ...(["id", "agent", "skill", "base_version_id", "base_number", "method", "request", "state", "phase"] as const),
  ...([
    "progress",
    "attempt",
    "report",
    "version_id",
    "version_number",
    "failure",
    "note",
    "principal",
    "actor",
  ] as const),
  ...(["created_at", "finished_at"] as const),
] as const;
const cost =
  sql<number>`coalesce((select sum(r.cost_usd) from training_results r where r.organization = training_jobs.organization
  and r.environment = training_jobs.environment and r.job_id = training_jobs.id), 0)`.as("cost_usd");

/** A training job. `request`, `report` and `failure` are JSON. */
export type TrainingRow = Pick<Row<"training_jobs">, (typeof columns)[number]> & { cost_usd: number };

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
  /** Of jobs that were stored before there could be several datasets. */
  readonly dataset?: PinnedDataset | null;
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

/** What is known of a job so far. */
export interface TrainingReport {
  readonly examples?: NonNullable<TrainingJob["examples"]>;
  readonly demonstrations?: NonNullable<TrainingJob["demonstrations"]>;
  readonly metrics?: NonNullable<TrainingJob["metrics"]>;
  readonly seconds?: number;
}

export const trainingJson = storedJson<{
  request: TrainingRequestText;
  report: TrainingReport;
  examples: TrainingPair[];
  failure: NonNullable<TrainingJob["failure"]>;
}>();

export interface TrainingAddress extends Scope {
  readonly id: string;
}

/** A job with the attempt of the worker that holds it. */
export interface HeldTraining extends TrainingAddress {
  readonly attempt: number;
}

const leaseEnd = sql<Date>`${sql.raw(endOfLease)}`;

/** One job of the call's environment. */
export async function findTraining(ctx: CallContext & { readonly db: Reader }, id: string) {
  if (!isId(id, "trn")) return undefined;
  const jobs = select(ctx, "training_jobs", "training_jobs").select(columns).select(cost);
  return first<TrainingRow>(ctx, jobs.where("id", "=", id));
}

/** The open job of a skill. The caller has locked the agent's row, so that none is added meanwhile. */
export async function findOpenTraining(ctx: WriteContext, agent: string, skill: string): Promise<string | undefined> {
  const open = select(ctx, "training_jobs", "j").select("j.id").where("j.state", "in", ["queued", "running"]);
  return (await first(ctx, open.where("j.agent", "=", agent).where("j.skill", "=", skill)))?.id;
}

interface NewTraining {
  readonly agent: string;
  readonly skill: string;
  readonly base: { readonly id: string; readonly number: number };
  readonly method: TrainingJob["method"];
  readonly request: TrainingRequestText;
  /** JSON. */
  readonly examples: string;
  readonly note: string;
}

export async function insertTraining(ctx: WriteContext, { base, request, ...made }: NewTraining): Promise<TrainingRow> {
  const job = insert(ctx, "training_jobs", {
    ...made,
    id: ctx.newId("trn"),
    base_version_id: base.id,
    base_number: base.number,
    request: JSON.stringify(request),
    principal: ctx.principal.id,
    actor: storable(actorOfCall(ctx)),
    created_at: new Date(ctx.now),
  });
  return (await first<TrainingRow>(ctx, job.returning(columns).returning(cost))) as TrainingRow;
}

const updateJob = (scope: Scope, id: string) => update({ scope }, "training_jobs").where("id", "=", id);
/** An update that changes nothing once the attempt has lost the job. */
const updateHeld = (held: HeldTraining) =>
  updateJob(held, held.id).where("attempt", "=", held.attempt).where("state", "=", "running");

/** Takes up a job; undefined if it ended, another worker has it, or it was attempted often enough. */
export async function claimTraining(db: Statements, address: TrainingAddress): Promise<TrainingRow | undefined> {
  const claim = updateJob(address, address.id)
    .set({ state: "running", attempt: sql<number>`attempt + 1`, lease_until: leaseEnd })
    .where(sql<boolean>`attempt - faults < ${mostAttempts} and faults < ${mostFaults}`)
    .where(sql<boolean>`(state = 'queued' or (state = 'running' and lease_until <= now()))`);
  return first<TrainingRow>({ db }, claim.returning(columns).returning(cost));
}

/** Renews the lease and reports progress; false if the attempt has lost the job, or the job was cancelled. */
export async function renewTraining(
  db: Statements,
  held: HeldTraining,
  { phase, progress }: { phase: string; progress: number },
): Promise<boolean> {
  const set = { lease_until: leaseEnd, phase, progress: sql<number>`greatest(progress, ${progress})` };
  return (await first({ db }, updateHeld(held).set(set).returning("id"))) !== undefined;
}

/** Adds to the report. */
export async function reportTraining(db: Statements, held: HeldTraining, report: TrainingReport): Promise<void> {
  const merged = sql<string>`(coalesce(report, '{}')::jsonb || ${JSON.stringify(report)}::jsonb)::text`;
  await all({ db }, updateHeld(held).set({ report: merged }));
}

/** Keeps what was learnt until the candidate version has it. */
export async function keepArtifact(
  db: Statements,
  held: HeldTraining,
  { buffer, byteOffset, byteLength }: Uint8Array,
  digest: string,
): Promise<void> {
  const artifact = Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength);
  await all({ db }, updateHeld(held).set({ artifact, artifact_digest: digest }));
}

/** Gives a job back after an error of the service, for another attempt after a pause. It counts as no lost worker. */
export async function giveBackTraining(db: Statements, held: HeldTraining, error: unknown): Promise<void> {
  const lease_until = sql<Date>`now() + ${sql.raw(faultPauseSql("faults"))}`;
  const given = updateHeld(held).set((job) => ({
    faults: job("faults", "+", 1),
    fault: faultText(error),
    lease_until,
  }));
  await all({ db }, given);
}

/** The examples that came with a training. */
export async function readGivenExamples(db: Statements, scope: Scope, id: string): Promise<TrainingPair[]> {
  const row = await first({ db }, select({ scope }, "training_jobs", "j").select("j.examples").where("j.id", "=", id));
  return row ? trainingJson(row, "examples") : [];
}

/** The result of one held-out example, run by a version. */
export type TrainingResultRow = Pick<Row<"training_results">, "version_id" | "item" | "correct" | "cost_usd">;

/** What the job has measured so far. */
export async function listTrainingResults(db: Statements, job: TrainingAddress): Promise<TrainingResultRow[]> {
  const results = select({ scope: job }, "training_results", "r").where("r.job_id", "=", job.id);
  return all({ db }, results.select(["r.version_id", "r.item", "r.correct", "r.cost_usd"]));
}

/** Keeps one result; that of an attempt that has lost the job is dropped. */
export async function insertTrainingResult(db: Statements, held: HeldTraining, row: TrainingResultRow): Promise<void> {
  await db.query(
    `insert into training_results (organization, environment, job_id, version_id, item, correct, cost_usd)
     select organization, environment, id, $5, $6, $7, $8 from training_jobs
     where organization = $1 and environment = $2 and id = $3 and attempt = $4 and state = 'running' on conflict do nothing`,
    [held.organization, held.environment, held.id, held.attempt, row.version_id, row.item, row.correct, row.cost_usd],
  );
}

/** Names the candidate of a job; false if the attempt has lost the job. */
export async function setCandidate(
  ctx: WriteContext,
  job: { id: string; attempt: number },
  { id: version_id, number: version_number }: { id: string; number: number },
): Promise<boolean> {
  const named = updateHeld({ ...ctx.scope, ...job }).set({ version_id, version_number });
  return (await first(ctx, named.returning("id"))) !== undefined;
}

interface TrainingEnd {
  readonly id: string;
  readonly to: "completed" | "failed" | "cancelled";
  readonly phase: string;
  readonly failure: { readonly code: string; readonly detail: string } | null;
  /** The attempt that ends it; null: whoever has it. */
  readonly attempt: number | null;
}

/** Ends an open job and drops what only its work needed; undefined if it has ended, or another attempt has it. */
export async function endTraining(
  ctx: WriteContext,
  { id, to: state, phase, failure, attempt }: TrainingEnd,
): Promise<TrainingRow | undefined> {
  const ended = updateJob(ctx.scope, id)
    .set({ state, phase, failure: failure && JSON.stringify(failure), finished_at: new Date(ctx.now) })
    .set({ lease_until: null, artifact: null })
    .$if(state === "completed", (query) => query.set({ progress: 1 }))
    .$if(attempt !== null, (query) => query.where("attempt", "=", attempt))
    .where("state", "in", ["queued", "running"]);
  return first<TrainingRow>(ctx, ended.returning(columns).returning(cost));
}

/** Jobs of all organizations that nobody works on, the oldest first: their worker is gone, or their wake-up was lost. */
export async function listIdleTraining(db: Statements, most: number): Promise<(HeldTraining & Interrupted)[]> {
  return db.query(
    `select organization, environment, id, attempt, attempt - faults as lost, faults, fault from training_jobs
     where (state = 'running' and lease_until <= now()) or (state = 'queued' and created_at < now() - interval '5 seconds')
     order by created_at limit $1`,
    [most],
  );
}
