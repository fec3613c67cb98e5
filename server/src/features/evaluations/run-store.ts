import { all, first, insert, newestFirst, type Row, rowsOf, select, sql, update } from "../../db/scoped.ts";
import {
  type Actor,
  type Decider,
  type StoredActor,
  storable,
  storedActor,
  storedPersons,
} from "../../kernel/actor.ts";
import type { CallContext, ReadContext, WriteContext } from "../../kernel/context.ts";
import { isId } from "../../kernel/ids.ts";
import { leaseEnd } from "../../kernel/lease.ts";
import type { PageRequest } from "../../kernel/listing.ts";
import type { Statements } from "../../kernel/machines.ts";
import type { Scope } from "../../kernel/principal.ts";
import { faultPauseSql, faultText, type Interrupted, mostFaults } from "../../kernel/service-faults.ts";
import { anyOf, type Here } from "./dataset-store.ts";
import type { GateDefinition } from "./gate-rules.ts";
import type { ScorerDefinition } from "./scorer-model.ts";

/** A scorer as a run began with it. */
export interface RunScorer extends ScorerDefinition {
  readonly scorer: string;
  readonly version: number;
}

/**
 * A run as it is stored. `total`: item runs to be done. `whole`: every item was run as often as was first asked for, so a gate can judge by it. `quiet`: its
 * present repeats serve the comparison with another run, so it keeps its own verdict. `measured_at`: its first end; later repeats make its outputs no
 * younger. `result_ref` and `result_seal`: see `run-seal.ts`.
 */
export type RunRow = Omit<Row<"evaluation_runs">, "scorers"> & { scorers: RunScorer[] };

/** A run with what it has used so far. */
export interface UsedRun extends RunRow {
  done: number;
  failed: number;
  steps: number;
  tokens: number;
  cost_usd: number;
}

const runs = (ctx: Here) => select(ctx, "evaluation_runs", "r");
const change = (ctx: Here, id: string) => update(ctx, "evaluation_runs").where("id", "=", id);
const usedRuns = (ctx: Here) =>
  runs(ctx)
    .innerJoinLateral(
      (of) =>
        of
          .selectFrom(rowsOf(ctx, "evaluation_results", "e"))
          .whereRef("e.run_id", "=", "r.id")
          .select([sql`count(*)::int`.as("done"), sql`count(e.failure)::int`.as("failed")])
          .select([
            sql`coalesce(sum(e.steps), 0)::int`.as("steps"),
            sql`coalesce(sum(e.tokens), 0)::float8`.as("tokens"),
          ])
          .select(sql`coalesce(sum(e.cost_usd), 0)::float8`.as("cost_usd"))
          .as("u"),
      (join) => join.onTrue(),
    )
    .selectAll()
    .$castTo<UsedRun>();

export interface RunAddress extends Scope {
  readonly id: string;
}

/** A run may be taken up this often without progress before it is given up. */
export const mostTries = 5;
const renewed = sql<Date>`${sql.raw(leaseEnd)}`;

/** One run of the call's environment. */
export const findRun = async (ctx: Here, id: string): Promise<UsedRun | undefined> =>
  isId(id, "run") ? first(ctx, usedRuns(ctx).where("r.id", "=", id)) : undefined;

/** Everybody accountable for what a run says; nobody where there is no such run. */
export async function decidersOfRun(ctx: Here, id: string): Promise<readonly Decider[]> {
  return isId(id, "run")
    ? storedPersons((await first(ctx, runs(ctx).select("r.actor").where("r.id", "=", id)))?.actor)
    : [];
}

export interface RunFilter {
  readonly agent?: string;
  readonly version?: number;
  readonly dataset?: string;
  readonly verdict?: readonly string[];
  readonly state?: readonly string[];
}

/** A page of runs, newest first. A key that is narrowed to agents sees theirs only. */
export async function listRuns(
  ctx: ReadContext,
  { agent, version, dataset, verdict, state }: RunFilter,
  page: PageRequest,
): Promise<UsedRun[]> {
  const { agents } = ctx.principal;
  const query = usedRuns(ctx)
    .$if(agents !== null, (q) => q.where("r.agent", "=", anyOf(agents ?? [])))
    .$if(agent !== undefined, (q) => q.where("r.agent", "=", agent ?? ""))
    .$if(version !== undefined, (q) => q.where("r.version_number", "=", version ?? 0))
    .$if(dataset !== undefined, (q) => q.where(sql<boolean>`${dataset} in (r.dataset_id, r.dataset_name)`))
    .$if(verdict !== undefined, (q) => q.where(sql<string>`coalesce(r.verdict, 'none')`, "=", anyOf(verdict ?? [])))
    .$if(state !== undefined, (q) => q.where(sql<string>`r.state`, "=", anyOf(state ?? [])));
  return all(ctx, newestFirst(query, "r.id", page));
}

const given = [
  ...(["agent", "skill", "version_id", "version_number", "dataset_id", "dataset_name", "dataset_version"] as const),
  ...(["scorers", "repeats", "seed", "total", "budget_items", "budget_usd", "note"] as const),
];
export type NewRun = Pick<RunRow, "id" | (typeof given)[number]>;

/** Adds a run that waits for a worker. `actor`: who asked for it, or for the run that it is compared with. */
export async function insertRun(ctx: WriteContext, actor: Actor | StoredActor, { id, ...run }: NewRun): Promise<void> {
  const row = Object.fromEntries(given.map((name) => [name, run[name]])) as Omit<NewRun, "id">;
  const scorers = JSON.stringify(run.scorers);
  await all(
    ctx,
    insert(ctx, "evaluation_runs", { ...row, id, scorers, principal: ctx.principal.id, actor: storable(actor) }),
  );
}

/** What a gate asks of a run that it judges by: enough repeats, and that it is not too old. */
export type EvidenceRule = Pick<GateDefinition, "repeats" | "lifetime_days">;
type PinningRule = EvidenceRule & Pick<GateDefinition, "datasets">;

const evidenceSince = ({ now }: Pick<CallContext, "now">, { lifetime_days }: EvidenceRule): Date =>
  new Date(now - lifetime_days * 86_400_000);

/** Runs with enough repeats over the dataset versions that a gate pins. */
function pinnedRuns(ctx: WriteContext, { datasets, repeats }: PinningRule) {
  const [ids, versions] = [datasets.map((pin) => pin.dataset_id), datasets.map(({ version }) => version)];
  const pins = sql`select * from unnest(${ids}::text[], ${versions}::int[])`;
  return runs(ctx)
    .where(sql<boolean>`(r.dataset_id, r.dataset_version) in (${pins})`)
    .where("r.repeats", ">=", repeats);
}
const finishedRuns = (ctx: WriteContext, gate: PinningRule) =>
  pinnedRuns(ctx, gate)
    .where("r.state", "=", "completed")
    .where("r.whole", "=", true)
    .where("r.measured_at", ">", evidenceSince(ctx, gate));

/** The evidence for a gate on a version: its newest finished run over each dataset version that the gate pins, by dataset id. */
export const findWholeRuns = (ctx: WriteContext, versionId: string, gate: PinningRule): Promise<RunRow[]> => {
  const newest = finishedRuns(ctx, gate).distinctOn("r.dataset_id").orderBy("r.dataset_id").orderBy("r.id", "desc");
  return all(ctx, newest.selectAll().where("r.version_id", "=", versionId).$castTo<RunRow>());
};

/** The newest versions of an agent that have such a run over each dataset version of its gate. */
export function listMeasuredVersions(ctx: WriteContext, agent: string, gate: GateDefinition, most: number) {
  const versions = finishedRuns(ctx, gate)
    .where("r.agent", "=", agent)
    .groupBy(["r.version_id", "r.version_number"])
    .having(sql<number>`count(distinct r.dataset_id)`, "=", gate.datasets.length)
    .select(["r.version_id as id", "r.version_number as number"]);
  return all(ctx, versions.orderBy("r.version_number", "desc").limit(most));
}

/** Runs of a version over the gate's dataset versions that are under way and will be evidence if they end as whole ones. */
export function listUnderWay(ctx: WriteContext, versionId: string, gate: PinningRule) {
  const underWay = pinnedRuns(ctx, gate)
    .where("r.version_id", "=", versionId)
    .where("r.state", "in", ["queued", "running"])
    .where((r) => r.or([r("r.measured_at", "is", null), r("r.measured_at", ">", evidenceSince(ctx, gate))]));
  return all(ctx, underWay.select(["r.id", "r.dataset_id"]));
}

/** The newest run of a version over the same dataset version as another run that a gate could judge by; with `finished`, only if it has ended. */
export function findRunOf(
  ctx: WriteContext,
  versionId: string,
  { dataset_id, dataset_version }: Pick<RunRow, "dataset_id" | "dataset_version">,
  { finished, repeats, lifetime_days }: EvidenceRule & { readonly finished: boolean },
): Promise<RunRow | undefined> {
  const since = evidenceSince(ctx, { repeats, lifetime_days });
  const found = runs(ctx)
    .where("r.version_id", "=", versionId)
    .where("r.dataset_id", "=", dataset_id)
    .where("r.dataset_version", "=", dataset_version)
    .where("r.repeats", ">=", repeats)
    .where((r) => r.or([r("r.measured_at", "is", null), r("r.measured_at", ">", since)]))
    .where((r) => {
      const whole = r.and([r("r.state", "=", "completed"), r("r.whole", "=", true)]);
      return finished ? whole : r.or([whole, r("r.state", "in", ["queued", "running"])]);
    });
  return first(ctx, found.selectAll().orderBy("r.id", "desc").limit(1).$castTo<RunRow>());
}

/** Takes the runs that waited for this one: they wait no longer. */
export const takeWaiting = (ctx: WriteContext, id: string): Promise<RunRow[]> => {
  const waiting = update(ctx, "evaluation_runs").set({ waits_for: null }).where("waits_for", "=", id);
  return all(ctx, waiting.returningAll().$castTo<RunRow>());
};

/** Runs of a version that have ended, wait for no run of the deployed version and were not announced yet. */
const unannounced = sql<boolean>`state in ('completed', 'failed') and waits_for is null and not announced`;

/** Whether other runs of a version have ended and are to be announced with the verdict on it. */
export async function holdsBack(ctx: WriteContext, versionId: string, apart: string): Promise<boolean> {
  const others = runs(ctx).select("r.id").where("r.version_id", "=", versionId).where("r.id", "<>", apart);
  return (await first(ctx, others.where(unannounced).limit(1))) !== undefined;
}

/** Marks the runs of a version that are to be announced, or `only` one of them, as announced. Returns their ids. */
export async function takeUnannounced(ctx: WriteContext, versionId: string, only: string | null): Promise<string[]> {
  const taken = update(ctx, "evaluation_runs")
    .set({ announced: true })
    .where("version_id", "=", versionId)
    .where(unannounced)
    .$if(only !== null, (q) => q.where("id", "=", only ?? ""));
  return (await all(ctx, taken.returning("id"))).map(({ id }) => id).sort();
}

/** The run, locked until the transaction ends, if the attempt still holds it. */
export const lockHeldRun = (ctx: WriteContext, id: string, attempt: number): Promise<RunRow | undefined> => {
  const held = runs(ctx).where("r.id", "=", id).where("r.attempt", "=", attempt).where("r.state", "=", "running");
  return first(ctx, held.selectAll().forUpdate().$castTo<RunRow>());
};

/** How a run ended. */
export interface RunEnd {
  readonly state: "completed" | "failed";
  readonly stoppedBy: "items" | "usd" | null;
  readonly failure: { readonly code: string; readonly detail: string } | null;
}

/** Ends a run that the call has locked. One that was whole before a gate added repeats completes with what it has, whatever stops these. */
export async function endRun(ctx: WriteContext, run: RunRow, end: RunEnd): Promise<RunEnd["state"]> {
  const state = run.whole ? "completed" : end.state;
  const ended = change(ctx, run.id).set({
    ...{ state, stopped_by: end.stoppedBy, failure: end.failure && JSON.stringify(end.failure), lease_until: null },
    whole: run.whole || (end.state === "completed" && end.stoppedBy === null),
    ...{ finished_at: sql<Date>`now()`, measured_at: sql<Date>`coalesce(measured_at, now())` },
  });
  await all(ctx, ended);
  return state;
}

/** Changes what is known of a run after its end: its seal, or what a gate concluded from it. */
export async function noteOnRun(
  ctx: WriteContext,
  id: string,
  noted: Partial<Pick<RunRow, "result_ref" | "result_seal" | "verdict" | "decision" | "waits_for">>,
): Promise<void> {
  await all(ctx, change(ctx, id).set(noted));
}

/** Queues a finished run again with more repeats of each of `items` items. A `quiet` one serves the comparison with another run, and keeps its verdict. `actor`: who asked for what it serves. */
export async function extendRun(
  ctx: WriteContext,
  id: string,
  { repeats, items, quiet, actor }: { repeats: number; items: number; quiet: boolean; actor: unknown },
): Promise<void> {
  const more = change(ctx, id).set((run) => ({
    repeats: run("repeats", "+", repeats),
    total: run("total", "+", repeats * items),
    look: run("look", "+", quiet ? 0 : 1),
    ...(actor !== null && { actor: storable(storedActor(actor)) }),
    quiet,
    state: "queued",
    tries: 0,
    faults: 0,
    lease_until: null,
    finished_at: null,
    waits_for: null,
  }));
  await all(ctx, more);
}

/** A run in the hands of a worker. */
export interface HeldRun extends RunAddress {
  readonly attempt: number;
}

const unheld = sql<boolean>`(state = 'queued' or (state = 'running' and lease_until <= now()))`;
const claim = (db: Statements, scope: RunAddress) =>
  change({ db, scope }, scope.id)
    .set((run) => ({ state: "running", attempt: run("attempt", "+", 1), lease_until: renewed }))
    .where(unheld);

/** Takes up a run that no worker holds. Undefined if there is nothing to do: it has ended, another worker has it, or it was tried often enough. */
export const claimRun = (db: Statements, address: RunAddress): Promise<RunRow | undefined> => {
  const claimed = claim(db, address)
    .set((run) => ({ tries: run("tries", "+", 1), started_at: sql<Date>`coalesce(started_at, now())` }))
    .where("tries", "<", mostTries)
    .where("faults", "<", mostFaults);
  return first({ db }, claimed.returningAll().$castTo<RunRow>());
};

/** Takes a run up only to end it as failed. Returns its attempt; undefined if a worker holds it. */
export const claimToGiveUp = async (db: Statements, held: HeldRun): Promise<number | undefined> =>
  (await first({ db }, claim(db, held).where("attempt", "=", held.attempt).returning("attempt")))?.attempt;

/** SQL: renews the lease of an attempt that still holds the run; `$1`–`$4` are its address and attempt. Progress gives the run all its tries again. */
export const renewedLease = (progress: boolean): string =>
  `update evaluation_runs set lease_until = ${leaseEnd}${progress ? ", tries = 0, faults = 0" : ""}
   where organization = $1 and environment = $2 and id = $3 and attempt = $4 and state = 'running' returning id`;

/** Renews the lease; false if the attempt has lost the run. */
export async function renewRun(db: Statements, { organization, environment, id, attempt }: HeldRun): Promise<boolean> {
  return (await db.query(renewedLease(false), [organization, environment, id, attempt])).length > 0;
}

/** Gives a run back after an error of the service, for another attempt after a pause. It counts as no lost worker. */
export async function giveBackRun(db: Statements, scope: HeldRun, error: unknown): Promise<void> {
  const given = change({ db, scope }, scope.id).set((run) => ({
    tries: sql<number>`greatest(tries - 1, 0)`,
    faults: run("faults", "+", 1),
    fault: faultText(error),
    lease_until: sql<Date>`now() + ${sql.raw(faultPauseSql("faults"))}`,
  }));
  await all({ db }, given.where("attempt", "=", scope.attempt).where("state", "=", "running"));
}

/** Runs that no worker holds because it is gone, or the wake-up was lost. The oldest first. */
export async function listIdleRuns(db: Statements, most: number): Promise<(HeldRun & Interrupted)[]> {
  return db.query(
    `select organization, environment, id, attempt, tries as lost, faults, fault from evaluation_runs
     where (state = 'running' and lease_until <= now()) or (state = 'queued' and created_at < now() - interval '5 seconds')
     order by created_at limit $1`,
    [most],
  );
}
