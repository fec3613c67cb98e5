import { isoTime } from "../../../../kernel/clock.ts";
import { refuse } from "../../../../kernel/errors.ts";
import { notYourDelegation } from "../errors.ts";
import { delegationRemoved } from "../events.ts";
import { delegations } from "../resource.ts";
import { RemovedDelegation } from "../schemas.ts";

export const removeDelegation = delegations.removeOperation({
  id: "approvals.removeDelegation",
  summary: "End a delegation",
  description:
    "Either of the two removes it, or an admin. What was voted by it before stands, with both names; of an approval that waits it counts as it was cast.",
  output: RemovedDelegation,
  emits: [delegationRemoved],
  errors: [notYourDelegation],
  async remove(ctx, row) {
    const { id, from_member: from, to_member: to } = row;
    const own = [from, to].includes(ctx.principal.id);
    if (!own && ctx.principal.role !== "admin")
      throw refuse(notYourDelegation, `It is a delegation of ${from} to ${to}; only they or an admin remove it.`, {
        stage: "permissions",
      });
    await delegations.rows.remove(ctx, id);
    const dates = { starts_at: isoTime(row.starts_at), ends_at: isoTime(row.ends_at) };
    ctx.emit(delegationRemoved, { delegation_id: id, from, to, ...dates });
  },
});
