/** What other slices may ask of tasks. */
export { queueApprovedTask, rejectTask } from "./approval-effects.ts";
export { taskApproved, taskRejected } from "./events.ts";
export { findTask, lockTask, type TaskRow } from "./store.ts";
