import { Type } from "typebox";
import { defineEvent } from "../../kernel/events.ts";
import { RiskLevel, TaskId } from "../tasks/schemas.ts";
import { ApprovalId } from "./schemas.ts";

/** People have decided; the task's own event (`task.approved`, `task.rejected`) follows. */
export const approvalDecided = defineEvent({
  type: "approval.decided",
  summary: "People decided an approval.",
  schema: Type.Object({
    event: Type.Literal("approval.decided"),
    approval_id: ApprovalId,
    task_id: TaskId,
    agent: Type.String(),
    risk: RiskLevel,
    decision: Type.Enum(["approved", "rejected"]),
    decided_by: Type.String({ description: "Who cast the deciding vote, `mbr_…`." }),
    decided_at: Type.String({ format: "date-time" }),
    reason: Type.Union([Type.String(), Type.Null()], { description: "What was said with the deciding vote." }),
  }),
});
