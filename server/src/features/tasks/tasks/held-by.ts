import type { CallContext } from "../../../kernel/context.ts";
import type { QueryContext } from "../../../kernel/db.ts";
import { type Hold, type HoldSource, makeHold } from "../../../kernel/hold.ts";
import type { Statements } from "../../../kernel/machines.ts";
import { madeAt } from "../../../kernel/moment.ts";
import { principalHolds } from "../../../kernel/role-permissions.ts";
import { memberRows } from "../../admin/shared-rows.ts";
import { healthSources } from "../../agents/public.ts";
import { agentVersionRows } from "../../agents/shared-rows.ts";
import { approvalRows } from "../../approvals/shared-rows.ts";
import {
  type ExhaustedBudget,
  exhaustedBudgets,
  exhaustedText,
  type Held,
  holdOn,
  pausesOfCalls,
  sourceOfHeld,
} from "../../governance/public.ts";
import type { Failure, Task } from "../schemas.ts";
import { isIntact, withheld } from "./result.ts";
import { type TaskRow, taskJson } from "./row.ts";
import { taskView } from "./view.ts";

// What holds tasks: kill switches, pauses and gates from memory, budgets and approvals by one statement for all tasks of a page.

export const holdableFields = [
  "id",
  "agent",
  "version_id",
  "version_number",
  "skill",
  "status",
  "run_workflow",
  "approval_id",
  "question",
  "failure",
  "key_id",
  "principal",
  "finished_at",
  "paused_at",
  "paused_by",
  "pause_reason",
] as const;
export type HoldableTask = Pick<TaskRow, (typeof holdableFields)[number]>;

export type Holding = Pick<CallContext, "scope" | "facts" | "appUrl" | "now" | "port" | "principal"> & {
  readonly db: Statements;
};

/** By task; tasks that nothing holds are left out. */
export type Holds = ReadonlyMap<string, Hold>;

/** What holds each of these tasks now, in at most three statements. */
export async function holdsOfTasks(ctx: Holding, tasks: readonly HoldableTask[]): Promise<Holds> {
  const standing = await standingHolds(ctx, tasks);
  const asked = tasks.flatMap(({ status, approval_id }) => (status === "awaiting_approval" ? (approval_id ?? []) : []));
  const approvals = await readAskedApprovals(ctx, asked);
  const found = new Map<string, Hold>();
  for (const task of tasks) {
    const behind = standing.get(task.id) ?? null;
    const source = waitsFor(ctx, task, approvals);
    const hold = source === undefined ? behind : makeHold(source, ctx, behind);
    if (hold) found.set(task.id, hold);
  }
  return found;
}

export const holdOfTask = async (ctx: Holding, task: HoldableTask): Promise<Hold | null> =>
  (await holdsOfTasks(ctx, [task])).get(task.id) ?? null;

const pausable: ReadonlySet<string> = new Set(["queued", "awaiting_approval", "running", "input_required"]);

/** With what people paused, before what else holds it. */
async function withPauses(ctx: Holding, tasks: readonly HoldableTask[], behind: Holds): Promise<Holds> {
  const paused = tasks.filter(({ status, paused_at }) => paused_at !== null && pausable.has(status));
  if (paused.length === 0) return behind;
  const names = await readNames(
    ctx,
    paused.flatMap(({ paused_by }) => paused_by ?? []),
  );
  const found = new Map(behind);
  for (const task of paused) {
    const by = names.get(task.paused_by ?? "") ?? task.paused_by;
    const ending = task.status === "running" ? " The step under way ends first." : "";
    const why = task.pause_reason === null || task.pause_reason === "" ? "." : `: ${task.pause_reason}`;
    const source = {
      of: "task_pause",
      id: task.id,
      since: task.paused_at,
      text: `Paused by ${by}${why}${ending}`,
    } as const;
    found.set(task.id, makeHold(source, ctx, behind.get(task.id) ?? null));
  }
  return found;
}

/** What a task asks people, if anything. The words are for those who may read them where they are asked. */
function waitsFor(
  { principal }: Holding,
  task: HoldableTask,
  approvals: ReadonlyMap<string, AskedApproval>,
): HoldSource | undefined {
  const { id, status, approval_id } = task;
  if (status === "awaiting_approval" && approval_id !== null) {
    const asked = principalHolds(principal, "approvals:read") ? approvals.get(approval_id) : undefined;
    const since = madeAt(approval_id);
    if (asked?.status === "changes_requested")
      return { of: "changes", id: approval_id, task: id, since: asked.decided_at, text: changesText(asked) };
    const text = asked ? `Waits for approval. ${asked.summary}` : "Waits for approval.";
    return { of: "approval", id: approval_id, task: id, since, text };
  }
  if (status !== "input_required") return undefined;
  const asked = taskJson(task, "question");
  const text = asked && principalHolds(principal, "tasks:read") ? asked.text : "";
  return {
    of: "task_question",
    id,
    since: asked?.asked_at ?? null,
    text: asked?.kind === "results" && text ? text : `Waits for an answer. ${text}`.trimEnd(),
  };
}

const changesText = ({ reason }: AskedApproval): string => `Waits for changes${reason === null ? "." : `: ${reason}`}`;

const waits: ReadonlySet<string> = new Set(["queued", "awaiting_approval", "input_required"]);

/**
 * What holds these tasks besides people who are asked: people paused the task itself; or a kill switch, a pause, a closed gate or a budget that is used up keeps one
 * that waits from starting, and one that it blocked from being tried again.
 */
export async function standingHolds(ctx: Holding, tasks: readonly HoldableTask[]): Promise<Holds> {
  const kept = tasks.filter((task) => waits.has(task.status) || blocks.has(blockedBy(task)?.code ?? ""));
  const budgets = kept.length === 0 ? [] : await exhaustedBudgets(ctx);
  const byCalls = pausesOfCalls(ctx).length > 0 || kept.some(({ status }) => status === "blocked");
  const wanted = budgets.length > 0 || byCalls ? kept : [];
  const uses = await readVersionUses(
    ctx,
    wanted.map(({ version_id }) => version_id),
  );
  const found = new Map<string, Hold>();
  for (const task of kept) {
    const source = keptBy(ctx, task, budgets, uses.get(task.version_id));
    if (source) found.set(task.id, makeHold({ ...source, ...tryAgain(task) }, ctx));
  }
  for (const task of tasks) {
    const blocked = blockedBy(task);
    if (blocked?.code === "policy_blocked") found.set(task.id, makeHold(policySource(task, blocked), ctx));
  }
  return withPauses(ctx, tasks, found);
}

/** A blocked task is only started again by a retry. A run has gone on with its end. */
const tryAgain = ({ id, status, run_workflow }: HoldableTask): { readonly afterwards?: string } =>
  status === "blocked" && run_workflow === null
    ? { afterwards: `Then try the task again: POST /v1/tasks/${id}/retry.` }
    : {};

/** The policy that refused a task, by the words of the refusal. */
function policySource(task: HoldableTask, { detail: text }: Failure): HoldSource {
  const id = /\(policy (pol_\w+)/.exec(text)?.[1] ?? task.id;
  return { of: "policy", id, task: task.id, since: task.finished_at, text, ...tryAgain(task) };
}

/** Refusals that end once their cause is lifted. */
const blocks: ReadonlySet<string> = new Set([
  "evaluation_gate_failed",
  "budget_exhausted",
  "agent_paused",
  "kill_switch_engaged",
]);

/** Why a task is blocked, if it is. */
const blockedBy = ({ status, failure }: HoldableTask): Failure | undefined =>
  status === "blocked" ? (taskJson({ failure }, "failure") ?? undefined) : undefined;

function keptBy(
  ctx: Holding,
  task: HoldableTask,
  budgets: readonly ExhaustedBudget[],
  uses: VersionUses | undefined,
): HoldSource | undefined {
  const held = heldOf(ctx, task, uses);
  if (held) return sourceOfHeld(held, task.agent);
  return gateSource(ctx, task) ?? budgetSource(task, budgets, uses);
}

/** The kill switch or pause of the task, or of a tool or model that it needs. */
function heldOf(ctx: Holding, task: HoldableTask, uses: VersionUses | undefined): Held | null {
  const { agent, version_id: versionId, skill, run_workflow: workflow } = task;
  const of = { agent, versionId, skill, ...(workflow !== null && { workflow }) };
  const held = holdOn(ctx, "task.run", of);
  if (held || uses === undefined) return held;
  const byModel = holdOn(ctx, "model.call", { ...of, model: uses.model });
  if (byModel) return byModel;
  for (const tool of uses.tools[skill] ?? []) {
    const byTool = holdOn(ctx, "tool.call", { ...of, tool });
    if (byTool) return byTool;
  }
  return null;
}

/** The gate that refuses the task's version: the task would be blocked at its start. */
export function gateSource(
  ctx: Holding,
  { agent, version_id, version_number }: Pick<HoldableTask, "agent" | "version_id" | "version_number">,
): HoldSource | undefined {
  const { state, consequence, reasons } = ctx.port(healthSources).gate(ctx, agent, version_id);
  if (consequence !== "refuse") return undefined;
  const text = `The evaluation gate of ${agent}, version ${version_number}, is ${state}: it may not act here. ${reasons.join(" ")}`;
  return { of: "gate", id: agent, since: null, text: text.trimEnd() };
}

/** The budget that refuses the task's next step. The built-in model uses neither money nor tokens; the task was counted at dispatch. */
function budgetSource(
  { agent, key_id, principal }: HoldableTask,
  budgets: readonly ExhaustedBudget[],
  uses: VersionUses | undefined,
): HoldSource | undefined {
  const own: ReadonlySet<string> = new Set(["environment", `agent:${agent}`, `key:${key_id}`, `member:${principal}`]);
  const free = uses?.provider === "builtin";
  const used = budgets.find(({ scope, unit }) => own.has(scope) && unit !== "tasks" && (unit === "steps" || !free));
  return used && { of: "budget", id: used.scope, since: used.since, text: exhaustedText(used) };
}

interface ListedTask {
  readonly row: TaskRow;
  readonly held: Hold | null;
}

/** The tasks of a page with what holds them, without results that were altered. */
export async function withHolds(
  ctx: Holding & Pick<CallContext, "seals">,
  found: readonly TaskRow[],
): Promise<ListedTask[]> {
  const rows = found.map((row) => (isIntact(ctx, row) ? row : withheld(row)));
  const holds = await holdsOfTasks(ctx, rows);
  return rows.map((row) => ({ row, held: holds.get(row.id) ?? null }));
}

export const shownTask = async (ctx: Holding, row: TaskRow): Promise<Task> =>
  taskView(row, ctx.appUrl, await holdOfTask(ctx, row));

// What holds tasks besides their rows, in one statement for a page.

interface AskedApproval {
  readonly id: string;
  readonly status: string;
  readonly summary: string;
  readonly reason: string | null;
  readonly decided_at: Date | null;
}

async function readAskedApprovals(
  { scope, db }: QueryContext,
  ids: readonly string[],
): Promise<ReadonlyMap<string, AskedApproval>> {
  if (ids.length === 0) return new Map();
  const rows = await db.query<AskedApproval>(
    `select id, status, summary, reason, decided_at from ${approvalRows} approvals where organization = $1 and environment = $2 and id = any($3::text[])`,
    [scope.organization, scope.environment, ids],
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** The names of members. */
async function readNames({ scope, db }: QueryContext, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const rows = await db.query<{ id: string; name: string }>(
    `select id, name from ${memberRows} m where organization = $1 and id = any($2::text[])`,
    [scope.organization, ids],
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** What kill switches and budgets can name of a version. */
interface VersionUses {
  readonly id: string;
  readonly provider: string;
  readonly model: string;
  /** By skill. */
  readonly tools: Readonly<Record<string, readonly string[]>>;
}

async function readVersionUses(
  { scope, db }: QueryContext,
  ids: readonly string[],
): Promise<ReadonlyMap<string, VersionUses>> {
  if (ids.length === 0) return new Map();
  const rows = await db.query<VersionUses>(
    `select id, definition #>> '{model,provider}' as provider, coalesce(definition #>> '{model,name}', definition #>> '{model,provider}') as model,
       (select coalesce(json_object_agg(s ->> 'name', coalesce(s -> 'tools', '[]')), '{}') from jsonb_array_elements(definition -> 'skills') s) as tools
     from ${agentVersionRows} agent_versions where organization = $1 and id = any($2::text[])`,
    [scope.organization, [...new Set(ids)]],
  );
  return new Map(rows.map((row) => [row.id, row]));
}
