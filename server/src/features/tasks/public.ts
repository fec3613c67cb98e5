/** What other slices may ask of tasks. */

export { expireUnapproved, queueApprovedTask, queueSentBack, rejectTask } from "./approval-effects.ts";
export { approvalRounds } from "./approvals-port.ts";
export { taskApprovalRequired, taskApproved, taskExpired, taskRejected } from "./events.ts";
export { feedbackFaults } from "./feedback-model.ts";
export { listTaught, listTaughtInputs, listTaughtTasks, type Taught, type TaughtExample } from "./feedback-store.ts";
export { subjectOf } from "./model.ts";
export { moveQueuedTasks } from "./move-store.ts";
export { loadJudged, recordOutcome } from "./outcome.ts";
export { pinnedSkill } from "./pinned.ts";
export { ofWholeTasks, proposalFaults, proposedCall } from "./proposed.ts";
export { intact, isIntact, type SealedTask, sealedColumns } from "./result.ts";
export { judgeRevision, proposedDispatch, type Revision, reviseTask, type SaidOfRevision } from "./revise.ts";
export { judgeToolCall, proposedToolCall, putCallApproval } from "./revise-call.ts";
export { isFinal } from "./states.ts";
export { findTask, lockTask, type TaskRow } from "./store.ts";
export { wakeQueuedTasks } from "./wake-store.ts";
