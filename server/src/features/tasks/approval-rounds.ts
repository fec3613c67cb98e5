import type { WriteContext } from "../../kernel/context.ts";
import { definePort } from "../../kernel/port.ts";
import type { SaidOfRevision } from "./revise.ts";
import type { TaskRow } from "./store.ts";

/** What tasks ask of approvals besides what is in `approvals/requests`. */
export interface ApprovalRounds {
  /** See `resubmit` of approvals. */
  resubmit(
    ctx: WriteContext,
    task: TaskRow,
    input: Readonly<Record<string, unknown>>,
    said: SaidOfRevision,
  ): Promise<TaskRow>;
}

export const approvalRounds = definePort<ApprovalRounds>("approval rounds");
