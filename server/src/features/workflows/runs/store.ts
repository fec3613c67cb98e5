import { all, first, select, sql, update } from "../../../db/scoped.ts";
import { type Decider, storableDeciders, storedDeciders, unite } from "../../../kernel/actor.ts";
import type { WriteContext } from "../../../kernel/context.ts";
import { defineLoader, type QueryContext, type Reader } from "../../../kernel/db.ts";
import { isId } from "../../../kernel/ids.ts";
import { noteItem } from "../steps/item-store.ts";
import { isLooked, type UnlookedFound, unlookedOf, unlookedSql } from "../versions/deciders.ts";
import { findVersion } from "../versions/plans.ts";
import { type KnownRun, keptRun } from "./cache.ts";
import { decidersOfRows } from "./deciders.ts";
import { type RunRow, type StepRow, stateOf } from "./rules.ts";

const runById = defineLoader<RunRow>(
  "workflow run by id",
  "select id as loader_key, * from workflow_runs where organization = $1 and environment = $2 and id = any($3::text[])",
);

export async function findRun(ctx: QueryContext & { readonly db: Reader }, id: string): Promise<RunRow | undefined> {
  return isId(id, "wfr") ? ctx.db.load(runById, ctx.scope, id) : undefined;
}

export const findStep = (ctx: QueryContext, run: string, step: string): Promise<StepRow | undefined> =>
  first(ctx, select(ctx, "workflow_steps", "s").selectAll("s").where("s.run_id", "=", run).where("s.step", "=", step));

/** A step, with the unconfirmed deciders of its run's version. */
export async function findStepToStart(
  ctx: QueryContext,
  { row, version }: KnownRun,
  step: string,
): Promise<{ readonly step: StepRow; readonly unlooked: readonly Decider[] } | undefined> {
  const { organization, environment } = ctx.scope;
  const looked = isLooked(ctx, version.id);
  const rows = await ctx.db.query<StepRow & { found: UnlookedFound | null }>(
    `select s.*, ${looked ? "null" : unlookedSql("$5::text", "$6::int")} as found from workflow_steps s
     where s.organization = $1 and s.environment = $2 and s.run_id = $3 and s.step = $4`,
    [organization, environment, row.id, step, ...(looked ? [] : [version.workflow, version.number])],
  );
  if (!rows[0]) return undefined;
  const { found, ...stored } = rows[0];
  return { step: stored, unlooked: found === null ? [] : unlookedOf(ctx, version.id, found) };
}

/** Runs locked in the order of their ids. What this process has cached is not read again. */
export async function lockRuns(ctx: WriteContext, runs: readonly string[]): Promise<KnownRun[]> {
  const heads = await all(
    ctx,
    select(ctx, "workflow_runs", "r")
      .select(["r.id", "r.revision"])
      .where("r.id", "in", [...runs])
      .orderBy("r.id")
      .forUpdate(),
  );
  return knownRuns(ctx, heads);
}

/** A run as committed last. */
export async function readRun(ctx: QueryContext, id: string): Promise<KnownRun | undefined> {
  const head = select(ctx, "workflow_runs", "r").select(["r.id", "r.revision"]).where("r.id", "=", id);
  return (await knownRuns(ctx, await all(ctx, head)))[0];
}

async function knownRuns(ctx: QueryContext, heads: readonly { id: string; revision: number }[]): Promise<KnownRun[]> {
  const kept = heads.map(({ id, revision }) => keptRun(ctx.scope, id, revision));
  const missing = heads.filter((_head, at) => kept[at] === undefined).map(({ id }) => id);
  const read = new Map((await loadRuns(ctx, missing)).map((known) => [known.row.id, known]));
  return heads.flatMap(({ id }, at) => kept[at] ?? read.get(id) ?? []);
}

async function loadRuns(ctx: QueryContext, ids: readonly string[]): Promise<KnownRun[]> {
  if (ids.length === 0) return [];
  const rows = await all(ctx, select(ctx, "workflow_runs", "r").selectAll("r").where("r.id", "in", ids));
  const steps = await all(
    ctx,
    select(ctx, "workflow_steps", "s").selectAll("s").where("s.run_id", "in", ids).orderBy("s.changed_as"),
  );
  const byRun = Map.groupBy(steps, ({ run_id }) => run_id);
  const known: KnownRun[] = [];
  for (const row of rows) {
    const version = await findVersion(ctx, row.version_id);
    const own = byRun.get(row.id) ?? [];
    if (version) known.push({ row, version, state: stateOf(row, own), deciders: decidersOfRows(own) });
  }
  return known;
}

/** Work of an open step: make its task or run, cancel one, or advance its loop. */
export interface StepWork {
  readonly run: string;
  readonly step: string;
  readonly attempt: number;
  readonly act: "start" | "child" | "cancel" | "loop";
  /** Of an item of a loop. */
  readonly item: "start" | "child";
  readonly startedAt: Date | null;
}

/** The work of runs by their rows, so that none is lost if a process dies after a commit. */
export async function findWork({ scope, db }: QueryContext, runs: readonly string[]): Promise<StepWork[]> {
  return db.query<StepWork>(
    `select run_id as run, step, attempt, started_at as "startedAt", case when undo = 'running' then 'start' when items is not null then 'loop'
       when taken_back then 'cancel' when kind = 'workflow' then 'child' else 'start' end as act,
       case kind when 'workflow' then 'child' else 'start' end as item
     from workflow_steps where organization = $1 and environment = $2 and run_id = any($3::text[]) and (status in ('running', 'waiting') or undo = 'running')
       and refusal is null and case
         when undo = 'running' then undo_task is null
         when kind not in ('agent', 'tool', 'approval', 'workflow') then false
         when items is not null then result is null
         when taken_back then task_id is not null or child_run is not null
         else task_id is null and child_run is null end
     order by changed_as`,
    [scope.organization, scope.environment, runs],
  );
}

type At = Pick<StepRow, "run_id" | "step" | "attempt" | "undo"> & { readonly item?: number | undefined };
interface MadeTask {
  readonly id: string;
  /** Who decided what it works with, and so its result. */
  readonly content: readonly Decider[];
}

/** Stores the task of a step that has none. False if another process was faster, or the step is over or no longer wanted. */
export async function noteTask(
  ctx: WriteContext,
  at: At & Pick<StepRow, "deciders">,
  { id: task_id, content }: MadeTask,
): Promise<boolean> {
  const { run_id, step, attempt, undo, item } = at;
  const own = { run: run_id, step, attempt };
  if (item !== undefined) return noteItem(ctx, own, item, { task_id, deciders: storableDeciders(content) });
  const deciders = storableDeciders(unite(storedDeciders(at.deciders), content));
  const query = update(ctx, "workflow_steps")
    .set(undo === "running" ? { undo_task: task_id, held: null } : { task_id, deciders, held: null })
    .where("run_id", "=", run_id)
    .where("step", "=", step)
    .where("attempt", "=", attempt)
    .where(undo === "running" ? "undo_task" : "task_id", "is", null)
    .where("refusal", "is", null);
  const open =
    undo === "running"
      ? query.where("undo", "=", "running")
      : query.where("status", "in", ["running", "waiting"]).where("taken_back", "=", false);
  return (await all(ctx, open.returning(sql<number>`1`.as("noted")))).length === 1;
}

/** Whether a step or an item has no task yet; locks its row. */
export async function lockTaskless(
  ctx: WriteContext,
  { run_id, step, attempt, item }: Omit<At, "undo">,
): Promise<boolean> {
  if (item !== undefined) {
    const items = select(ctx, "workflow_items", "i").select("i.number").where("i.run_id", "=", run_id);
    const its = items.where("i.step", "=", step).where("i.attempt", "=", attempt).where("i.number", "=", item);
    return (await all(ctx, its.where("i.task_id", "is", null).forUpdate())).length === 1;
  }
  const steps = select(ctx, "workflow_steps", "s").select("s.step").where("s.run_id", "=", run_id);
  const its = steps.where("s.step", "=", step).where("s.attempt", "=", attempt);
  return (await all(ctx, its.where("s.task_id", "is", null).forUpdate())).length === 1;
}

/** Stores the run of a step, under the same conditions. */
export async function noteChild(
  ctx: WriteContext,
  { run_id, step, attempt, item }: Omit<At, "undo">,
  child: string,
): Promise<boolean> {
  if (item !== undefined) return noteItem(ctx, { run: run_id, step, attempt }, item, { child_run: child });
  const query = update(ctx, "workflow_steps")
    .set({ child_run: child })
    .where("run_id", "=", run_id)
    .where("step", "=", step)
    .where("attempt", "=", attempt)
    .where("status", "in", ["running", "waiting"])
    .where("taken_back", "=", false)
    .where("child_run", "is", null)
    .where("refusal", "is", null);
  return (await all(ctx, query.returning("step"))).length === 1;
}

/** An attempt of a step for which nothing was made. */
interface Unmade {
  readonly run: string;
  readonly step: string;
  readonly attempt: number;
}

const ofUnmade = (
  query: ReturnType<ReturnType<typeof update<"workflow_steps">>["set"]>,
  { run, step, attempt }: Unmade,
) =>
  query
    .where("run_id", "=", run)
    .where("step", "=", step)
    .where("attempt", "=", attempt)
    .where((is) =>
      is.or([
        is.and([is("undo", "=", "running"), is("undo_task", "is", null)]),
        is.and([is("status", "in", ["running", "waiting"]), is("task_id", "is", null), is("child_run", "is", null)]),
      ]),
    );

/** Stores why no task could be made for a begun step; the next advance ends the step by it. A task that another process made meanwhile counts. */
export async function noteRefusal(ctx: WriteContext, at: Unmade, failure: object): Promise<void> {
  const query = update(ctx, "workflow_steps").set({ refusal: JSON.stringify(failure) });
  await all(ctx, ofUnmade(query, at));
}

/** Stores why a step's start is delayed. */
export async function noteHeld(ctx: QueryContext, at: Unmade, why: object): Promise<void> {
  const query = update(ctx, "workflow_steps").set({ held: JSON.stringify(why) });
  await all(ctx, ofUnmade(query, at));
}
