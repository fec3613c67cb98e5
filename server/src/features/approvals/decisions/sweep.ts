import { Refusal } from "../../../kernel/errors.ts";
import type { Sweep, SweepParts } from "../../../kernel/machines.ts";
import type { InsideOperation } from "../../../kernel/operation.ts";
import { conflict } from "../../../kernel/problems.ts";
import { expireApproval } from "./operations/expire-approval.ts";
import { remind } from "./operations/remind.ts";
import { type ApprovalAddress, listExpiringApprovals, listOverdueApprovals } from "./store.ts";

const most = 500;

export const expireApprovals: Sweep = {
  name: "approvals.expire",
  run: async (parts) => each(parts, expireApproval, await listOverdueApprovals(parts.db, new Date(parts.now), most)),
};

export const remindOfApprovals: Sweep = {
  name: "approvals.remind",
  run: async (parts) => each(parts, remind, await listExpiringApprovals(parts.db, new Date(parts.now), most)),
};

/** One after the other. Whoever decides meanwhile is faster; any other fault is thrown at the end. */
async function each<O>(
  { inside }: SweepParts,
  operation: InsideOperation<{ readonly approval: string }, O>,
  approvals: readonly ApprovalAddress[],
): Promise<void> {
  const faults: unknown[] = [];
  for (const { organization, environment, id } of approvals) {
    await inside(operation, { organization, environment }, { approval: id }).catch((error: unknown) => {
      if (!(error instanceof Refusal && error.type.code === conflict.code)) faults.push(error);
    });
  }
  if (faults.length > 0) throw new AggregateError(faults, `${faults.length} approvals were not taken care of`);
}
