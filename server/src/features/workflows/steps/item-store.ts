import type { Step } from "@aos/workflow";
import { all, first, select, sql, update } from "../../../db/scoped.ts";
import { type Decider, storedDeciders, unite } from "../../../kernel/actor.ts";
import type { WriteContext } from "../../../kernel/context.ts";
import type { QueryContext } from "../../../kernel/db.ts";
import { storedJson } from "../../../kernel/stored-json.ts";
import { isInDoubt } from "../../tasks/public.ts";
import { taskRows } from "../../tasks/shared-rows.ts";
import { childEnd, childInDoubt, endedRun, endedTask, outputOfTask, taskEnd } from "../runs/outcome-store.ts";
import { originOfRunSql } from "../runs/rules.ts";

/** One attempt of a loop. */
export interface LoopAt {
  readonly run: string;
  readonly step: string;
  readonly attempt: number;
}
const itemsAtOnce = 5_000;

const valuesOf = ({ scope }: QueryContext, { run, step, attempt }: LoopAt): unknown[] => [
  scope.organization,
  scope.environment,
  run,
  step,
  attempt,
];
const ofLoop = "i.organization = $1 and i.environment = $2 and i.run_id = $3 and i.step = $4 and i.attempt = $5";

/** Inserts a loop's items. Those that an earlier attempt completed are completed. */
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

/** Locks a loop; undefined if that attempt is over. */
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
  /** Null: it runs, or has not begun. */
  readonly end: ReturnType<typeof taskEnd> | null;
  /** Who decided its result. */
  readonly deciders: readonly Decider[];
}

/** The open items, in order: as many as run at once. */
export async function runningItems(ctx: QueryContext, at: LoopAt): Promise<RunningItem[]> {
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
     left join ${taskRows} t on t.organization = $1 and t.environment = $2 and t.id = i.task_id and t.status in ${endedTask}
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

const itemJson = storedJson<{ failure: { code: string; detail: string }; output: unknown }>();

function refusedEnd(refusal: string | null): RunningItem["end"] {
  const failure = itemJson({ failure: refusal }, "failure");
  return failure && { status: "failed", failure };
}

/** Stores why an item could not start; the loop's next advance ends the item by it. */
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

/** Begins the next items from a position on. Returns their positions. */
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

interface LoopCounts {
  readonly begun: number;
  readonly completed: number;
  readonly failed: number;
  readonly costUsd: number;
  /** Null: the loop goes on. */
  readonly result: object | null;
}

/** Stores the state of a loop. */
export async function writeLoop(ctx: WriteContext, { run, step }: LoopAt, counts: LoopCounts): Promise<void> {
  const changes = {
    items_begun: counts.begun,
    items_completed: counts.completed,
    items_failed: counts.failed,
    items_cost_usd: counts.costUsd,
    held: null,
    result: counts.result && JSON.stringify(counts.result),
  };
  await all(ctx, update(ctx, "workflow_steps").set(changes).where("run_id", "=", run).where("step", "=", step));
}

const ofItems = (ctx: QueryContext, { run, step, attempt }: LoopAt) =>
  select(ctx, "workflow_items", "i")
    .where("i.run_id", "=", run)
    .where("i.step", "=", step)
    .where("i.attempt", "=", attempt);

/** The first failures among a loop's items. */
async function failedItems(ctx: QueryContext, at: LoopAt, most: number) {
  const failed = ofItems(ctx, at).select(["i.number", "i.failure"]).where("i.failure", "is not", null);
  const rows = await all(ctx, failed.orderBy("i.number").limit(most));
  return rows.map(({ number, failure }) => ({
    index: number,
    ...itemJson({ failure: failure as string }, "failure"),
  }));
}

/** The first item with an unknown outcome. */
async function unknownItem(ctx: QueryContext, at: LoopAt): Promise<number | undefined> {
  const unknown = ofItems(ctx, at).select("i.number").where("i.status", "=", "outcome_unknown");
  return (await first(ctx, unknown.orderBy("i.number").limit(1)))?.number;
}

/** The outputs of the items in order, null for one that did not complete; undefined if longer than `mostBytes`. */
export async function outputsOf(ctx: QueryContext, at: LoopAt, mostBytes: number): Promise<unknown[] | undefined> {
  const size = ofItems(ctx, at).select(sql<number>`coalesce(sum(length(i.output) + 1), 0)::int`.as("bytes"));
  if (((await first(ctx, size))?.bytes ?? 0) > mostBytes) return undefined;
  const rows = await all(ctx, ofItems(ctx, at).select(["i.output"]).orderBy("i.number"));
  return rows.map((row) => itemJson(row, "output"));
}

/** Tokens of a loop's tasks and runs. */
export async function tokensOf(ctx: QueryContext, at: LoopAt): Promise<number> {
  const [row] = await ctx.db.query<{ tokens: number }>(
    `select coalesce(sum(coalesce(t.tokens, r.tokens)), 0)::int as tokens from workflow_items i
     left join ${taskRows} t on t.organization = $1 and t.environment = $2 and t.id = i.task_id
     left join workflow_runs r on r.organization = $1 and r.environment = $2 and r.id = i.child_run
     where ${ofLoop} and i.cost_usd is not null`,
    valuesOf(ctx, at),
  );
  return row?.tokens ?? 0;
}

/** A running item of a loop. */
export const findItem = (ctx: QueryContext, at: LoopAt, number: number) =>
  first(
    ctx,
    ofItems(ctx, at)
      .select(["i.number", "i.item", "i.status", "i.task_id", "i.child_run"])
      .where("i.number", "=", number),
  );

/** Stores the task or run of an item, if it runs and has none yet. */
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

/** A loop's own output has its items' outputs up to this size; longer ones are read by pages. */
const mostOutputBytes = 256 * 1024;
const mostFailuresShown = 20;

interface LoopEnd {
  readonly total: number;
  readonly completed: number;
  readonly failed: number;
  readonly costUsd: number;
  readonly takenBack: boolean;
  /** Attempts since the run was last retried from the loop, or since its start. */
  readonly tries: number;
}

/** The outcome of a loop's step. A loop that collects failures fails only while another attempt is due, which repeats what failed. */
export async function resultOf(
  ctx: QueryContext,
  at: LoopAt,
  { for_each, retry }: Step,
  end: LoopEnd,
): Promise<object> {
  const { total, completed, failed, costUsd, takenBack, tries } = end;
  const used = { costUsd, tokens: await tokensOf(ctx, at) };
  if (takenBack)
    return { status: "cancelled", ...used, failure: { code: "cancelled", detail: "The loop was taken back." } };
  const failures = failed > 0 ? await failedItems(ctx, at, mostFailuresShown) : [];
  const unknown = failed > 0 ? await unknownItem(ctx, at) : undefined;
  const first = failures.find(({ code }) => code !== "cancelled" && !retry?.not_on?.includes(code));
  // Another attempt might repeat a write.
  if (unknown !== undefined && for_each?.on_error !== "collect") {
    const failure = { code: "outcome_unknown", detail: `item ${unknown}: Nobody knows whether it was done.` };
    return { status: "outcome_unknown", ...used, failure };
  }
  const isRepeated = unknown === undefined && first !== undefined && tries < (retry?.attempts ?? 1);
  if (failed > 0 && (for_each?.on_error !== "collect" || isRepeated)) {
    const { index, code, detail } = first ??
      failures[0] ?? { index: 0, code: "failed", detail: "It did not complete." };
    return { status: "failed", ...used, failure: { code, detail: `item ${index}: ${detail}` } };
  }
  const outputs = await outputsOf(ctx, at, mostOutputBytes);
  const output = { total, completed, failed, ...(failed > 0 && { failures }), ...(outputs && { outputs }) };
  return { status: "completed", ...used, output };
}
