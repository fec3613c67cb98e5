import { unite } from "../../../kernel/actor.ts";
import type { WriteContext } from "../../../kernel/context.ts";
import { refuse } from "../../../kernel/errors.ts";
import type { Participant } from "../../../kernel/principal.ts";
import { conflict } from "../../../kernel/problems.ts";
import type { RiskLevel } from "../../../kernel/risk.ts";
import { type ApprovalDemand, requirementKey, stricter } from "../../../kernel/verdict.ts";
import {
  type ApprovalRequest,
  approvalOfTask,
  type NewApprovalRow,
  newApprovals,
  type Requester,
  requesterOfRow,
} from "./request.ts";
import { expiryAgain, expiryOf } from "./rules.ts";
import { type ApprovalRow, type DemandingRow, demandOfRow, lockApproval } from "./store.ts";

// An approval that takes the place of another one is of the next round of it.

export interface RequestAgain extends Omit<ApprovalRequest, "demand" | "expiry" | "round" | "previousId" | "editedBy"> {
  readonly riskLevel: RiskLevel;
}

/**
 * Asks people again about a whole task whose approval no longer fits it. What was demanded stays demanded, an edit keeps its editor, and an
 * escalated approval stays escalated unless other rules ask (`staysEscalated`); the time to decide starts over. `input`: the task's stored input, which the earlier approval keeps.
 * Locks the earlier approval: call it before the task is locked, or after `lockApprovalBeforeTask`.
 */
export async function askAgain(
  ctx: WriteContext,
  earlier: string,
  request: RequestAgain,
  { demand, input }: { readonly demand: ApprovalDemand | null; readonly input: string },
): Promise<NewApprovalRow> {
  const before = await lockApproval(ctx, earlier);
  if (!before) throw refuse(conflict, "The task's earlier approval no longer exists; dispatch the work again.");
  const again = demandAgain(before, demand);
  const row = approvalOfTask({
    ...request,
    demand: again,
    expiry: expiryOf(ctx, request.riskLevel, again, expiryAgain(before), staysEscalated(before, again)),
    ...(await nextRound(ctx, before.id, request.requester)),
  });
  await keepInput(ctx, before.id, input);
  await insertRound(ctx, row, before, again);
  return row;
}

/** What an earlier round demanded, and what is demanded now. Its end is not among it: see `expiryAgain`. */
export const demandAgain = (round: DemandingRow, now: ApprovalDemand | null): ApprovalDemand =>
  stricter(demandOfRow(round), now) as ApprovalDemand;

/**
 * Whether the next round of an escalated approval is escalated too. Not where an approval rule asks that did not ask when it was escalated: admins took the
 * place of those whom the rules of then asked, and of nobody else.
 */
export function staysEscalated(
  before: Pick<ApprovalRow, "escalated_at"> & DemandingRow,
  { required_by = [] }: ApprovalDemand,
): boolean {
  const stood = new Set(demandOfRow(before).required_by.map(requirementKey));
  return (
    before.escalated_at !== null && required_by.every((one) => one.kind === "policy" || stood.has(requirementKey(one)))
  );
}

/**
 * Round, predecessor, editor and requesters of the approval that follows another one. A used-up approval of a tool call has no next round: what is asked for
 * after it is another call. Whoever counted as asking in one round counts in the next.
 */
export async function nextRound(
  ctx: WriteContext,
  approvalId: string | null,
  requester: Requester,
): Promise<Required<Pick<ApprovalRequest, "round" | "previousId" | "editedBy" | "requester">>> {
  const [earlier] = await ctx.db.query<EarlierRound>(
    `select round, case when tool is null or status = 'superseded' then edited_by end as edited_by, editor_accountable,
       requester, requester_accountable, requesters from approvals
     where organization = $1 and environment = $2 and id = $3 and (tool is null or status <> 'consumed')`,
    [ctx.scope.organization, ctx.scope.environment, approvalId],
  );
  if (!earlier) return { round: 1, previousId: null, editedBy: null, requester };
  const { round, edited_by: id, editor_accountable: accountable } = earlier;
  const persons = unite(requesterOfRow(earlier).persons, requester.persons);
  const editedBy: Participant | null = id === null ? null : { id, accountable };
  return { round: round + 1, previousId: approvalId, editedBy, requester: { id: requester.id, persons } };
}

type EarlierRound = Pick<
  ApprovalRow,
  "round" | "edited_by" | "editor_accountable" | "requester" | "requester_accountable" | "requesters"
>;

/** Copies the task's input into an approval whose round is over, before the task gets another input. */
export async function keepInput(ctx: WriteContext, id: string, input: string): Promise<void> {
  await ctx.db.query(
    "update approvals set arguments = coalesce(arguments, $4) where organization = $1 and environment = $2 and id = $3 and status <> 'pending'",
    [ctx.scope.organization, ctx.scope.environment, id, input],
  );
}

const notEscalated = { escalated_at: null, escalated_by: null };

export async function insertRound(
  ctx: WriteContext,
  row: NewApprovalRow,
  before: Pick<ApprovalRow, "escalated_at" | "escalated_by"> & DemandingRow,
  demand: ApprovalDemand,
): Promise<void> {
  const { escalated_at, escalated_by } = staysEscalated(before, demand) ? before : notEscalated;
  const values: Record<string, unknown> = { ...ctx.scope, ...row, escalated_at, escalated_by };
  const names = [...newApprovals.columns.map(([name]) => name), "escalated_at", "escalated_by"];
  await ctx.db.query(
    `insert into approvals (${names.join(", ")}) values (${names.map((_name, at) => `$${at + 1}`).join(", ")})`,
    names.map((name) => values[name]),
  );
}
