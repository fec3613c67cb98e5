import { type Advanced, type Command, factsOf, givenOf, type Outcome, type Plan, type Wait } from "@aos/workflow";
import { all, insert, type Row, remove, select, sql } from "../../../db/scoped.ts";
import { type Decider, storedDeciders } from "../../../kernel/actor.ts";
import type { CallContext, WriteContext } from "../../../kernel/context.ts";
import type { QueryContext } from "../../../kernel/db.ts";
import { parseJson } from "../../../kernel/stored-json.ts";
import { withLiveOutputs } from "../definitions/known.ts";
import { awaitedBy, type OpenWait } from "../triggers/matching.ts";
import { findPlan } from "../versions/plans.ts";
import type { KnownRun } from "./cache.ts";
import { type RunRow, type StepRow, stateOf } from "./rules.ts";

export type WaitRow = Row<"workflow_waits">;

/** Rows per statement, and runs that are loaded at once. */
const atOnce = 500;

/** An advanced run. */
interface Look {
  readonly before: KnownRun;
  readonly next: Advanced;
}

/** Stores what steps wait for, and ends waits that are over. */
export async function writeWaits(ctx: WriteContext, looks: readonly Look[]): Promise<void> {
  const waits = looks.flatMap((look) =>
    look.next.commands.flatMap((one) => (one.kind === "listen" ? waitsOf(look, one) : [])),
  );
  for (let from = 0; from < waits.length; from += atOnce) await insertWaits(ctx, waits.slice(from, from + atOnce));
  for (const { before, next } of looks) {
    const over = next.changed.filter(
      (step) => awaitedBy(waitOf(before, step)).length > 0 && next.state.steps.get(step)?.status !== "waiting",
    );
    if (over.length > 0) await endWaits(ctx, before.row.id, over);
  }
}

/** Ends waits. The event that ended one is kept: a further attempt of the step takes only later ones. */
export async function endWaits(ctx: WriteContext, run: string, steps: readonly string[]): Promise<void> {
  const waits = remove(ctx, "workflow_waits").where("run_id", "=", run).where("step", "in", steps);
  await all(ctx, waits.where("matched", "is", null));
}

const waitOf = ({ version }: KnownRun, step: string): Wait => version.plan.byId.get(step)?.step.wait ?? {};

function waitsOf({ before }: Look, { step, attempt, since }: Extract<Command, { kind: "listen" }>) {
  const types = awaitedBy(waitOf(before, step)).map(({ event }) => event);
  return [...new Set(types)].map((event_type) => ({
    event_type,
    run_id: before.row.id,
    step,
    attempt,
    since: new Date(since),
  }));
}

async function insertWaits(ctx: WriteContext, waits: readonly ReturnType<typeof waitsOf>[number][]): Promise<void> {
  const key = ["organization", "environment", "event_type", "run_id", "step"] as const;
  const again = {
    attempt: sql<number>`excluded.attempt`,
    since: sql<Date>`excluded.since`,
    behind: true,
    looked: sql<number>`coalesce(workflow_waits.matched, workflow_waits.looked)`,
    matched: null,
    body: null,
    deciders: null,
  };
  await all(
    ctx,
    insert(ctx, "workflow_waits", waits).onConflict((on) => on.columns([...key]).doUpdateSet(again)),
  );
}

/** An event for which a step has waited, with its deciders. */
export interface Arrived {
  readonly outcome: Extract<Outcome, { kind: "event" }>;
  readonly deciders: readonly Decider[];
}

/** Events for which steps of runs have waited, by run, the oldest first. */
export async function arrivedEvents(ctx: QueryContext, runs: readonly string[]): Promise<Map<string, Arrived[]>> {
  if (runs.length === 0) return new Map();
  const rows = await all(
    ctx,
    select(ctx, "workflow_waits", "w")
      .select(["w.run_id", "w.step", "w.attempt", "w.body", "w.deciders"])
      .where("w.run_id", "in", runs)
      .where("w.matched", "is not", null)
      .orderBy("w.matched"),
  );
  const arrived = new Map<string, Arrived[]>();
  for (const { run_id, step, attempt, body, deciders } of rows) {
    const outcome = { kind: "event" as const, step, attempt, body: parseJson(body ?? "null") };
    arrived.set(run_id, [...(arrived.get(run_id) ?? []), { outcome, deciders: storedDeciders(deciders) }]);
  }
  return arrived;
}

/** Waits that have not caught up with earlier events, the oldest first; or those that have, for new events. */
export const listWaits = (ctx: QueryContext, behind: boolean, types: readonly string[] | null): Promise<WaitRow[]> =>
  all(
    ctx,
    select(ctx, "workflow_waits", "w")
      .selectAll("w")
      .where("w.behind", "=", behind)
      .where("w.matched", "is", null)
      .$if(types !== null, (query) => query.where("w.event_type", "in", types as string[]))
      .orderBy("w.run_id")
      .limit(behind ? mostBehind : mostOpen),
  );
/** Most waits that one match handles, of those behind and of those that a new event may end. */
export const mostBehind = 1_000;
const mostOpen = 50_000;

/** A wait with what its conditions read of its run. */
export interface LoadedWait extends OpenWait {
  readonly row: WaitRow;
  /** Whose permissions its run has. */
  readonly principal: string;
  readonly actor: unknown;
}

/** Waits with what their conditions read, without those of lost runs. */
export async function loadWaits(ctx: WaitContext, rows: readonly WaitRow[]): Promise<LoadedWait[]> {
  const loaded: LoadedWait[] = [];
  for (let from = 0; from < rows.length; from += atOnce)
    loaded.push(...(await loadSome(ctx, rows.slice(from, from + atOnce))));
  return loaded;
}

type WaitContext = QueryContext & Pick<CallContext, "facts">;

async function loadSome(ctx: WaitContext, rows: readonly WaitRow[]): Promise<LoadedWait[]> {
  const ids = [...new Set(rows.map(({ run_id }) => run_id))];
  const runs = await all(ctx, select(ctx, "workflow_runs", "r").selectAll("r").where("r.id", "in", ids));
  const plans = new Map<string, Plan | undefined>();
  for (const { version_id } of runs) {
    const plan = plans.get(version_id) ?? (await findPlan(ctx, version_id));
    plans.set(version_id, plan && withLiveOutputs(ctx, plan));
  }
  const open = rows.flatMap((row) => {
    const run = runs.find(({ id }) => id === row.run_id);
    const plan = run && plans.get(run.version_id);
    const wait = plan?.byId.get(row.step)?.step.wait;
    return run && plan && wait ? [{ row, run, plan, wait, reads: stepsIn(plan, wait) }] : [];
  });
  const steps = await readSteps(ctx, open);
  return open.map(({ row, run, plan, wait, reads }) => {
    const own = steps.get(run.id) ?? [];
    const state = stateOf(run, own);
    return {
      ...{
        row,
        wait,
        type: row.event_type,
        run: run.id,
        principal: run.principal,
        actor: run.actor,
        state: { ...state, ...givenOf(plan, state) },
        facts: Object.fromEntries(
          reads.map((id) => [id, factsOf(plan, id, state.steps.get(id) ?? { status: "pending", attempt: 0 })]),
        ),
      },
      since: row.since.getTime(),
      looked: row.looked,
    };
  });
}

/** Steps that the conditions of a wait name. */
function stepsIn(plan: Plan, wait: Wait): readonly string[] {
  const text = awaitedBy(wait)
    .map(({ where = "" }) => where)
    .join(" ");
  return [...new Set(text.match(/[a-z][a-z0-9_]*/g) ?? [])].filter((word) => plan.byId.has(word));
}

async function readSteps(
  ctx: QueryContext,
  open: readonly { readonly run: RunRow; readonly reads: readonly string[] }[],
): Promise<Map<string, StepRow[]>> {
  const reading = open.filter(({ reads }) => reads.length > 0);
  if (reading.length === 0) return new Map();
  const rows = await all(
    ctx,
    select(ctx, "workflow_steps", "s")
      .selectAll("s")
      .where("s.run_id", "in", [...new Set(reading.map(({ run }) => run.id))])
      .where("s.step", "in", [...new Set(reading.flatMap(({ reads }) => reads))]),
  );
  return Map.groupBy(rows, ({ run_id }) => run_id);
}

/** The result of a match: the event that ended a wait, or the position of one that is behind. */
export interface LookedAt {
  readonly row: WaitRow;
  readonly matched:
    | { readonly sequence: number; readonly body: unknown; readonly deciders: readonly Decider[] }
    | undefined;
  readonly looked: number;
  readonly behind: boolean;
}

export async function writeLooks({ scope, db }: WriteContext, looks: readonly LookedAt[]): Promise<void> {
  if (looks.length === 0) return;
  const rows = looks.map(({ row, matched, looked, behind }) => ({
    event_type: row.event_type,
    run_id: row.run_id,
    step: row.step,
    attempt: row.attempt,
    looked,
    behind,
    matched: matched?.sequence ?? null,
    body: matched ? JSON.stringify(matched.body ?? null) : null,
    deciders: matched && matched.deciders.length > 0 ? matched.deciders : null,
  }));
  await db.query(
    `update workflow_waits w set looked = n.looked, behind = n.behind, matched = n.matched, body = n.body, deciders = n.deciders
     from json_populate_recordset(null::workflow_waits, $3::json) n
     where w.organization = $1 and w.environment = $2 and w.event_type = n.event_type and w.run_id = n.run_id and w.step = n.step
       and w.attempt = n.attempt and w.matched is null`,
    [scope.organization, scope.environment, JSON.stringify(rows)],
  );
}

export async function isAwaited(ctx: QueryContext, run: string, type: string): Promise<boolean> {
  const waits = select(ctx, "workflow_waits", "w").select("w.step").where("w.run_id", "=", run);
  const open = waits.where("w.event_type", "=", type).where("w.matched", "is", null).limit(1);
  return (await all(ctx, open)).length > 0;
}
