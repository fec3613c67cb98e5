import { exempt } from "../../../kernel/operation.ts";
import { schedules } from "../resource.ts";
import { RemovedAgentSchedule } from "../schemas.ts";
import { removeSchedule as removeRow } from "../store.ts";

export const removeSchedule = schedules.removeOperation({
  id: "agents.removeSchedule",
  summary: "Remove a schedule",
  description: "It dispatches no further task; those that it has dispatched go on.",
  output: RemovedAgentSchedule,
  decides: exempt("stops a schedule; gives no input"),
  remove: (ctx, { id }) => removeRow(ctx, id),
});
