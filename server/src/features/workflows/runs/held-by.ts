import type { PlannedStep } from "@aos/workflow";
import { all, select } from "../../../db/scoped.ts";
import { type Hold, type HoldSource, holdIn, makeHold } from "../../../kernel/hold.ts";
import { storedJson } from "../../../kernel/stored-json.ts";
import { findKnownAgent } from "../../agents/public.ts";
import {
  type ExhaustedBudget,
  exhaustedBudgets,
  exhaustedText,
  holdOn,
  sourceOfHeld,
} from "../../governance/public.ts";
import { gateSource, type HoldableTask, type Holding, holdableFields, holdsOfTasks } from "../../tasks/public.ts";
import { taskRows } from "../../tasks/shared-rows.ts";
import { findPlan } from "../versions/plans.ts";
import { type RunRow, runJson, stepJson } from "./rules.ts";

/** What holds a run, and its steps by id. */
export interface RunHolds {
  readonly run: Hold | null;
  /** The same without a pause of the run itself. */
  readonly work: Hold | null;
  readonly steps: ReadonlyMap<string, Hold>;
}

const nothing: RunHolds = { run: null, work: null, steps: new Map() };

type OfRun = Pick<RunRow, "id" | "workflow" | "mission" | "status" | "intervention" | "finished_at">;

/** What holds each run now: a pause, people, or what delays the start of a step. A fixed number of statements for any number of runs. */
export async function holdsOfRuns(ctx: Holding, rows: readonly OfRun[]): Promise<(run: string) => RunHolds> {
  const open = rows.filter(({ finished_at }) => finished_at === null).map(({ id }) => id);
  if (open.length === 0) return () => nothing;
  const steps = await holdsOfSteps(ctx, open);
  const found = new Map<string, RunHolds>();
  for (const row of rows) {
    const own = steps.get(row.id) ?? new Map<string, Hold>();
    const first = [...own].sort(([, a], [, b]) => order(a) - order(b) || sinceOf(a) - sinceOf(b))[0];
    const held = first ? holdIn(first[1], `Step ${first[0]}`) : null;
    const run = row.status === "paused" ? makeHold(pauseOf(row), ctx, held) : held;
    found.set(row.id, { run, work: held, steps: own });
  }
  return (run) => found.get(run) ?? nothing;
}

/** What holds the open runs of missions, by mission: the first that waits for people, else the first that is held. */
export async function holdsOfMissions(ctx: Holding, missions: readonly string[]): Promise<ReadonlyMap<string, Hold>> {
  if (missions.length === 0) return new Map();
  const open = select(ctx, "workflow_runs", "r")
    .select(["r.id", "r.workflow", "r.status", "r.intervention", "r.finished_at", "r.mission"])
    .where("r.mission", "in", missions)
    .where("r.finished_at", "is", null);
  const rows = await all(ctx, open.orderBy("r.id"));
  const holds = await holdsOfRuns(ctx, rows);
  const found = new Map<string, Hold>();
  for (const { id, mission } of rows) {
    const { work } = holds(id);
    const before = found.get(mission as string);
    if (work && (!before || order(work) < order(before))) found.set(mission as string, work);
  }
  return found;
}

/** Waiting for people goes before a kill switch, budget or gate. */
const order = ({ kind }: Hold): number => (kind === "approval" || kind === "question" ? 0 : 1);
const sinceOf = ({ since }: Hold): number => (since === null ? Number.MAX_SAFE_INTEGER : Date.parse(since));

/** Who paused a run: the person whose intervention it is, else its mission. */
function pauseOf({ id, workflow, mission, intervention }: OfRun): HoldSource {
  const asked = runJson({ intervention }, "intervention");
  if (asked?.action !== "pause" && mission !== null)
    return { of: "mission", id: mission, since: null, text: "Its mission is paused." };
  const text = asked?.reason ? `The run is paused: ${asked.reason}` : "The run is paused.";
  return { of: "run", id, workflow, since: asked?.at ?? null, text };
}

async function holdsOfSteps(ctx: Holding, runs: readonly string[]): Promise<Map<string, Map<string, Hold>>> {
  const tasks = await listWaitingTasks(ctx, runs);
  const holds = await holdsOfTasks(ctx, tasks);
  const found = new Map<string, Map<string, Hold>>();
  const add = (root: string, step: string, hold: Hold | null | undefined): void => {
    const own = found.get(root) ?? new Map<string, Hold>();
    const before = own.get(step);
    if (hold && (!before || order(hold) < order(before))) own.set(step, hold);
    found.set(root, own);
  };
  for (const { root, step, id } of tasks) add(root, step, holds.get(id));
  const put = await listHeldSteps(ctx, runs);
  const budgets = put.some(({ held }) => heldJson({ held }, "held").code === "budget_exhausted")
    ? await exhaustedBudgets(ctx)
    : [];
  for (const step of put) {
    const source = await sourceOf(ctx, step, budgets);
    if (source) add(step.root, step.step, makeHold(source, ctx));
  }
  return found;
}

const heldJson = storedJson<{ held: { readonly code: string; readonly detail: string } }>();

/** What delays a step's start, if it still does. */
async function sourceOf(
  ctx: Holding,
  step: HeldStep,
  budgets: readonly ExhaustedBudget[],
): Promise<HoldSource | null | undefined> {
  const { code, detail: text } = heldJson(step, "held");
  const { mission, run_id: id, workflow, started_at: since } = step;
  if (code === "cost_reserved") return { of: "cost_limit", id, workflow, since, text };
  if (code === "mission_budget") return mission === null ? null : { of: "mission_budget", id: mission, since, text };
  if (code === "mission_holds") return mission === null ? null : { of: "mission", id: mission, since, text };
  const agent = await agentOf(ctx, step);
  if (code === "budget_exhausted") return usedUp(step, agent, budgets, text);
  const live = agent === undefined ? undefined : findKnownAgent(ctx, agent)?.live;
  if (agent === undefined || !live) return undefined;
  const held = holdOn(ctx, "task.dispatch", { agent, versionId: live.id, workflow });
  if (held) return sourceOfHeld(held, agent);
  return gateSource(ctx, { agent, version_id: live.id, version_number: live.number });
}

function usedUp(
  { key_id, principal, started_at: since }: HeldStep,
  agent: string | undefined,
  budgets: readonly ExhaustedBudget[],
  text: string,
): HoldSource {
  const own: ReadonlySet<string> = new Set([`agent:${agent}`, `key:${key_id}`, `member:${principal}`, "environment"]);
  const used = budgets.find(({ scope, unit }) => unit === "tasks" && own.has(scope));
  if (used) return { of: "budget", id: used.scope, since: used.since ?? since, text: exhaustedText(used) };
  return { of: "budget", id: "environment", since, text };
}

async function agentOf(ctx: Holding, { action, version_id, own_step }: HeldStep): Promise<string | undefined> {
  const resolved = stepJson({ action }, "action");
  const agent = resolved && "agent" in resolved ? resolved.agent : undefined;
  return agent ?? namedIn((await findPlan(ctx, version_id))?.byId.get(own_step));
}

const namedIn = (planned: PlannedStep | undefined): string | undefined =>
  planned?.step.agent?.name ?? planned?.step.tool?.agent;

// Open tasks and delayed steps, of runs and their child runs: one statement each for all runs of a page.

/** The step of the requested run by which something is held: its own, or the one that started the child run. */
interface Place {
  readonly root: string;
  readonly step: string;
}

type TaskOfRun = Place & HoldableTask;

/** A step whose task could not be made yet. `held`: JSON of code and detail. */
interface HeldStep extends Place {
  readonly held: string;
  readonly action: string | null;
  readonly kind: string;
  readonly started_at: Date | null;
  readonly run_id: string;
  readonly workflow: string;
  readonly version_id: string;
  readonly own_step: string;
  readonly mission: string | null;
  readonly key_id: string | null;
  readonly principal: string;
}

const tree = `with recursive tree as (
  select r.id as root, r.id as run, null::text collate "C" as step from workflow_runs r
  where r.organization = $1 and r.environment = $2 and r.id = any($3::text[]) and r.finished_at is null
  union all
  select t.root, c.id, coalesce(t.step, c.parent_step) from tree t join workflow_runs c
    on c.organization = $1 and c.environment = $2 and c.parent_run = t.run and c.finished_at is null)`;

/** Waiting tasks: of each step the earliest of a kind. */
const listWaitingTasks = ({ scope, db }: Holding, runs: readonly string[]): Promise<TaskOfRun[]> =>
  db.query<TaskOfRun>(
    `${tree}
     select distinct on (tree.root, coalesce(tree.step, k.run_step), k.status, k.agent, k.version_id, k.skill)
       tree.root, coalesce(tree.step, k.run_step, '') as step, ${holdableFields.map((name) => `k.${name}`).join(", ")}
     from tree join ${taskRows} k on k.organization = $1 and k.environment = $2 and k.run_id = tree.run
       and k.status in ('queued', 'awaiting_approval', 'input_required')
     order by tree.root, coalesce(tree.step, k.run_step), k.status, k.agent, k.version_id, k.skill, k.id`,
    [scope.organization, scope.environment, runs],
  );

/** Delayed steps, the earliest first. */
const listHeldSteps = ({ scope, db }: Holding, runs: readonly string[]): Promise<HeldStep[]> =>
  db.query<HeldStep>(
    `${tree}
     select tree.root, coalesce(tree.step, s.step) as step, s.held, coalesce(s.undo_action, s.action) as action, s.kind, s.started_at, s.step as own_step,
       r.id as run_id, r.workflow, r.version_id, r.mission, r.key_id, r.principal
     from tree
     join workflow_steps s on s.organization = $1 and s.environment = $2 and s.run_id = tree.run and s.held is not null
       and (s.undo = 'running' or s.status in ('running', 'waiting'))
     join workflow_runs r on r.organization = $1 and r.environment = $2 and r.id = tree.run
     where case when s.undo = 'running' then s.undo_task is null else s.task_id is null and s.child_run is null end
     order by s.started_at, s.step`,
    [scope.organization, scope.environment, runs],
  );
