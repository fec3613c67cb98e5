import type { PlannedStep } from "@aos/workflow";
import { all, select } from "../../db/scoped.ts";
import { type Hold, type HoldSource, holdIn, makeHold } from "../../kernel/hold.ts";
import { findKnownAgent } from "../agents/public.ts";
import { type ExhaustedBudget, exhaustedBudgets, exhaustedText, holdOn, sourceOfHeld } from "../governance/public.ts";
import { gateSource, type Holding, holdsOfTasks } from "../tasks/public.ts";
import { type HeldStep, listHeldSteps, listWaitingTasks } from "./held-store.ts";
import { findPlan } from "./plans.ts";
import type { RunRow } from "./run-state.ts";

/** What holds a run, and its steps by id. */
export interface RunHolds {
  readonly run: Hold | null;
  /** The same without a pause of the run itself. */
  readonly work: Hold | null;
  readonly steps: ReadonlyMap<string, Hold>;
}

const nothing: RunHolds = { run: null, work: null, steps: new Map() };

type OfRun = Pick<RunRow, "id" | "workflow" | "mission" | "status" | "intervention" | "finished_at">;

/** What holds each of these runs now: a pause of the run, people, or what keeps a step from starting. The same few statements, however many runs there are. */
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

/** What waits for people goes before what waits for a kill switch, a budget or a gate. */
const order = ({ kind }: Hold): number => (kind === "approval" || kind === "question" ? 0 : 1);
const sinceOf = ({ since }: Hold): number => (since === null ? Number.MAX_SAFE_INTEGER : Date.parse(since));

/** By whom a run was paused: somebody who said so of the run, else its mission. */
function pauseOf({ id, workflow, mission, intervention }: OfRun): HoldSource {
  const asked = JSON.parse(intervention ?? "{}") as { action?: string; at?: string; reason?: string | null };
  if (asked.action !== "pause" && mission !== null)
    return { of: "mission", id: mission, since: null, text: "Its mission is paused." };
  const text = asked.reason ? `The run is paused: ${asked.reason}` : "The run is paused.";
  return { of: "run", id, workflow, since: asked.at ?? null, text };
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
  const budgets = put.some(({ held }) => failureIn(held).code === "budget_exhausted")
    ? await exhaustedBudgets(ctx)
    : [];
  for (const step of put) {
    const source = await sourceOf(ctx, step, budgets);
    if (source) add(step.root, step.step, makeHold(source, ctx));
  }
  return found;
}

interface Failure {
  readonly code: string;
  readonly detail: string;
}
const failureIn = (held: string): Failure => JSON.parse(held) as Failure;

/** What puts a step's start off, as far as it still does. */
async function sourceOf(
  ctx: Holding,
  step: HeldStep,
  budgets: readonly ExhaustedBudget[],
): Promise<HoldSource | null | undefined> {
  const { code, detail: text } = failureIn(step.held);
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

/** The agent that the step would have work. */
async function agentOf(ctx: Holding, { action, version_id, own_step }: HeldStep): Promise<string | undefined> {
  const { agent } = (action === null ? {} : JSON.parse(action)) as { readonly agent?: string };
  return agent ?? namedIn((await findPlan(ctx, version_id))?.byId.get(own_step));
}

const namedIn = (planned: PlannedStep | undefined): string | undefined =>
  planned?.step.agent?.name ?? planned?.step.tool?.agent;
