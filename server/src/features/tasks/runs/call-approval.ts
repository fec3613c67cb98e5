import { isDeepStrictEqual } from "node:util";
import { insertRow } from "../../../db/insert-row.ts";
import type { ReadContext, WriteContext } from "../../../kernel/context.ts";
import { directOf } from "../../../kernel/direct-skills.ts";
import type { Risk } from "../../../kernel/risk.ts";
import { titleOf } from "../../../kernel/title.ts";
import { type ApprovalDemand, stricter } from "../../../kernel/verdict.ts";
import type { RunnableTool } from "../../agents/schemas.ts";
import {
  approvalMeets,
  approvalOfCall,
  consumeApproval,
  editedCall,
  expiryOf,
  isConsumedFor,
  newApprovals,
  nextRound,
  saidOfCall,
  summaryToTell,
  supersedeApproval,
} from "../../approvals/requests/public.ts";
import { addDeciders } from "../dispatch/deciders.ts";
import { taskApprovalRequired } from "../events.ts";
import { decidersOfPassages } from "./conversation-turns.ts";
import { connectionsOf, inputOfRow, type LoadedTask, requesterOf } from "./rules.ts";
import { awaitCallApproval } from "./store.ts";

// Approval of tool calls in the middle of a run: exactly this call, once.

export interface Call {
  readonly work: LoadedTask;
  readonly tool: RunnableTool;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** With placeholders, as the run sees them. */
  readonly shown: Readonly<Record<string, unknown>>;
  readonly owner: string;
  readonly again: boolean;
}

/** The state of a call's approval: go on, ask (again), or people edited it. */
export type Said = { readonly kind: "go" } | { readonly kind: "ask"; readonly demand: ApprovalDemand } | SentBack;
interface SentBack {
  readonly kind: "sent_back";
  readonly note: string;
}

/**
 * Uses the approval of exactly this call up, in the transaction that writes down that it begins: it runs once. One whose step was begun before has used its
 * approval already. The approval of its task counts as well, where it covers the call and is at least as strict as what is demanded of it.
 */
export async function saidBefore(ctx: WriteContext, call: Call, demand: ApprovalDemand | null): Promise<Said> {
  const { row } = call.work;
  if (row.call_approval && row.approval_id !== null) {
    const said = await saidOfCall(ctx, row.approval_id, actionOf(call));
    if (said?.same && said.status === "changes_requested")
      return { kind: "sent_back", note: said.reason ?? "People want it otherwise." };
    if (said?.same && said.status === "consumed" && call.again) return { kind: "go" };
    if (said?.same && said.status === "approved")
      return approved(ctx, call, row.approval_id, { given: said.demand, now: demand });
  }
  if (demand === null || (await isApprovedWithTask(ctx, call, demand))) return { kind: "go" };
  return { kind: "ask", demand };
}

async function approved(
  ctx: WriteContext,
  call: Call,
  id: string,
  { given, now: demand }: { given: ApprovalDemand; now: ApprovalDemand | null },
): Promise<Said> {
  if ((await consumeApproval(ctx, id, actionOf(call), connectionsOf(call.work))) === "lapsed") {
    const both = stricter(given, demand) ?? given;
    return { kind: "ask", demand: { ...both, reasons: [...new Set(both.reasons)] } };
  }
  if (demand === null || (await approvalMeets(ctx, id, demand))) return { kind: "go" };
  await supersedeApproval(ctx, id);
  return { kind: "ask", demand };
}

/** A read is approved with its task; so is the only write of a task whose arguments are the task's input. */
async function isApprovedWithTask(ctx: WriteContext, call: Call, demand: ApprovalDemand): Promise<boolean> {
  const { row } = call.work;
  if (call.tool.effect !== "read" && !isWholeTask(call)) return false;
  const id = (row.call_approval ? row.run_approval_id : row.approval_id) ?? row.covered_by;
  return (
    id !== null && (await isConsumedFor(ctx, id, connectionsOf(call.work))) && (await approvalMeets(ctx, id, demand))
  );
}

function isWholeTask({ work: { row }, tool, arguments: given }: Call): boolean {
  const direct = directOf(row.skill);
  return typeof direct === "object" && direct.tool === tool.name && isDeepStrictEqual(given, inputOfRow(row));
}

/** The call that approvers made of this one by editing it, if they did. Queried before the task is locked. */
export function editedBefore(
  ctx: ReadContext | WriteContext,
  call: Omit<Call, "owner" | "shown">,
): ReturnType<typeof editedCall> {
  const { row } = call.work;
  if (!row.call_approval || row.approval_id === null) return Promise.resolve(null);
  return editedCall(ctx, row.approval_id, actionOf(call), call.again);
}

const actionOf = ({ work: { row }, tool, arguments: given }: Omit<Call, "owner" | "again" | "shown">) => ({
  agent: row.agent,
  version: row.version_id,
  skill: row.skill,
  tool: tool.name,
  arguments: given,
});

/** Asks for approval of exactly this call: the task waits and gives up its lease. Returns the approval's id. */
export async function askForCall(ctx: WriteContext, call: Call, risk: Risk, demand: ApprovalDemand): Promise<string> {
  const { row } = call.work;
  const passages = await decidersOfPassages(ctx, row, call);
  const approval = approvalOfCall({
    id: ctx.newId("apr"),
    nonce: ctx.newId("req").slice(4),
    taskId: row.id,
    title: titleOf(call.tool.title, call.arguments) ?? row.title,
    action: actionOf(call),
    versionNumber: row.version_number,
    riskLevel: risk.level,
    demand,
    ...(await nextRound(ctx, row.call_approval ? row.approval_id : null, await requesterOf(ctx, call.work, passages))),
    expiry: expiryOf(ctx, risk.level, demand, null),
  });
  const waiting = await awaitCallApproval(ctx, row, call.owner, approval.id);
  if (passages.length > 0) await addDeciders(ctx, waiting, passages);
  await insertRow(ctx, newApprovals, approval);
  ctx.aboutApproval(approval.id);
  const approve_url = `${ctx.appUrl}/approvals/${row.id}`;
  const body = {
    task_id: row.id,
    agent: row.agent,
    risk: risk.level,
    summary: summaryToTell(row, approval),
    approve_url,
  };
  ctx.emit(taskApprovalRequired, body, { id: row.id, sequence: waiting.event_count });
  return approval.id;
}
