import { isRunOver, type Plan, type RunState } from "@aos/workflow";
import { all, first, select, sql, update } from "../../../db/scoped.ts";
import { type Decider, storableDeciders, storedDeciders, unite } from "../../../kernel/actor.ts";
import { timestamp } from "../../../kernel/clock.ts";
import type { WriteContext } from "../../../kernel/context.ts";
import { stepRows, taskRows } from "../../tasks/shared-rows.ts";
import { unlooked } from "../versions/deciders.ts";
import { type RunRow, runChanges, type StepRow, stepColumns } from "./rules.ts";
import { endWaits } from "./wait-store.ts";

/** The run and its steps, locked. */
export async function lockWhole(ctx: WriteContext, id: string): Promise<{ row: RunRow; steps: StepRow[] } | undefined> {
  const row = await first(ctx, select(ctx, "workflow_runs", "r").selectAll("r").where("r.id", "=", id).forUpdate());
  if (!row) return undefined;
  const steps = select(ctx, "workflow_steps", "s").selectAll("s").where("s.run_id", "=", id).orderBy("s.changed_as");
  return { row, steps: await all(ctx, steps) };
}

interface Intervention {
  readonly before: RunState;
  readonly after: RunState;
  /** Who gave input for a step, as part of the run's input. */
  readonly input: readonly Decider[];
  /** Who decided the results of skipped steps. */
  readonly skipped: readonly Decider[];
}

/** Stores an intervention in a run. Attempts that it ends are recorded. */
export async function writeControl(
  ctx: WriteContext,
  plan: Plan,
  row: RunRow,
  { before, after, input, skipped }: Intervention,
): Promise<void> {
  const changed = [...after.steps].filter(([id, step]) => before.steps.get(id) !== step);
  const rows = changed.map(([step, state], at) => ({
    run_id: row.id,
    step,
    kind: plan.byId.get(step)?.kind ?? "set",
    changed_as: row.revision * 100_000 + at,
    ...stepColumns(state, ctx.now),
    deciders: state.status === "skipped" ? skipped : null,
  }));
  for (let from = 0; from < rows.length; from += 500) await writeSteps(ctx, rows.slice(from, from + 500));
  if (changed.length > 0) {
    const ids = changed.map(([step]) => step);
    await endWaits(ctx, row.id, ids);
  }
  await forgetItems(ctx, plan, row.id, { before, after });
  const isOver = isRunOver(after.status);
  const goesOn = after.status === "running" || (after.status === "paused" && after.asked === undefined);
  const status = goesOn && mayQueue(row, after) ? "queued" : after.status;
  const changes = {
    ...runChanges(after, row.wake_at?.getTime() ?? null, ctx.now),
    ...(!isOver && { finished_at: null, output: null, failure: null }),
    status,
    ...(input.length > 0 && { input_deciders: storableDeciders(unite(storedDeciders(row.input_deciders), input)) }),
    revision: row.revision + 1,
  };
  await all(ctx, update(ctx, "workflow_runs").set(changes).where("id", "=", row.id));
}

/** Records who did what with a run, and why. Returns its row. */
export async function noteIntervention(
  ctx: WriteContext,
  run: string,
  action: string,
  reason: string | undefined,
): Promise<RunRow> {
  const text = JSON.stringify({ action, by: ctx.principal.id, at: timestamp(ctx.now), reason: reason ?? null });
  const query = update(ctx, "workflow_runs").set({ intervention: text }).where("id", "=", run);
  return (await first(ctx, query.returningAll())) as RunRow;
}

/**
 * A loop that is begun again does not repeat items that have completed: right for one that failed, not for one that had completed, nor where something before it is done
 * again.
 */
async function forgetItems(
  ctx: WriteContext,
  plan: Plan,
  run: string,
  { before, after }: { readonly before: RunState; readonly after: RunState },
): Promise<void> {
  const isReset = (id: string): boolean =>
    after.steps.get(id)?.status === "pending" && before.steps.get(id) !== after.steps.get(id);
  const loops = plan.steps
    .filter(({ id, step }) => step.for_each && isReset(id))
    .filter(({ id, needs }) => before.steps.get(id)?.status === "completed" || needs.some(isReset))
    .map(({ id }) => id);
  if (loops.length === 0) return;
  const items = update(ctx, "workflow_items").set({ status: "superseded" }).where("status", "=", "completed");
  await all(ctx, items.where("run_id", "=", run).where("step", "in", loops));
}

/** A reopened run queues like a new one. */
const mayQueue = (row: RunRow, { begun }: RunState): boolean =>
  row.concurrency_key !== null && (row.finished_at !== null || begun === 0);

type Written = ReturnType<typeof stepColumns> & { readonly run_id: string; readonly step: string };

async function writeSteps({ scope, db }: WriteContext, rows: readonly Written[]): Promise<void> {
  const values = [scope.organization, scope.environment, JSON.stringify(rows)];
  const same = "s.organization = $1 and s.environment = $2 and s.run_id = r.run_id and s.step = r.step";
  await db.query(
    `insert into workflow_attempts (organization, environment, run_id, step, attempt, status, task_id, child_run, failure, started_at, finished_at)
     select s.organization, s.environment, s.run_id, s.step, s.attempt, s.status, s.task_id, s.child_run, s.failure, s.started_at, s.finished_at
     from json_populate_recordset(null::workflow_steps, $3::json) r join workflow_steps s on ${same}
     where r.status = 'pending' and s.attempt > 0 and s.status <> 'pending' on conflict do nothing`,
    values,
  );
  const names = Object.keys(rows[0] as object);
  const set = names.filter((name) => !["run_id", "step", "kind", "deciders"].includes(name));
  await db.query(
    `insert into workflow_steps as s (organization, environment, ${names.join(", ")})
     select $1, $2, ${names.map((name) => `r.${name}`).join(", ")} from json_populate_recordset(null::workflow_steps, $3::json) r
     on conflict (organization, environment, run_id, step) do update set ${set.map((name) => `${name} = excluded.${name}`).join(", ")},
       deciders = case when excluded.status <> 'pending' then coalesce(excluded.deciders, s.deciders) end,
       refusal = null, undo_task = case when excluded.undo is not null then s.undo_task end,
       task_id = case when excluded.status <> 'pending' then s.task_id end,
       child_run = case when excluded.status <> 'pending' then s.child_run end`,
    values,
  );
}

/** Moves a run to another version. The unconfirmed deciders of the former version decided what its steps came to. */
export async function writeMigration(
  ctx: WriteContext,
  row: RunRow,
  version: { readonly number: number; readonly id: string },
  steps: readonly StepRow[],
): Promise<void> {
  const earlier = await unlooked(ctx, { workflow: row.workflow, number: row.version_number });
  if (earlier.length > 0)
    await noteDeciders(
      ctx,
      row.id,
      steps.map(({ step, deciders }) => ({ step, deciders: unite(storedDeciders(deciders), earlier) })),
    );
  const changes = { version_number: version.number, version_id: version.id, revision: row.revision + 1 };
  const query = update(ctx, "workflow_runs").set({ ...changes, updated_at: new Date(ctx.now) });
  await all(ctx, query.where("id", "=", row.id));
}

async function noteDeciders(
  { scope, db }: WriteContext,
  run: string,
  steps: readonly { readonly step: string; readonly deciders: readonly Decider[] }[],
): Promise<void> {
  await db.query(
    `update workflow_steps s set deciders = n.deciders from json_populate_recordset(null::workflow_steps, $4::json) n
     where s.organization = $1 and s.environment = $2 and s.run_id = $3 and s.step = n.step`,
    [scope.organization, scope.environment, run, JSON.stringify(steps)],
  );
}

/** Of these steps, those with successful writes that were not undone, sub-workflows included. */
export async function findWrites(ctx: WriteContext, run: string, steps: readonly string[]): Promise<string[]> {
  const { organization, environment } = ctx.scope;
  const rows = await ctx.db.query<{ step: string }>(
    `with recursive within as (
       select s.run_id as id, s.step, s.step as top, coalesce(s.undo = 'done', false) as undone, s.undo_task from workflow_steps s
       where s.organization = $1 and s.environment = $2 and s.run_id = $3 and s.step = any($4::text[])
     ), below as (
       select r.id, w.top from within w join workflow_runs r
         on r.organization = $1 and r.environment = $2 and r.parent_run = w.id and r.parent_step = w.step and r.status <> 'compensated' where not w.undone
       union all
       select r.id, b.top from below b join workflow_runs r
         on r.organization = $1 and r.environment = $2 and r.parent_run = b.id and r.status <> 'compensated'
     ), did as (
       select t.id, w.top from within w join ${taskRows} t on t.organization = $1 and t.environment = $2 and t.run_id = w.id and t.run_step = w.step
         and t.id is distinct from w.undo_task where not w.undone
       union all
       select t.id, b.top from below b join ${taskRows} t on t.organization = $1 and t.environment = $2 and t.run_id = b.id
     )
     select distinct d.top as step from did d where exists (select from ${stepRows} x where x.organization = $1 and x.environment = $2
       and x.task_id = d.id and x.action is not null and x.state = 'finished')`,
    [organization, environment, run, steps],
  );
  return rows.map(({ step }) => step);
}

/** Settles a dead letter; false if there is none. */
export async function settleLetter(ctx: WriteContext, run: string): Promise<boolean> {
  const query = update(ctx, "workflow_dead_letters")
    .set({ settled_at: new Date(ctx.now), settled_by: ctx.principal.id })
    .where("run_id", "=", run)
    .where("settled_at", "is", null);
  return (await all(ctx, query.returning(sql<number>`1`.as("settled")))).length > 0;
}

/** Ends the open items of a loop; returns their tasks and runs. */
export async function takeItems(
  ctx: WriteContext,
  { run, step, attempt }: { readonly run: string; readonly step: string; readonly attempt: number },
): Promise<{ task_id: string | null; child_run: string | null }[]> {
  const query = update(ctx, "workflow_items")
    .set({ status: "cancelled" })
    .where("run_id", "=", run)
    .where("step", "=", step)
    .where("attempt", "=", attempt)
    .where("status", "in", ["pending", "running"]);
  return all(ctx, query.returning(["task_id", "child_run"]));
}
