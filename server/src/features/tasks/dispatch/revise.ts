import type { CallContext, WriteContext } from "../../../kernel/context.ts";
import { refuse } from "../../../kernel/errors.ts";
import type { Proposal } from "../../../kernel/operation.ts";
import { definePort } from "../../../kernel/port.ts";
import { conflict } from "../../../kernel/problems.ts";
import type { Risk } from "../../../kernel/risk.ts";
import { titleOf } from "../../../kernel/title.ts";
import type { TrustScore } from "../../../kernel/trust/index.ts";
import { type ApprovalDemand, type Governed, strictest } from "../../../kernel/verdict.ts";
import type { LiveSkill } from "../../agents/public.ts";
import type { ToolDefinition } from "../../agents/schemas.ts";
import { taskJson } from "../tasks/row.ts";
import { type TaskRow, updateTask } from "../tasks/store.ts";
import {
  agentSeen,
  approvalFor,
  riskNow,
  riskOf,
  riskOfCall,
  riskText,
  startingTrust,
  subjectOf,
  toolAsMarked,
  trustText,
} from "./rules.ts";

/** A waiting task with another input, judged again as at a dispatch. */
export interface Revision {
  readonly input: Readonly<Record<string, unknown>>;
  readonly title: string | null;
  readonly trust: TrustScore;
  readonly risk: Risk;
  readonly subject: string;
  /** The approval that policies, risk and caller require now, if any. */
  readonly demand: ApprovalDemand | null;
  /** The strictest limits of the dispatch and this revision. */
  readonly limits: Governed["limits"];
}

/** Policy results for a dispatch with the other input. */
export type SaidOfRevision = Pick<Governed, "approval" | "limits">;

/** A dispatch with the other input by whoever proposes it, for policies. `skill` is that of the pinned version. */
export function proposedDispatch(
  ctx: CallContext,
  task: TaskRow,
  skill: LiveSkill,
  input: Readonly<Record<string, unknown>>,
): Proposal {
  const { trust, risk } = judgeRevision(ctx, task, skill, input, { approval: null, limits: null });
  const { level, score, impact, likelihood } = risk;
  return {
    action: "task.dispatch",
    facts: {
      agent: agentSeen(ctx, task.agent),
      version: { number: task.version_number, id: task.version_id },
      skill: { name: task.skill },
      input,
      risk: { level, score, impact, likelihood },
      trust: { score: trust.score, low: trust.low, high: trust.high },
    },
  };
}

/** Judges a task with another input. `skill` is that of the pinned version, `said` the policy results for such a dispatch. */
export function judgeRevision(
  ctx: CallContext,
  task: TaskRow,
  skill: LiveSkill,
  input: Readonly<Record<string, unknown>>,
  said: SaidOfRevision,
): Revision {
  const trust = startingTrust(ctx, task.version_id, task.skill);
  const risk = riskOf(skill, trust.low);
  const before = taskJson(task, "run_limits");
  const limits = said.limits ? strictest(before, said.limits) : before;
  const demand = approvalFor(ctx, risk, said.approval, task.require_approval);
  const title = titleOf(skill.definition.title, input);
  return { input, title, trust, risk, subject: subjectOf(skill, input, task.id), demand, limits };
}

/**
 * Gives a task that awaits approval another input, under a newer approval; `events` is how many of the task's events the caller emits of it.
 * Refuses with `wrong_state` where the task no longer waits for the approval that it was loaded with.
 */
export async function reviseTask(
  ctx: WriteContext,
  task: TaskRow,
  revision: Revision,
  given: { readonly approvalId: string; readonly events: 0 | 1 },
): Promise<TaskRow> {
  const { input, title, trust, risk, subject, limits } = revision;
  const row = await updateTask(
    ctx,
    { id: task.id, from: ["awaiting_approval"], approval: task.approval_id },
    {
      input: JSON.stringify(input),
      title,
      subject,
      approval_id: given.approvalId,
      events: given.events,
      trust_score: trust.score,
      trust: trustText(trust),
      risk_level: risk.level,
      risk: riskText(risk),
      run_limits: limits && JSON.stringify(limits),
    },
  );
  if (row) return row;
  throw refuse(conflict, `The task is ${task.status}; only one that awaits approval can be given another input.`);
}

// A call that waits for approval, with other arguments than the agent's.

/** Members of a tool that decide how its calls are judged. */
type CalledTool = Pick<ToolDefinition, "name" | "effect" | "impact">;

/** A tool call with these arguments by whoever proposes it, for policies. */
export function proposedToolCall(
  ctx: CallContext,
  task: TaskRow,
  named: CalledTool,
  given: Readonly<Record<string, unknown>>,
): Proposal {
  const trust = startingTrust(ctx, task.version_id, task.skill);
  const tool = toolAsMarked(ctx, named);
  const { level, score, impact, likelihood } = callRisk(task, tool, trust.low);
  return {
    action: "tool.call",
    facts: {
      agent: agentSeen(ctx, task.agent),
      version: { number: task.version_number, id: task.version_id },
      skill: { name: task.skill },
      tool: { name: tool.name, effect: tool.effect },
      input: given,
      risk: { level, score, impact, likelihood },
      trust: { score: trust.score, low: trust.low, high: trust.high },
      spend: { task_usd: task.cost_usd },
    },
  };
}

/** A call's present risk and the approval that it needs; `said`: its policy results. */
export function judgeToolCall(
  ctx: CallContext,
  task: TaskRow,
  named: CalledTool,
  said: SaidOfRevision,
): { readonly risk: Risk; readonly demand: ApprovalDemand | null } {
  const tool = toolAsMarked(ctx, named);
  const risk = callRisk(task, tool, startingTrust(ctx, task.version_id, task.skill).low);
  return { risk, demand: tool.effect === "read" ? said.approval : approvalFor(ctx, risk, said.approval, false) };
}

/** A write has the risk of the call itself, a read that of its task. */
const callRisk = (task: TaskRow, tool: CalledTool, trustLow: number): Risk =>
  tool.effect === "read" ? riskNow(task, trustLow) : riskOfCall(tool, trustLow);

/**
 * Has a task that awaits the approval of a call await another one in its place; `events` is how many of the task's events the caller emits of it. Refuses with
 * `wrong_state` where the task no longer waits for the approval that it was loaded with.
 */
export async function putCallApproval(
  ctx: WriteContext,
  task: TaskRow,
  given: { readonly approvalId: string; readonly events: 0 | 1 },
): Promise<TaskRow> {
  const required = { id: task.id, from: ["awaiting_approval"], approval: task.approval_id } as const;
  const row = await updateTask(ctx, required, { approval_id: given.approvalId, events: given.events });
  if (row) return row;
  throw refuse(conflict, `The task is ${task.status}; only a call that awaits approval can be given other arguments.`);
}

/** Functions of approvals besides those in `approvals/requests`. */
interface ApprovalRounds {
  resubmit(
    ctx: WriteContext,
    task: TaskRow,
    input: Readonly<Record<string, unknown>>,
    said: SaidOfRevision,
  ): Promise<TaskRow>;
}

export const approvalRounds = definePort<ApprovalRounds>("approval rounds");
