import type { Plan, PlannedStep, StepKind, StepStatus } from "@aos/workflow";
import { all, select } from "../../../db/scoped.ts";
import { timestamp } from "../../../kernel/clock.ts";
import type { QueryContext } from "../../../kernel/db.ts";
import type { Hold } from "../../../kernel/hold.ts";
import { summedUsd } from "../../../kernel/ledger.ts";
import type { Holding } from "../../tasks/public.ts";
import { taskRows } from "../../tasks/shared-rows.ts";
import { findPlan } from "../versions/plans.ts";
import { holdsOfRuns, type RunHolds } from "./held-by.ts";
import { type RunRow, runJson, type StepRow, stepJson } from "./rules.ts";
import type { WorkflowRun, WorkflowRunDetail, WorkflowRunStep } from "./schemas.ts";

type Progress = WorkflowRun["progress"];

const noProgress: Progress = { steps: 0, completed: 0, failed: 0, running: 0, waiting: 0 };

const counted: Readonly<Partial<Record<StepStatus, Exclude<keyof Progress, "steps">>>> = {
  completed: "completed",
  skipped: "completed",
  compensated: "completed",
  failed: "failed",
  rejected: "failed",
  outcome_unknown: "failed",
  running: "running",
  waiting: "waiting",
};

/** Progress of runs, by id, in one statement. */
async function progressOf(ctx: QueryContext, runs: readonly RunRow[]): Promise<ReadonlyMap<string, Progress>> {
  const plans = await Promise.all(runs.map(({ version_id }) => findPlan(ctx, version_id)));
  const progress = new Map(runs.map(({ id }, at) => [id, { ...noProgress, steps: plans[at]?.steps.length ?? 0 }]));
  if (runs.length === 0) return progress;
  const steps = select(ctx, "workflow_steps", "s").where("s.run_id", "in", [...progress.keys()]);
  const rows = await all(
    ctx,
    steps
      .select(({ fn }) => ["s.run_id", "s.status", fn.countAll<string>().as("steps")])
      .groupBy(["s.run_id", "s.status"]),
  );
  for (const { run_id, status, steps } of rows) {
    const one = progress.get(run_id);
    const name = counted[status as StepStatus];
    if (one && name) one[name] += Number(steps);
  }
  return progress;
}

const time = (at: Date | null): string | null => (at === null ? null : timestamp(at.getTime()));

/** `cost`: in US dollars. */
export function runView(row: RunRow, held: Hold | null, cost: number, progress: Progress = noProgress): WorkflowRun {
  const { asked = null } = runJson(row, "journal");
  return {
    run_id: row.id,
    workflow: row.workflow,
    version: row.version_number,
    status: row.status,
    asked: row.finished_at === null ? asked : null,
    intervention: runJson(row, "intervention"),
    input: runJson(row, "input"),
    output: runJson(row, "output"),
    failure: runJson(row, "failure"),
    held_by: held,
    trigger: row.trigger,
    trigger_id: row.trigger_id,
    business_key: row.business_key,
    concurrency_key: row.concurrency_key,
    parent: row.parent_run === null ? null : { run_id: row.parent_run, step: row.parent_step ?? "" },
    mission: row.mission,
    progress,
    cost_usd: cost,
    tokens: Number(row.tokens),
    labels: row.labels,
    started_by: row.principal,
    audit_ref: row.audit_ref,
    created_at: timestamp(row.created_at.getTime()),
    started_at: time(row.started_at),
    finished_at: time(row.finished_at),
  };
}

/** Views of runs, in a few statements for all of them. */
export async function readRunViews(ctx: Holding, rows: readonly RunRow[]): Promise<WorkflowRun[]> {
  const progress = await progressOf(ctx, rows);
  const holds = await holdsOfRuns(ctx, rows);
  const costs = await costsOfRuns(
    ctx,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => runView(row, holds(row.id).run, costs.get(row.id) ?? 0, progress.get(row.id)));
}

export const readRunView = async (ctx: Holding, row: RunRow): Promise<WorkflowRun> =>
  (await readRunViews(ctx, [row]))[0] as WorkflowRun;

const mostSteps = 500;

/** A run with its steps, or those after the step `after`. */
export async function readRunDetail(ctx: Holding, row: RunRow, plan: Plan, after?: string): Promise<WorkflowRunDetail> {
  const held = (await holdsOfRuns(ctx, [row]))(row.id);
  const progress = (await progressOf(ctx, [row])).get(row.id);
  const cost = (await costsOfRuns(ctx, [row.id])).get(row.id) ?? 0;
  const from = after === undefined ? 0 : plan.steps.findIndex(({ id }) => id === after) + 1;
  const page = plan.steps.slice(from, from + mostSteps);
  const last = page.at(-1);
  return {
    ...runView(row, held.run, cost, progress),
    steps: await readSteps(ctx, row.id, page, held.steps),
    steps_after: last && from + mostSteps < plan.steps.length ? last.id : null,
  };
}

async function readSteps(
  ctx: QueryContext,
  run: string,
  page: readonly PlannedStep[],
  held: RunHolds["steps"],
): Promise<WorkflowRunStep[]> {
  const ids = page.map(({ id }) => id);
  if (ids.length === 0) return [];
  const of = select(ctx, "workflow_steps", "s").selectAll("s").where("s.run_id", "=", run);
  const rows = new Map((await all(ctx, of.where("s.step", "in", ids))).map((row) => [row.step, row]));
  const [attempts, items] = await Promise.all([attemptsOf(ctx, run, ids), itemsOf(ctx, run, page)]);
  return page.map((planned) => ({
    ...stepView(planned.id, planned.kind, rows.get(planned.id)),
    held_by: held.get(planned.id) ?? null,
    ...(items.has(planned.id) && { items: items.get(planned.id) }),
    ...(attempts.has(planned.id) && { attempts: attempts.get(planned.id) }),
  })) as WorkflowRunStep[];
}

function stepView(step: string, kind: StepKind, row: StepRow | undefined): Omit<WorkflowRunStep, "held_by"> {
  return {
    step,
    kind,
    status: (row?.status ?? "pending") as StepStatus,
    attempt: row?.attempt ?? 0,
    action: row ? stepJson(row, "action") : null,
    output: row ? stepJson(row, "output") : null,
    failure: row ? stepJson(row, "failure") : null,
    task_id: row?.task_id ?? null,
    child_run: row?.child_run ?? null,
    trust_score: row?.trust_score ?? null,
    trust_low: row?.trust_low ?? null,
    cost_usd: row?.cost_usd ?? null,
    undo: (row?.undo ?? null) as WorkflowRunStep["undo"],
    undo_task: row?.undo_task ?? null,
    started_at: time(row?.started_at ?? null),
    finished_at: time(row?.finished_at ?? null),
    wake_at: time(row?.wake_at ?? null),
  };
}

type Attempts = NonNullable<WorkflowRunStep["attempts"]>;

async function attemptsOf(ctx: QueryContext, run: string, steps: readonly string[]): Promise<Map<string, Attempts>> {
  const rows = await all(
    ctx,
    select(ctx, "workflow_attempts", "a")
      .selectAll("a")
      .where("a.run_id", "=", run)
      .where("a.step", "in", steps)
      .orderBy("a.step")
      .orderBy("a.attempt"),
  );
  const found = new Map<string, Attempts>();
  for (const { step, attempt, status, task_id, child_run, failure, started_at, finished_at } of rows)
    found.set(step, [
      ...(found.get(step) ?? []),
      {
        attempt,
        status,
        task_id,
        child_run,
        failure: stepJson({ failure }, "failure"),
        started_at: time(started_at),
        finished_at: time(finished_at),
      },
    ]);
  return found;
}

type Items = NonNullable<WorkflowRunStep["items"]>;

/** Counts of loop items, of the steps' present attempts. */
async function itemsOf(ctx: QueryContext, run: string, page: readonly PlannedStep[]): Promise<Map<string, Items>> {
  const loops = page.filter(({ step }) => step.for_each).map(({ id }) => id);
  const found = new Map<string, Items>();
  if (loops.length === 0) return found;
  const { organization, environment } = ctx.scope;
  const rows = await ctx.db.query<{ step: string; status: string; items: string }>(
    `select i.step, i.status, count(*) as items from workflow_items i join workflow_steps s
       on s.organization = i.organization and s.environment = i.environment and s.run_id = i.run_id and s.step = i.step and s.attempt = i.attempt
     where i.organization = $1 and i.environment = $2 and i.run_id = $3 and i.step = any($4::text[]) group by 1, 2`,
    [organization, environment, run, loops],
  );
  for (const { step, status, items } of rows) {
    const one = found.get(step) ?? { total: 0, completed: 0, failed: 0, running: 0 };
    one.total += Number(items);
    if (status === "completed" || status === "superseded") one.completed += Number(items);
    else if (status === "running") one.running += Number(items);
    else if (status !== "pending") one.failed += Number(items);
    found.set(step, one);
  }
  return found;
}

/**
 * What runs have cost, in US dollars: the sum over the tasks of each and of the runs that it started, open and cancelled ones too. The count that the engine keeps
 * (`workflow_runs.cost_usd`) has only what steps had cost when they ended.
 */
async function costsOfRuns({ db, scope }: QueryContext, runs: readonly string[]): Promise<ReadonlyMap<string, number>> {
  if (runs.length === 0) return new Map();
  const rows = await db.query<{ root: string; usd: number }>(
    `with recursive tree as (
       select r.id as root, r.id from workflow_runs r where r.organization = $1 and r.environment = $2 and r.id = any($3::text[])
       union all
       select tree.root, c.id from tree join workflow_runs c on c.organization = $1 and c.environment = $2 and c.parent_run = tree.id)
     select tree.root, coalesce(sum(t.cost_usd), 0)::float8 as usd
     from tree join ${taskRows} t on t.organization = $1 and t.environment = $2 and t.run_id = tree.id group by 1`,
    [scope.organization, scope.environment, runs],
  );
  return new Map(rows.map(({ root, usd }) => [root, summedUsd(usd)]));
}
