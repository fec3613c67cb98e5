import type { ReadContext, WriteContext } from "../../../kernel/context.ts";
import { callerOf } from "../decisions/load.ts";
import { type Caller, type Deciding, mayDecide, seatOf } from "../decisions/rules.ts";
import type { Party } from "../party.ts";
import { findApproval } from "../requests/store.ts";

/** For whom a caller's vote would be cast, by a delegation for a time; null: for nobody, or they may not vote. */
export function standingInFor(caller: Caller, approval: Deciding): Party | null {
  const seat = seatOf(caller, approval);
  if ("bar" in seat || seat.delegation === null || !mayDecide(caller, approval).allowed) return null;
  const found = caller.standIns.find(({ id }) => id === seat.delegation);
  return found ? { id: found.for, name: found.name, kind: "person" } : null;
}

export interface WithStandIn<R> {
  readonly row: R;
  readonly standingInFor: Party | null;
}

/** Rows of lists with whom the caller stands in for with each; `approvalOf`: the id of its approval, null where it is of none. */
export async function withStandIns<R>(
  ctx: ReadContext | WriteContext,
  rows: readonly R[],
  approvalOf: (row: R) => string | null,
): Promise<WithStandIn<R>[]> {
  const caller = rows.length === 0 ? null : await callerOf(ctx);
  if (!caller || caller.standIns.length === 0) return rows.map((row) => ({ row, standingInFor: null }));
  return Promise.all(
    rows.map(async (row) => {
      const id = approvalOf(row);
      const approval = id === null ? undefined : await findApproval(ctx, id);
      return { row, standingInFor: approval ? standingInFor(caller, approval) : null };
    }),
  );
}
