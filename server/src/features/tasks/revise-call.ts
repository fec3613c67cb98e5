import type { CallContext, WriteContext } from "../../kernel/context.ts";
import { refuse } from "../../kernel/errors.ts";
import type { Proposal } from "../../kernel/operation.ts";
import { conflict } from "../../kernel/problems.ts";
import type { Risk } from "../../kernel/risk.ts";
import type { ApprovalDemand } from "../../kernel/verdict.ts";
import type { ToolDefinition } from "../agents/schemas.ts";
import { agentSeen, approvalFor, riskNow, riskOfCall, startingTrust } from "./model.ts";
import type { SaidOfRevision } from "./revise.ts";
import { type TaskRow, taskColumns } from "./store.ts";
import { toolAsMarked } from "./tool-effects.ts";

// A call that waits for people, with other arguments than the agent wanted.

/** What of a tool decides how its calls are judged. */
type CalledTool = Pick<ToolDefinition, "name" | "effect" | "impact">;

/** A call of a task's tool as policies judge it with these arguments: by who proposes it. */
export function proposedToolCall(
  ctx: CallContext,
  task: TaskRow,
  named: CalledTool,
  given: Readonly<Record<string, unknown>>,
): Proposal {
  const trust = startingTrust(ctx, task.version_id, task.skill);
  const tool = toolAsMarked(ctx, named);
  const { level, score, impact, likelihood } = riskOf(task, tool, trust.low);
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

/** What a call's risk is by now, and what it demands of people; `said`: what policies said of it. */
export function judgeToolCall(
  ctx: CallContext,
  task: TaskRow,
  named: CalledTool,
  said: SaidOfRevision,
): { readonly risk: Risk; readonly demand: ApprovalDemand | null } {
  const tool = toolAsMarked(ctx, named);
  const risk = riskOf(task, tool, startingTrust(ctx, task.version_id, task.skill).low);
  return { risk, demand: tool.effect === "read" ? said.approval : approvalFor(ctx, risk, said.approval, false) };
}

/** The risk of a write is that of the call itself, of a read that of its task. */
const riskOf = (task: TaskRow, tool: CalledTool, trustLow: number): Risk =>
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
  const rows = await ctx.db.query<TaskRow>(
    `update tasks set approval_id = $5, event_count = event_count + $6, updated_at = now()
     where organization = $1 and environment = $2 and id = $3 and status = 'awaiting_approval' and call_approval and approval_id = $4 returning ${taskColumns}`,
    [ctx.scope.organization, ctx.scope.environment, task.id, task.approval_id, given.approvalId, given.events],
  );
  if (rows[0]) return rows[0];
  throw refuse(conflict, `The task is ${task.status}; only a call that awaits approval can be given other arguments.`);
}
