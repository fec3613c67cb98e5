import { all, first, select, sql, update } from "../../db/scoped.ts";
import { type Decider, storedDeciders, unite } from "../../kernel/actor.ts";
import type { WriteContext } from "../../kernel/context.ts";
import { isInDoubt } from "../tasks/public.ts";
import { originOfRunSql } from "./origins.ts";
import type { Looking } from "./plans.ts";
import { childEnd, childInDoubt, endedRun, endedTask, outputOfTask, taskEnd } from "./run-outcomes.ts";

/** One attempt of a loop. */
export interface LoopAt {
  readonly run: string;
  readonly step: string;
  readonly attempt: number;
}
const itemsAtOnce = 5_000;

const valuesOf = ({ scope }: Looking, { run, step, attempt }: LoopAt): unknown[] => [
  ...[scope.organization, scope.environment, run, step, attempt],
];
const ofLoop = "i.organization = $1 and i.environment = $2 and i.run_id = $3 and i.step = $4 and i.attempt = $5";

/** Writes a loop's items down. Those that an earlier attempt has done are done. */
export async function insertItems(ctx: WriteContext, at: LoopAt, items: readonly unknown[]): Promise<void> {
  for (let from = 0; from < items.length; from += itemsAtOnce)
    await ctx.db.query(
      `insert into workflow_items (organization, environment, run_id, step, attempt, number, item)
       select $1, $2, $3, $4, $5, $6::int + n - 1, item from unnest($7::text[]) with ordinality as x(item, n)`,
      [...valuesOf(ctx, at), from, items.slice(from, from + itemsAtOnce).map((item) => JSON.stringify(item))],
    );
  if (at.attempt === 1) return;
  await ctx.db.query(
    `with done as (
       update workflow_items i set status = 'completed', output = o.output, task_id = o.task_id, child_run = o.child_run, deciders = o.deciders
       from workflow_items o
       where ${ofLoop} and o.organization = $1 and o.environment = $2 and o.run_id = $3 and o.step = $4 and o.attempt = $5 - 1
         and o.number = i.number and o.status = 'completed' and o.item = i.item
       returning 1)
     update workflow_steps s set items_completed = (select count(*) from done)
     where s.organization = $1 and s.environment = $2 and s.run_id = $3 and s.step = $4`,
    valuesOf(ctx, at),
  );
}

/** A loop's row, locked until the transaction ends; undefined where that attempt is not under way. */
export const lockLoop = (ctx: WriteContext, { run, step, attempt }: LoopAt) =>
  first(
    ctx,
    select(ctx, "workflow_steps", "s")
      .select(["s.items", "s.items_begun", "s.items_completed", "s.items_failed", "s.items_cost_usd", "s.taken_back"])
      .where("s.run_id", "=", run)
      .where("s.step", "=", step)
      .where("s.attempt", "=", attempt)
      .where("s.status", "=", "running")
      .where("s.items", "is not", null)
      .where("s.result", "is", null)
      .forUpdate(),
  );

export interface RunningItem {
  readonly number: number;
  readonly task_id: string | null;
  readonly child_run: string | null;
  /** How it has ended; null: it runs, or has not begun. */
  readonly end: ReturnType<typeof taskEnd> | null;
  /** Who decided what it has come to. */
  readonly deciders: readonly Decider[];
}

/** The items that are under way, in their order: as many as run at once. */
export async function runningItems(ctx: Looking, at: LoopAt): Promise<RunningItem[]> {
  const rows = await ctx.db.query<
    Parameters<typeof taskEnd>[1] &
      Parameters<typeof childEnd>[1] & {
        number: number;
        task_id: string | null;
        child_run: string | null;
        task: Parameters<typeof taskEnd>[0] | null;
        child: string | null;
        refusal: string | null;
        deciders: unknown;
      }
  >(
    `select i.number, i.task_id, i.child_run, i.failure as refusal, t.status as task, ${outputOfTask} as task_output, t.failure as task_failure, t.trust_score,
       null::float8 as trust_low, t.cost_usd as task_cost, ${isInDoubt(`${originOfRunSql} || ' ' || i.step || ' ' || i.number`, "i")} as in_doubt,
       c.status as child, c.output as child_output, c.failure as child_failure, c.cost_usd as child_cost,
       ${childInDoubt} as child_in_doubt, coalesce(i.deciders, '[]') || coalesce(t.deciders, c.output_deciders, '[]') as deciders
     from workflow_items i
     join workflow_runs r on r.organization = i.organization and r.environment = i.environment and r.id = i.run_id
     left join tasks t on t.organization = $1 and t.environment = $2 and t.id = i.task_id and t.status in ${endedTask}
     left join workflow_runs c on c.organization = $1 and c.environment = $2 and c.id = i.child_run and c.status in ${endedRun}
     where ${ofLoop} and i.status = 'running' order by i.number`,
    valuesOf(ctx, at),
  );
  return rows.map(({ number, task_id, child_run, task, child, refusal, deciders, ...row }) => {
    const ended = task !== null ? taskEnd(task, row) : child !== null ? childEnd(child, row) : refusedEnd(refusal);
    const isOpen = ended !== null && ended.status !== "completed" && row.in_doubt;
    const end = isOpen ? { ...ended, status: "outcome_unknown" as const } : ended;
    return { number, task_id, child_run, end, deciders: unite(storedDeciders(deciders)) };
  });
}

const refusedEnd = (refusal: string | null): RunningItem["end"] =>
  refusal === null ? null : { status: "failed", failure: JSON.parse(refusal) as { code: string; detail: string } };

/** Says why nothing could be started for an item; the loop's next look takes it as the item's end. */
export async function refuseItem(
  ctx: WriteContext,
  { run, step, attempt }: LoopAt,
  number: number,
  failure: object,
): Promise<void> {
  const query = update(ctx, "workflow_items")
    .set({ failure: JSON.stringify(failure) })
    .where("run_id", "=", run)
    .where("step", "=", step)
    .where("attempt", "=", attempt);
  const open = query.where("number", "=", number).where("status", "=", "running");
  await all(ctx, open.where("task_id", "is", null).where("child_run", "is", null));
}

/** Notes how items have ended. */
export async function endItems(
  ctx: WriteContext,
  at: LoopAt,
  ended: readonly Pick<
    RunningItem & { readonly end: NonNullable<RunningItem["end"]> },
    "number" | "end" | "deciders"
  >[],
): Promise<void> {
  if (ended.length === 0) return;
  const rows = ended.map(({ number, deciders, end: { status, output, failure, costUsd } }) => ({
    number,
    status,
    deciders: deciders.length === 0 ? null : deciders,
    output: output === undefined ? null : JSON.stringify(output),
    failure: failure === undefined ? null : JSON.stringify(failure),
    cost_usd: costUsd ?? null,
  }));
  await ctx.db.query(
    `update workflow_items i set status = r.status, output = r.output, failure = r.failure, cost_usd = r.cost_usd, deciders = r.deciders
     from json_populate_recordset(null::workflow_items, $6::json) r where ${ofLoop} and i.number = r.number`,
    [...valuesOf(ctx, at), JSON.stringify(rows)],
  );
}

/** Begins the next items from a position on. Answers their positions. */
export async function beginItems(ctx: WriteContext, at: LoopAt, from: number, count: number): Promise<number[]> {
  if (count <= 0) return [];
  const rows = await ctx.db.query<{ number: number }>(
    `update workflow_items i set status = 'running' from (
       select n.number from workflow_items n where n.organization = $1 and n.environment = $2 and n.run_id = $3 and n.step = $4 and n.attempt = $5
         and n.number >= $6 and n.status = 'pending' order by n.number limit $7) next
     where ${ofLoop} and i.number = next.number returning i.number`,
    [...valuesOf(ctx, at), from, count],
  );
  return rows.map(({ number }) => number).sort((a, b) => a - b);
}

export interface LoopCounts {
  readonly begun: number;
  readonly completed: number;
  readonly failed: number;
  readonly costUsd: number;
  /** What the loop came to; null: it goes on. */
  readonly result: object | null;
}

/** Writes where a loop stands. */
export async function writeLoop(ctx: WriteContext, { run, step }: LoopAt, counts: LoopCounts): Promise<void> {
  const changes = {
    ...{ items_begun: counts.begun, items_completed: counts.completed, items_failed: counts.failed },
    items_cost_usd: counts.costUsd,
    held: null,
    result: counts.result && JSON.stringify(counts.result),
  };
  await all(ctx, update(ctx, "workflow_steps").set(changes).where("run_id", "=", run).where("step", "=", step));
}

const ofItems = (ctx: Looking, { run, step, attempt }: LoopAt) =>
  select(ctx, "workflow_items", "i")
    .where("i.run_id", "=", run)
    .where("i.step", "=", step)
    .where("i.attempt", "=", attempt);

/** The first failures among a loop's items. */
export async function failedItems(ctx: Looking, at: LoopAt, most: number) {
  const failed = ofItems(ctx, at).select(["i.number", "i.failure"]).where("i.failure", "is not", null);
  const rows = await all(ctx, failed.orderBy("i.number").limit(most));
  return rows.map(({ number, failure }) => ({
    ...{ index: number },
    ...(JSON.parse(failure as string) as { code: string; detail: string }),
  }));
}

/** The first item of which nobody knows whether it was done; undefined: none. */
export async function unknownItem(ctx: Looking, at: LoopAt): Promise<number | undefined> {
  const unknown = ofItems(ctx, at).select("i.number").where("i.status", "=", "outcome_unknown");
  return (await first(ctx, unknown.orderBy("i.number").limit(1)))?.number;
}

/** What the items came to, in their order, null where one did not complete; undefined where that is longer than `mostBytes`. */
export async function outputsOf(ctx: Looking, at: LoopAt, mostBytes: number): Promise<unknown[] | undefined> {
  const size = ofItems(ctx, at).select(sql<number>`coalesce(sum(length(i.output) + 1), 0)::int`.as("bytes"));
  if (((await first(ctx, size))?.bytes ?? 0) > mostBytes) return undefined;
  const rows = await all(ctx, ofItems(ctx, at).select(["i.output"]).orderBy("i.number"));
  return rows.map(({ output }) => (output === null ? null : JSON.parse(output)));
}

/** What the tasks and runs of a loop's items have used. */
export async function tokensOf(ctx: Looking, at: LoopAt): Promise<number> {
  const [row] = await ctx.db.query<{ tokens: number }>(
    `select coalesce(sum(coalesce(t.tokens, r.tokens)), 0)::int as tokens from workflow_items i
     left join tasks t on t.organization = $1 and t.environment = $2 and t.id = i.task_id
     left join workflow_runs r on r.organization = $1 and r.environment = $2 and r.id = i.child_run
     where ${ofLoop} and i.cost_usd is not null`,
    valuesOf(ctx, at),
  );
  return row?.tokens ?? 0;
}

/** An item of a loop that runs. */
export const findItem = (ctx: Looking, at: LoopAt, number: number) =>
  first(
    ctx,
    ofItems(ctx, at)
      .select(["i.number", "i.item", "i.status", "i.task_id", "i.child_run"])
      .where("i.number", "=", number),
  );

/** Notes what carries an item out, if it runs and has nothing yet. */
export async function noteItem(
  ctx: WriteContext,
  { run, step, attempt }: LoopAt,
  number: number,
  by: { readonly task_id: string; readonly deciders: string | null } | { readonly child_run: string },
): Promise<boolean> {
  const query = update(ctx, "workflow_items")
    .set(by)
    .where("run_id", "=", run)
    .where("step", "=", step)
    .where("attempt", "=", attempt)
    .where("number", "=", number)
    .where("status", "=", "running")
    .where("task_id", "is", null)
    .where("child_run", "is", null)
    .where("failure", "is", null);
  return (await all(ctx, query.returning("number"))).length === 1;
}
