import { all, first, insert, newestFirst, type Row, rowsOf, select, sql, update } from "../../../db/scoped.ts";
import {
  type Actor,
  type Decider,
  type StoredActor,
  storable,
  storedActor,
  storedPersons,
} from "../../../kernel/actor.ts";
import type { CallContext, ReadContext, WriteContext } from "../../../kernel/context.ts";
import type { QueryContext } from "../../../kernel/db.ts";
import { isId } from "../../../kernel/ids.ts";
import { leaseEnd } from "../../../kernel/lease.ts";
import type { PageRequest } from "../../../kernel/listing.ts";
import type { Statements } from "../../../kernel/machines.ts";
import type { Scope } from "../../../kernel/principal.ts";
import { faultPauseSql, faultText, type Interrupted, mostFaults } from "../../../kernel/service-faults.ts";
import { storedJson } from "../../../kernel/stored-json.ts";
import type { TrustCase } from "../../../kernel/trust/index.ts";
import { anyOf } from "../datasets/store.ts";
import type { GateDefinition } from "../gates/rules.ts";
import type { ScorerDefinition } from "../scorers/rules.ts";

export interface RunScorer extends ScorerDefinition {
  readonly scorer: string;
  readonly version: number;
}

/**
 * A run as it is stored. `total`: item runs to be done. `whole`: every item was run as often as was first asked for, so a gate can judge by it. `quiet`: its
 * present repeats serve the comparison with another run, so it keeps its own verdict. `measured_at`: its first end; later repeats make its outputs no
 * younger. `result_ref` and `result_seal`: see `seal.ts`.
 */
export type RunRow = Omit<Row<"evaluation_runs">, "scorers"> & { scorers: RunScorer[] };
export const runJson = storedJson<{ failure: { code: string; detail: string } }>();

export interface UsedRun extends RunRow {
  done: number;
  failed: number;
  steps: number;
  tokens: number;
  cost_usd: number;
}

const runs = (ctx: QueryContext) => select(ctx, "evaluation_runs", "r");
const change = (ctx: QueryContext, id: string) => update(ctx, "evaluation_runs").where("id", "=", id);
const usedRuns = (ctx: QueryContext) =>
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

/** Claims without progress before a run is given up. */
export const mostTries = 5;
const renewed = sql<Date>`${sql.raw(leaseEnd)}`;

export const findRun = async (ctx: QueryContext, id: string): Promise<UsedRun | undefined> =>
  isId(id, "run") ? first(ctx, usedRuns(ctx).where("r.id", "=", id)) : undefined;

/** Everybody accountable for a run's results. */
export async function decidersOfRun(ctx: QueryContext, id: string): Promise<readonly Decider[]> {
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

/** Newest first. A narrowed key sees its agents' only. */
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
type NewRun = Pick<RunRow, "id" | (typeof given)[number]>;

/** `actor`: who asked for it, or for the run that it is compared with. */
export async function insertRun(
  ctx: WriteContext,
  actor: Actor | StoredActor,
  { id, ...run }: NewRun,
): Promise<UsedRun> {
  const row = Object.fromEntries(given.map((name) => [name, run[name]])) as Omit<NewRun, "id">;
  const scorers = JSON.stringify(run.scorers);
  const made = { ...row, id, scorers, principal: ctx.principal.id, actor: storable(actor) };
  const stored = await first(ctx, insert(ctx, "evaluation_runs", made).returningAll());
  return { ...(stored as unknown as RunRow), done: 0, failed: 0, steps: 0, tokens: 0, cost_usd: 0 };
}

/** A gate judges by runs with enough repeats that are recent enough. */
export type EvidenceRule = Pick<GateDefinition, "repeats" | "lifetime_days">;
type PinningRule = EvidenceRule & Pick<GateDefinition, "datasets">;

const evidenceSince = ({ now }: Pick<CallContext, "now">, { lifetime_days }: EvidenceRule): Date =>
  new Date(now - lifetime_days * 86_400_000);

/** Runs with enough repeats over the pinned dataset versions. */
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

/** By dataset id: the newest finished run over each pinned dataset version. */
export const findWholeRuns = (ctx: WriteContext, versionId: string, gate: PinningRule): Promise<RunRow[]> => {
  const newest = finishedRuns(ctx, gate).distinctOn("r.dataset_id").orderBy("r.dataset_id").orderBy("r.id", "desc");
  return all(ctx, newest.selectAll().where("r.version_id", "=", versionId).$castTo<RunRow>());
};

/** The newest versions with such a run over each dataset of the gate. */
export function listMeasuredVersions(ctx: WriteContext, agent: string, gate: GateDefinition, most: number) {
  const versions = finishedRuns(ctx, gate)
    .where("r.agent", "=", agent)
    .groupBy(["r.version_id", "r.version_number"])
    .having(sql<number>`count(distinct r.dataset_id)`, "=", gate.datasets.length)
    .select(["r.version_id as id", "r.version_number as number"]);
  return all(ctx, versions.orderBy("r.version_number", "desc").limit(most));
}

/** Runs in progress that become evidence if they end whole. */
export function listUnderWay(ctx: WriteContext, versionId: string, gate: PinningRule) {
  const underWay = pinnedRuns(ctx, gate)
    .where("r.version_id", "=", versionId)
    .where("r.state", "in", ["queued", "running"])
    .where((r) => r.or([r("r.measured_at", "is", null), r("r.measured_at", ">", evidenceSince(ctx, gate))]));
  return all(ctx, underWay.select(["r.id", "r.dataset_id"]));
}

/** Over the same dataset version as another run; with `finished`, only if it has ended. */
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

/** Ends the waiting of runs for this one. */
export const takeWaiting = (ctx: WriteContext, id: string): Promise<RunRow[]> => {
  const waiting = update(ctx, "evaluation_runs").set({ waits_for: null }).where("waits_for", "=", id);
  return all(ctx, waiting.returningAll().$castTo<RunRow>());
};

/** Ended, not waiting for the deployed version's run, not announced. */
const unannounced = sql<boolean>`state in ('completed', 'failed') and waits_for is null and not announced`;

/** Whether other ended runs of the version will be announced with its verdict. */
export async function holdsBack(ctx: WriteContext, versionId: string, apart: string): Promise<boolean> {
  const others = runs(ctx).select("r.id").where("r.version_id", "=", versionId).where("r.id", "<>", apart);
  return (await first(ctx, others.where(unannounced).limit(1))) !== undefined;
}

/** Marks them as announced and returns their ids. `only`: just this one. */
export async function takeUnannounced(ctx: WriteContext, versionId: string, only: string | null): Promise<string[]> {
  const taken = update(ctx, "evaluation_runs")
    .set({ announced: true })
    .where("version_id", "=", versionId)
    .where(unannounced)
    .$if(only !== null, (q) => q.where("id", "=", only ?? ""));
  return (await all(ctx, taken.returning("id"))).map(({ id }) => id).sort();
}

/** Undefined if the attempt has lost the run. */
export const lockHeldRun = (ctx: WriteContext, id: string, attempt: number): Promise<RunRow | undefined> => {
  const held = runs(ctx).where("r.id", "=", id).where("r.attempt", "=", attempt).where("r.state", "=", "running");
  return first(ctx, held.selectAll().forUpdate().$castTo<RunRow>());
};

export interface RunEnd {
  readonly state: "completed" | "failed";
  readonly stoppedBy: "items" | "usd" | null;
  readonly failure: { readonly code: string; readonly detail: string } | null;
}

/** The call has locked the run. One that was whole before a gate added repeats completes with what it has. */
export async function endRun(ctx: WriteContext, run: RunRow, end: RunEnd): Promise<RunEnd["state"]> {
  const state = run.whole ? "completed" : end.state;
  const ended = change(ctx, run.id).set({
    state,
    stopped_by: end.stoppedBy,
    failure: end.failure && JSON.stringify(end.failure),
    lease_until: null,
    whole: run.whole || (end.state === "completed" && end.stoppedBy === null),
    finished_at: sql<Date>`now()`,
    measured_at: sql<Date>`coalesce(measured_at, now())`,
  });
  await all(ctx, ended);
  return state;
}

/** What is known only after its end: its seal, or a gate's conclusion. */
export async function noteOnRun(
  ctx: WriteContext,
  id: string,
  noted: Partial<Pick<RunRow, "result_ref" | "result_seal" | "verdict" | "decision" | "waits_for">>,
): Promise<void> {
  await all(ctx, change(ctx, id).set(noted));
}

/** Queues a finished run again with more repeats. A `quiet` one serves the comparison with another run, and keeps its verdict. `actor`: who asked for that. */
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

/** A run that a worker has claimed. */
export interface HeldRun extends RunAddress {
  readonly attempt: number;
}

const unheld = sql<boolean>`(state = 'queued' or (state = 'running' and lease_until <= now()))`;
const claim = (db: Statements, scope: RunAddress) =>
  change({ db, scope }, scope.id)
    .set((run) => ({ state: "running", attempt: run("attempt", "+", 1), lease_until: renewed }))
    .where(unheld);

/** Undefined if it has ended, another worker has it, or it was tried too often. */
export const claimRun = (db: Statements, address: RunAddress): Promise<RunRow | undefined> => {
  const claimed = claim(db, address)
    .set((run) => ({ tries: run("tries", "+", 1), started_at: sql<Date>`coalesce(started_at, now())` }))
    .where("tries", "<", mostTries)
    .where("faults", "<", mostFaults);
  return first({ db }, claimed.returningAll().$castTo<RunRow>());
};

/** Claims a run to end it as failed. Undefined if a worker has it. */
export const claimToGiveUp = async (db: Statements, held: HeldRun): Promise<number | undefined> =>
  (await first({ db }, claim(db, held).where("attempt", "=", held.attempt).returning("attempt")))?.attempt;

/** SQL: renews the lease; `$1`–`$4` are address and attempt. Progress resets the tries. */
const renewedLease = (progress: boolean): string =>
  `update evaluation_runs set lease_until = ${leaseEnd}${progress ? ", tries = 0, faults = 0" : ""}
   where organization = $1 and environment = $2 and id = $3 and attempt = $4 and state = 'running' returning id`;

/** False if the attempt has lost the run. */
export async function renewRun(db: Statements, { organization, environment, id, attempt }: HeldRun): Promise<boolean> {
  return (await db.query(renewedLease(false), [organization, environment, id, attempt])).length > 0;
}

/** Returns a run after an error of the service, for another attempt after a pause. */
export async function giveBackRun(db: Statements, scope: HeldRun, error: unknown): Promise<void> {
  const given = change({ db, scope }, scope.id).set((run) => ({
    tries: sql<number>`greatest(tries - 1, 0)`,
    faults: run("faults", "+", 1),
    fault: faultText(error),
    lease_until: sql<Date>`now() + ${sql.raw(faultPauseSql("faults"))}`,
  }));
  await all({ db }, given.where("attempt", "=", scope.attempt).where("state", "=", "running"));
}

/** Runs without a worker, oldest first. */
export async function listIdleRuns(db: Statements, most: number): Promise<(HeldRun & Interrupted)[]> {
  return db.query(
    `select organization, environment, id, attempt, tries as lost, faults, fault from evaluation_runs
     where (state = 'running' and lease_until <= now()) or (state = 'queued' and created_at < now() - interval '5 seconds')
     order by created_at limit $1`,
    [most],
  );
}

export interface ItemOutcome {
  readonly item: string;
  readonly repeat: number;
  /** Null if it failed. */
  readonly output: Readonly<Record<string, unknown>> | null;
  readonly failure: { readonly code: string; readonly detail: string } | null;
  /** The model's signals; absent if it failed. */
  readonly features?: TrustCase;
  /** By scorer, from 0 to 1; scorers that do not apply are absent. */
  readonly scores: Readonly<Record<string, number>>;
  readonly steps: number;
  readonly tokens: number;
  readonly costUsd: number;
  readonly ms: number;
}

const columns = ["item", "repeat", "output", "failure", "scores", "steps", "tokens", "cost_usd", "ms"] as const;
type ResultRow = Omit<ItemOutcome, "output" | "failure" | "scores" | "costUsd" | "features"> & {
  readonly output: string | null;
  readonly failure: string | null;
  readonly scores: string;
  readonly cost_usd: number;
};

const resultJson = storedJson<{
  output: NonNullable<ItemOutcome["output"]>;
  failure: NonNullable<ItemOutcome["failure"]>;
  scores: Record<string, number>;
  signals: TrustCase;
}>();

const toOutcome = ({ cost_usd, ...row }: ResultRow): ItemOutcome => ({
  ...row,
  costUsd: cost_usd,
  output: resultJson(row, "output"),
  failure: resultJson(row, "failure"),
  scores: resultJson(row, "scores"),
});

/** Also renews the lease; false, with nothing written, if the attempt has lost the run. */
export async function insertResult(db: Statements, held: HeldRun, result: ItemOutcome): Promise<boolean> {
  const { organization, environment, id, attempt } = held;
  const { output, failure, scores, features, costUsd, ...row } = result;
  const json = (value: unknown): string | null => (value ? JSON.stringify(value) : null);
  const stored = {
    ...row,
    cost_usd: costUsd,
    output: json(output),
    failure: json(failure),
    scores: json(scores),
    signals: json(features),
  };
  const rows = await db.query(
    `with held as (${renewedLease(true)})
     insert into evaluation_results (organization, environment, run_id, ${columns.join(", ")}, signals)
     select $1, $2, $3, ${columns.join(", ")}, signals from held, json_populate_record(null::evaluation_results, $5::json)
     on conflict (organization, environment, run_id, item, repeat) do update set ms = evaluation_results.ms returning item`,
    [organization, environment, id, attempt, JSON.stringify(stored)],
  );
  return rows.length > 0;
}

const results = (ctx: QueryContext, run: string) => select(ctx, "evaluation_results", "e").where("e.run_id", "=", run);
const inOrder = (ctx: QueryContext, run: string) => results(ctx, run).orderBy("e.item").orderBy("e.repeat");

/** Done items by `<repeat> <item>`, and their cost. */
export async function readDone(ctx: QueryContext, run: string): Promise<{ done: Set<string>; costUsd: number }> {
  const rows = await all(ctx, results(ctx, run).select(["e.item", "e.repeat", "e.cost_usd"]));
  return {
    done: new Set(rows.map(({ item, repeat }) => `${repeat} ${item}`)),
    costUsd: rows.reduce((sum, row) => sum + row.cost_usd, 0),
  };
}

/** By item and repeat. */
export async function readResults(
  ctx: QueryContext,
  run: string,
  items: readonly string[] | null = null,
): Promise<ItemOutcome[]> {
  const query = inOrder(ctx, run).$if(items !== null, (q) => q.where("e.item", "=", anyOf(items ?? [])));
  return (await all(ctx, query.select(columns))).map(toOutcome);
}

/** By item, repeat by repeat. */
export async function readScores(ctx: QueryContext, run: string): Promise<Map<string, Record<string, number>[]>> {
  const rows = await all(ctx, inOrder(ctx, run).select(["e.item", "e.scores"]));
  const items = Map.groupBy(rows, ({ item }) => item);
  return new Map([...items].map(([item, repeats]) => [item, repeats.map((row) => resultJson(row, "scores"))]));
}

/** Signals of an item's last repeat, with the mean probability of all. */
export async function readCases(ctx: QueryContext, run: string): Promise<Map<string, TrustCase>> {
  const rows = await all(ctx, inOrder(ctx, run).select(["e.item", "e.signals"]).where("e.signals", "is not", null));
  return new Map(
    [...Map.groupBy(rows, ({ item }) => item)].map(([item, repeats]) => {
      const cases = repeats.map((row) => resultJson(row, "signals") ?? {});
      const probabilities = cases.flatMap(({ probability }) => probability ?? []);
      const last = cases.at(-1) ?? {};
      if (probabilities.length === 0 || last.probability === undefined) return [item, last];
      return [item, { ...last, probability: probabilities.reduce((sum, one) => sum + one, 0) / probabilities.length }];
    }),
  );
}

export interface Pool {
  /** By item, in the order of runs and repeats. */
  readonly outcomes: ReadonlyMap<string, readonly ItemOutcome[]>;
  /** Of the item that has the most; 0 without a run. */
  readonly repeats: number;
}

/**
 * Reads what a version put out in all its runs over a dataset, whatever their age and dataset version, of the items that are the same in the version of
 * `like`. Of each run it takes the repeats that all its items have: those that are still being added wait for the rest.
 */
export async function readPool(
  ctx: QueryContext,
  versionId: string,
  like: Pick<RunRow, "dataset_id" | "dataset_version" | "skill">,
): Promise<Pool> {
  const rows = await ctx.db.query<ResultRow>(
    `with runs as (
       select r.organization, r.environment, r.id, r.dataset_version,
         (select min(n) from (select count(*)::int as n from evaluation_results c
            where c.organization = r.organization and c.environment = r.environment and c.run_id = r.id group by c.item) counts) as whole_repeats
       from evaluation_runs r
       where r.organization = $1 and r.environment = $2 and r.version_id = $3 and r.dataset_id = $4 and r.skill = $6 and r.whole)
     select ${columns.map((column) => `e.${column}`).join(", ")} from runs
     join evaluation_results e on e.organization = runs.organization and e.environment = runs.environment and e.run_id = runs.id
     join dataset_items i on i.organization = e.organization and i.dataset_id = $4 and i.name = e.item
       and i.since <= least($5, runs.dataset_version) and (i.until is null or i.until > greatest($5, runs.dataset_version))
     where e.repeat < runs.whole_repeats
     order by e.item, e.run_id, e.repeat`,
    [ctx.scope.organization, ctx.scope.environment, versionId, like.dataset_id, like.dataset_version, like.skill],
  );
  const outcomes = Map.groupBy(rows.map(toOutcome), ({ item }) => item);
  return { outcomes, repeats: Math.max(0, ...[...outcomes.values()].map((repeats) => repeats.length)) };
}
