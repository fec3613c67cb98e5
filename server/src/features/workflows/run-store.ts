import type { Action, Advanced, Command, Outcome, Plan } from "@aos/workflow";
import { all, first, insert, remove, select, sql, update } from "../../db/scoped.ts";
import type { WriteContext } from "../../kernel/context.ts";
import { defineLoader, type Reader } from "../../kernel/db.ts";
import { isId } from "../../kernel/ids.ts";
import type { Looking } from "./plans.ts";
import { type RunRow, runChanges, type StepRow, stepColumns } from "./run-state.ts";

const runById = defineLoader<RunRow>(
  "workflow run by id",
  "select id as loader_key, * from workflow_runs where organization = $1 and environment = $2 and id = any($3::text[])",
);

/** A run of the call's environment. */
export async function findRun(ctx: Looking & { readonly db: Reader }, id: string): Promise<RunRow | undefined> {
  return isId(id, "wfr") ? ctx.db.load(runById, ctx.scope, id) : undefined;
}

/** The run, locked until the transaction ends. */
export const lockRun = (ctx: WriteContext, id: string): Promise<RunRow | undefined> =>
  first(ctx, select(ctx, "workflow_runs", "r").selectAll("r").where("r.id", "=", id).forUpdate());

export const listSteps = (ctx: Looking, run: string): Promise<StepRow[]> =>
  all(ctx, select(ctx, "workflow_steps", "s").selectAll("s").where("s.run_id", "=", run).orderBy("s.changed_as"));

export const findStep = (ctx: Looking, run: string, step: string): Promise<StepRow | undefined> =>
  first(ctx, select(ctx, "workflow_steps", "s").selectAll("s").where("s.run_id", "=", run).where("s.step", "=", step));

interface EndedTask {
  readonly step: string;
  readonly attempt: number;
  readonly undo: boolean;
  readonly status: string;
  readonly output: string | null;
  readonly failure: string | null;
  readonly trust_score: number;
  readonly trust_low: number;
  readonly cost_usd: number;
}

/** How the tasks of steps that are under way have ended, those that undo a step among them. */
export async function endedTasks({ scope, db }: Looking, run: string): Promise<Outcome[]> {
  const rows = await db.query<EndedTask>(
    `select s.step, s.attempt, t.id = s.undo_task as undo, t.status, t.output, t.failure, t.trust_score, (t.trust::json ->> 'low')::float8 as trust_low, t.cost_usd
     from workflow_steps s join tasks t on t.organization = s.organization and t.environment = s.environment
       and t.id = case when s.undo = 'running' then s.undo_task else s.task_id end
     where s.organization = $1 and s.environment = $2 and s.run_id = $3 and (s.status in ('running', 'waiting') or s.undo = 'running')
       and t.status in ('completed', 'failed', 'rejected', 'expired', 'blocked', 'cancelled')
     order by t.finished_at, s.step`,
    [scope.organization, scope.environment, run],
  );
  return rows.map(outcomeOf);
}

/** Steps for which no task could be made. */
export async function refusedSteps(ctx: Looking, run: string): Promise<Outcome[]> {
  const refused = select(ctx, "workflow_steps", "s").select(["s.step", "s.attempt", "s.undo", "s.refusal"]);
  const rows = await all(ctx, refused.where("s.run_id", "=", run).where("s.refusal", "is not", null));
  return rows.map(({ step, attempt, undo, refusal }): Outcome => {
    const failure = JSON.parse(refusal as string) as { code: string; detail: string };
    if (undo === "running") return { kind: "undone", step, ok: false, failure };
    return { kind: "ended", step, attempt, status: "failed", failure };
  });
}

function outcomeOf({ step, attempt, undo, status, output, failure, ...row }: EndedTask): Outcome {
  const failed = failure === null ? {} : { failure: JSON.parse(failure) as { code: string; detail: string } };
  if (undo) return { kind: "undone", step, ok: status === "completed", ...failed };
  const ended =
    status === "completed" || status === "cancelled" || status === "rejected"
      ? status
      : status === "expired"
        ? "rejected"
        : "failed";
  return {
    ...{ kind: "ended", step, attempt, status: ended, ...failed },
    ...(output !== null && { output: JSON.parse(output) as unknown }),
    ...{ trustScore: row.trust_score, trustLow: row.trust_low, costUsd: row.cost_usd },
  };
}

/** Writes what a look at a run has changed. What a step calls is kept as it was resolved. */
export async function writeAdvance(ctx: WriteContext, plan: Plan, row: RunRow, next: Advanced): Promise<void> {
  const actions = new Map(
    next.commands.flatMap((one) => (one.kind === "start" ? [[one.step, one.action] as const] : [])),
  );
  const rows = next.changed.map((step, at) =>
    stepRow(plan, row, next, { step, at, now: ctx.now, action: actions.get(step) }),
  );
  for (let from = 0; from < rows.length; from += 500) await upsertSteps(ctx, rows.slice(from, from + 500));
  const waits = next.commands.flatMap((one) => (one.kind === "listen" ? waitsOf(plan, row.id, one) : []));
  if (waits.length > 0)
    await all(
      ctx,
      insert(ctx, "workflow_waits", waits).onConflict((on) => on.doNothing()),
    );
  const gone = next.changed.filter(
    (step) => plan.byId.get(step)?.kind === "wait" && next.state.steps.get(step)?.status !== "waiting",
  );
  if (gone.length > 0)
    await all(ctx, remove(ctx, "workflow_waits").where("run_id", "=", row.id).where("step", "in", gone));
  const cost = next.changed.reduce((sum, step) => sum + costOf(next, row, step), 0);
  const changes = {
    ...runChanges(next.state, next.wakeAt, ctx.now),
    revision: row.revision + 1,
    cost_usd: row.cost_usd + cost,
  };
  const started = row.started_at ?? new Date(ctx.now);
  await all(
    ctx,
    update(ctx, "workflow_runs")
      .set({ ...changes, started_at: started })
      .where("id", "=", row.id),
  );
}

const costOf = ({ state }: Advanced, _row: RunRow, step: string): number => {
  const { status, costUsd = 0 } = state.steps.get(step) ?? { status: "pending" };
  return status === "running" || status === "waiting" || status === "pending" ? 0 : costUsd;
};

interface Changed {
  readonly step: string;
  readonly at: number;
  readonly now: number;
  readonly action: Action | undefined;
}

function stepRow(plan: Plan, row: RunRow, { state }: Advanced, { step, at, now, action }: Changed) {
  const known = state.steps.get(step) as NonNullable<ReturnType<typeof state.steps.get>>;
  return {
    ...{ run_id: row.id, step, kind: plan.byId.get(step)?.kind ?? "set" },
    // Ordered within a run: by the run's revision, then by the order within one look.
    changed_as: row.revision * 100_000 + at,
    action: action === undefined ? null : JSON.stringify(action),
    ...stepColumns(known, now),
  };
}

/** A new attempt forgets the task of the one before; what an attempt was called with stays. */
async function upsertSteps({ scope, db }: WriteContext, rows: readonly ReturnType<typeof stepRow>[]): Promise<void> {
  const names = Object.keys(rows[0] as object);
  const kept = names.filter((name) => !["run_id", "step", "kind", "action"].includes(name));
  await db.query(
    `insert into workflow_steps as s (organization, environment, ${names.join(", ")})
     select $1, $2, ${names.map((name) => `r.${name}`).join(", ")} from json_populate_recordset(null::workflow_steps, $3::json) r
     on conflict (organization, environment, run_id, step) do update set ${kept.map((name) => `${name} = excluded.${name}`).join(", ")},
       action = coalesce(excluded.action, s.action), refusal = null, held = null,
       task_id = case when excluded.attempt = s.attempt then s.task_id end,
       child_run = case when excluded.attempt = s.attempt then s.child_run end`,
    [scope.organization, scope.environment, JSON.stringify(rows)],
  );
}

function waitsOf(plan: Plan, run: string, { step, attempt, since }: Extract<Command, { kind: "listen" }>) {
  const wait = plan.byId.get(step)?.step.wait;
  const types = wait?.any_of?.map(({ event }) => event) ?? (wait?.event === undefined ? [] : [wait.event]);
  return [...new Set(types)].map((event_type) => ({ event_type, run_id: run, step, attempt, since: new Date(since) }));
}

/** Steps that were begun and have no task yet, as after a process that was killed between the two. */
export const unstarted = (ctx: Looking, run: string): Promise<StepRow[]> =>
  all(
    ctx,
    select(ctx, "workflow_steps", "s")
      .selectAll("s")
      .where("s.run_id", "=", run)
      .where((is) =>
        is.or([
          is.and([
            is("s.status", "in", ["running", "waiting"]),
            is("s.kind", "in", ["agent", "tool", "approval"]),
            is("s.task_id", "is", null),
          ]),
          is.and([is("s.undo", "=", "running"), is("s.undo_task", "is", null)]),
        ]),
      ),
  );

/** Notes the task that carries a step out, if it still has none. False where another process was faster, or the step is over. */
export async function noteTask(
  ctx: WriteContext,
  { run_id, step, attempt, undo }: Pick<StepRow, "run_id" | "step" | "attempt" | "undo">,
  task: string,
): Promise<boolean> {
  const column = undo === "running" ? "undo_task" : "task_id";
  const query = update(ctx, "workflow_steps")
    .set({ [column]: task, held: null })
    .where("run_id", "=", run_id)
    .where("step", "=", step)
    .where("attempt", "=", attempt)
    .where(column, "is", null);
  const open =
    undo === "running" ? query.where("undo", "=", "running") : query.where("status", "in", ["running", "waiting"]);
  return (await all(ctx, open.returning(sql<number>`1`.as("noted")))).length === 1;
}

/** Says why a step that has begun cannot start yet. Returns since when it is begun, in milliseconds since the epoch; undefined where it is over or has its task. */
export async function noteHold(
  ctx: WriteContext,
  { run, step, attempt }: { readonly run: string; readonly step: string; readonly attempt: number },
  why: object,
): Promise<number | undefined> {
  const held = update(ctx, "workflow_steps")
    .set({ held: JSON.stringify(why) })
    .where("run_id", "=", run)
    .where("step", "=", step)
    .where("attempt", "=", attempt);
  const [row] = await all(ctx, held.returning("started_at"));
  return row?.started_at?.getTime();
}

/** Says why no task could be made for a step that has begun; the run's next look takes it as the step's end. */
export async function noteRefusal(ctx: WriteContext, run: string, step: string, failure: object): Promise<void> {
  const query = update(ctx, "workflow_steps")
    .set({ refusal: JSON.stringify(failure), held: null })
    .where("run_id", "=", run);
  await all(ctx, query.where("step", "=", step));
}
