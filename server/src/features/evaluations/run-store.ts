import type { CallContext, ReadContext, WriteContext } from "../../kernel/context.ts";
import type { Reader } from "../../kernel/db.ts";
import { isId } from "../../kernel/ids.ts";
import type { PageRequest } from "../../kernel/listing.ts";
import type { Statements } from "../../kernel/machines.ts";
import type { Scope } from "../../kernel/principal.ts";
import type { GateDefinition } from "./gate-rules.ts";
import { overPinned, pinValues, tooOld } from "./gate-store.ts";
import type { RunState } from "./runs-schemas.ts";
import type { ScorerDefinition } from "./scorer-model.ts";

type Here = Pick<CallContext, "scope"> & { readonly db: Pick<Reader, "query"> };

/** A scorer as a run began with it. */
export interface RunScorer extends ScorerDefinition {
  readonly scorer: string;
  readonly version: number;
}

/** A run as it is stored. */
export interface RunRow {
  id: string;
  agent: string;
  skill: string;
  version_id: string;
  version_number: number;
  dataset_id: string;
  dataset_name: string;
  dataset_version: number;
  scorers: RunScorer[];
  repeats: number;
  seed: number;
  /** Item runs that are to be. */
  total: number;
  budget_items: number | null;
  budget_usd: number | null;
  note: string;
  state: RunState;
  look: number;
  attempt: number;
  stopped_by: "items" | "usd" | null;
  /** Every item was run as often as was asked for at first: a gate can judge by it. */
  whole: boolean;
  /** Its present repeats were added for the comparison with another run: its own verdict is not drawn anew. */
  quiet: boolean;
  verdict: "open" | "failed" | "inconclusive" | null;
  decision: string | null;
  waits_for: string | null;
  failure: string | null;
  principal: string;
  created_at: Date;
  started_at: Date | null;
  finished_at: Date | null;
  /** The record of the call that ended it, `aud_…`, and the seal over what it scored (`run-seal.ts`); null: it has not ended. */
  result_ref: string | null;
  result_seal: string | null;
  /** When it first came to an end: repeats that were added later make its outputs no younger. */
  measured_at: Date | null;
}

const columns = `id, agent, skill, version_id, version_number, dataset_id, dataset_name, dataset_version, scorers, repeats, seed, total, budget_items, budget_usd,
  note, state, look, attempt, stopped_by, whole, quiet, verdict, decision, waits_for, failure, principal, created_at, started_at, finished_at, result_ref, result_seal, measured_at`;

/** Of what a run has done so far. */
export interface RunUse {
  done: number;
  failed: number;
  steps: number;
  tokens: number;
  cost_usd: number;
}
export type UsedRun = RunRow & RunUse;

/** `columns` of a run `r` with what it has used; sums only the runs that the outer query lets through. */
const withUse = `
  select r.*, u.* from evaluation_runs r
  cross join lateral (
    select count(*)::int as done, count(e.failure)::int as failed, coalesce(sum(e.steps), 0)::int as steps, coalesce(sum(e.tokens), 0)::float8 as tokens,
      coalesce(sum(e.cost_usd), 0)::float8 as cost_usd
    from evaluation_results e where e.organization = r.organization and e.environment = r.environment and e.run_id = r.id) u`;

/** Whose run it is. */
export interface RunAddress extends Scope {
  readonly id: string;
}

const keyOf = ({ organization, environment, id }: RunAddress): readonly string[] => [organization, environment, id];
const named = "organization = $1 and environment = $2 and id = $3";

/** A run may be taken up so often without coming to an end before it is given up. */
export const mostTries = 5;
/** How long a worker may be silent (seconds) before another takes the run up. */
const lease = "interval '60 seconds'";

/** One run of the call's environment, with what it has used. */
export async function findRun(ctx: Here, id: string): Promise<UsedRun | undefined> {
  if (!isId(id, "run")) return undefined;
  const rows = await ctx.db.query<UsedRun>(
    `${withUse} where r.organization = $1 and r.environment = $2 and r.id = $3`,
    keyOf({ ...ctx.scope, id }),
  );
  return rows[0];
}

export interface RunFilter {
  readonly agent?: string;
  readonly version?: number;
  readonly dataset?: string;
  readonly verdict?: readonly string[];
  readonly state?: readonly string[];
}

/** A page of runs, newest first. A key that is narrowed to agents sees theirs only. */
export async function listRuns(ctx: ReadContext, filter: RunFilter, page: PageRequest): Promise<UsedRun[]> {
  return ctx.db.query<UsedRun>(
    `${withUse} where r.organization = $1 and r.environment = $2
       and ($3::text[] is null or r.agent = any($3)) and ($4::text is null or r.agent = $4) and ($5::int is null or r.version_number = $5)
       and ($6::text is null or r.dataset_id = $6 or r.dataset_name = $6) and ($7::text[] is null or coalesce(r.verdict, 'none') = any($7))
       and ($8::text[] is null or r.state = any($8)) and ($9::text is null or r.id < $9)
     order by r.id desc limit $10`,
    [
      ctx.scope.organization,
      ctx.scope.environment,
      ctx.principal.agents,
      filter.agent ?? null,
      filter.version ?? null,
      filter.dataset ?? null,
      filter.verdict ?? null,
      filter.state ?? null,
      page.after?.id ?? null,
      page.take,
    ],
  );
}

export type NewRun = Pick<
  RunRow,
  | "id"
  | "agent"
  | "skill"
  | "version_id"
  | "version_number"
  | "dataset_id"
  | "dataset_name"
  | "dataset_version"
  | "scorers"
  | "repeats"
  | "seed"
  | "total"
  | "budget_items"
  | "budget_usd"
  | "note"
>;

/** Adds a run that waits for a worker. */
export async function insertRun(ctx: WriteContext, run: NewRun): Promise<void> {
  await ctx.db.query(
    `insert into evaluation_runs (organization, environment, id, agent, skill, version_id, version_number, dataset_id, dataset_name, dataset_version, scorers,
       repeats, seed, total, budget_items, budget_usd, note, principal)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)`,
    [
      ...keyOf({ ...ctx.scope, id: run.id }),
      run.agent,
      run.skill,
      run.version_id,
      run.version_number,
      run.dataset_id,
      run.dataset_name,
      run.dataset_version,
      JSON.stringify(run.scorers),
      run.repeats,
      run.seed,
      run.total,
      run.budget_items,
      run.budget_usd,
      run.note,
      ctx.principal.id,
    ],
  );
}

/** What a gate asks of a run that it judges by: so many repeats at least, and that it is no older. */
export type EvidenceRule = Pick<GateDefinition, "repeats" | "lifetime_days">;

/** The evidence for a gate on a version: its newest finished run over each dataset version that the gate pins, by dataset id. Runs over other versions are none. */
export async function findWholeRuns(
  ctx: WriteContext,
  versionId: string,
  gate: EvidenceRule & Pick<GateDefinition, "datasets">,
): Promise<RunRow[]> {
  const { organization, environment } = ctx.scope;
  return ctx.db.query<RunRow>(
    `select distinct on (dataset_id) ${columns} from evaluation_runs
     where organization = $1 and environment = $2 and version_id = $3 and ${overPinned("$4", "$5")} and state = 'completed' and whole
       and repeats >= $6 and measured_at > $7
     order by dataset_id, id desc`,
    [organization, environment, versionId, ...pinValues(gate), gate.repeats, tooOld(ctx, gate.lifetime_days)],
  );
}

/** Runs of a version over the gate's dataset versions that are under way and will be evidence by a rule, if they end as whole ones. */
export async function listUnderWay(
  ctx: WriteContext,
  versionId: string,
  gate: EvidenceRule & Pick<GateDefinition, "datasets">,
): Promise<Pick<RunRow, "id" | "dataset_id">[]> {
  const { organization, environment } = ctx.scope;
  return ctx.db.query(
    `select id, dataset_id from evaluation_runs
     where organization = $1 and environment = $2 and version_id = $3 and ${overPinned("$4", "$5")} and state in ('queued', 'running')
       and repeats >= $6 and (measured_at is null or measured_at > $7)`,
    [organization, environment, versionId, ...pinValues(gate), gate.repeats, tooOld(ctx, gate.lifetime_days)],
  );
}

/**
 * The newest run of a version over the same version of the same set as another run that is under way or finished as a whole, with so many repeats at least
 * and no older than evidence may be; `finished`: the newest that is finished. Undefined where there is none.
 */
export async function findRunOf(
  ctx: WriteContext,
  versionId: string,
  { dataset_id, dataset_version }: Pick<RunRow, "dataset_id" | "dataset_version">,
  { finished, repeats, lifetime_days }: EvidenceRule & { readonly finished: boolean },
): Promise<RunRow | undefined> {
  const at = [ctx.scope.organization, ctx.scope.environment];
  const rows = await ctx.db.query<RunRow>(
    `select ${columns} from evaluation_runs
     where organization = $1 and environment = $2 and version_id = $3 and dataset_id = $4 and dataset_version = $5
       and ((state = 'completed' and whole) or (not $6 and state in ('queued', 'running')))
       and repeats >= $7 and (measured_at is null or measured_at > $8)
     order by id desc limit 1`,
    [...at, versionId, dataset_id, dataset_version, finished, repeats, tooOld(ctx, lifetime_days)],
  );
  return rows[0];
}

/** Runs that could not be judged before this one ended, and are judged now: they wait no longer. */
export async function takeWaiting(ctx: WriteContext, id: string): Promise<RunRow[]> {
  return ctx.db.query<RunRow>(
    `update evaluation_runs set waits_for = null where organization = $1 and environment = $2 and waits_for = $3 returning ${columns}`,
    keyOf({ ...ctx.scope, id }),
  );
}

/** Runs of a version that have ended, wait for no run of the deployed version and were not announced yet. */
const unannounced = `organization = $1 and environment = $2 and version_id = $3 and state in ('completed', 'failed') and waits_for is null and not announced`;

/** Whether runs of a version besides `apart` have ended and are to be announced with the verdict on it. */
export async function holdsBack(ctx: WriteContext, versionId: string, apart: string): Promise<boolean> {
  const rows = await ctx.db.query(`select from evaluation_runs where ${unannounced} and id <> $4 limit 1`, [
    ...keyOf({ ...ctx.scope, id: versionId }),
    apart,
  ]);
  return rows.length > 0;
}

/** Takes up, by their ids, the runs of a version that are to be announced, or `only` one of them; they count as announced from now on. */
export async function takeUnannounced(ctx: WriteContext, versionId: string, only: string | null): Promise<string[]> {
  const rows = await ctx.db.query<{ id: string }>(
    `update evaluation_runs set announced = true where ${unannounced} and ($4::text is null or id = $4) returning id`,
    [...keyOf({ ...ctx.scope, id: versionId }), only],
  );
  return rows.map(({ id }) => id).sort();
}

/** The run, locked until the transaction ends, where the attempt still has it in hand. */
export async function lockHeldRun(ctx: WriteContext, id: string, attempt: number): Promise<RunRow | undefined> {
  const rows = await ctx.db.query<RunRow>(
    `select ${columns} from evaluation_runs where ${named} and attempt = $4 and state = 'running' for update`,
    [...keyOf({ ...ctx.scope, id }), attempt],
  );
  return rows[0];
}

/** What is written down at a run's end. */
export interface RunEnd {
  readonly state: "completed" | "failed";
  readonly stoppedBy: "items" | "usd" | null;
  readonly failure: { readonly code: string; readonly detail: string } | null;
}

/**
 * Ends a run that the call has locked. One that was whole before a gate added repeats stays so, and counts as completed with what it has, whatever stops
 * these.
 */
export async function endRun(
  ctx: WriteContext,
  id: string,
  { state, stoppedBy, failure }: RunEnd,
): Promise<"completed" | "failed"> {
  const rows = await ctx.db.query<{ state: "completed" | "failed" }>(
    `update evaluation_runs set state = case when whole then 'completed' else $4 end, stopped_by = $5, failure = $6,
       whole = whole or ($4 = 'completed' and $5::text is null), lease_until = null, finished_at = now(),
       measured_at = coalesce(measured_at, now()) where ${named} returning state`,
    [...keyOf({ ...ctx.scope, id }), state, stoppedBy, failure && JSON.stringify(failure)],
  );
  return (rows[0] as { state: "completed" | "failed" }).state;
}

/** Keeps the seal over what a run scored. */
export async function keepRunSeal(
  ctx: WriteContext,
  id: string,
  { ref, seal }: { ref: string; seal: string },
): Promise<void> {
  await ctx.db.query(`update evaluation_runs set result_ref = $4, result_seal = $5 where ${named}`, [
    ...keyOf({ ...ctx.scope, id }),
    ref,
    seal,
  ]);
}

/** Writes down what a gate drew from a run; null for `verdict`: nothing yet, since it waits for another one. */
export async function setRunVerdict(
  ctx: WriteContext,
  id: string,
  given: { verdict: RunRow["verdict"]; decision: string | null; waitsFor: string | null },
): Promise<void> {
  await ctx.db.query(`update evaluation_runs set verdict = $4, decision = $5, waits_for = $6 where ${named}`, [
    ...keyOf({ ...ctx.scope, id }),
    given.verdict,
    given.decision,
    given.waitsFor,
  ]);
}

/**
 * Puts a finished run back to work with more repeats of each item, `items` of them, and judges it again at its next end; a `quiet` one only serves the
 * comparison with another, and keeps its verdict. What it has put out stays as old as it is.
 */
export async function extendRun(
  ctx: WriteContext,
  id: string,
  more: { repeats: number; items: number; quiet: boolean },
): Promise<void> {
  await ctx.db.query(
    `update evaluation_runs set repeats = repeats + $4, total = total + $4 * $5, look = look + $6, quiet = $7, state = 'queued', tries = 0, lease_until = null,
       finished_at = null, waits_for = null where ${named}`,
    [...keyOf({ ...ctx.scope, id }), more.repeats, more.items, more.quiet ? 0 : 1, more.quiet],
  );
}

/** A run in the hands of a worker. */
export interface HeldRun extends RunAddress {
  readonly attempt: number;
}

/** Takes up a run that nobody works on. Undefined where there is nothing to take up: it is finished, another worker has it, or it was tried often enough. */
export async function claimRun(db: Statements, address: RunAddress): Promise<RunRow | undefined> {
  const rows = await db.query<RunRow>(
    `update evaluation_runs set state = 'running', attempt = attempt + 1, tries = tries + 1, lease_until = now() + ${lease}, started_at = coalesce(started_at, now())
     where ${named} and tries < $4 and (state = 'queued' or (state = 'running' and lease_until <= now())) returning ${columns}`,
    [...keyOf(address), mostTries],
  );
  return rows[0];
}

/** Takes a run up for nothing but to end it as failed; its attempt, or undefined where somebody works on it. */
export async function claimToGiveUp(db: Statements, held: HeldRun): Promise<number | undefined> {
  const rows = await db.query<{ attempt: number }>(
    `update evaluation_runs set state = 'running', attempt = attempt + 1, lease_until = now() + ${lease}
     where ${named} and attempt = $4 and (state = 'queued' or (state = 'running' and lease_until <= now())) returning attempt`,
    [...keyOf(held), held.attempt],
  );
  return rows[0]?.attempt;
}

/** The statement that renews a lease; answers a row where the attempt still holds the run. An attempt that has come further gives the run all its tries again. */
export const renewedLease = (further: boolean): string =>
  `update evaluation_runs set lease_until = now() + ${lease}${further ? ", tries = 0" : ""} where ${named} and attempt = $4 and state = 'running' returning id`;

/** Says that the attempt is still at work; false where it has lost the run. */
export async function renewRun(db: Statements, held: HeldRun): Promise<boolean> {
  return (await db.query(renewedLease(false), [...keyOf(held), held.attempt])).length > 0;
}

/** Gives a run back for another attempt, at once. */
export async function giveBackRun(db: Statements, held: HeldRun): Promise<void> {
  await db.query(
    `update evaluation_runs set lease_until = now() where ${named} and attempt = $4 and state = 'running'`,
    [...keyOf(held), held.attempt],
  );
}

/** Runs that nobody works on: those whose worker is gone, and those whose wake-up was lost. The oldest first. */
export async function listIdleRuns(db: Statements, most: number): Promise<(HeldRun & { tries: number })[]> {
  return db.query(
    `select organization, environment, id, attempt, tries from evaluation_runs
     where (state = 'running' and lease_until <= now()) or (state = 'queued' and created_at < now() - interval '5 seconds')
     order by created_at limit $1`,
    [most],
  );
}
