/** What other slices may ask of tasks. */

export { type Accepting, acceptTask, type PinnedWork, type Work } from "./accept.ts";
export { answerTask } from "./answer-task.ts";
export { expireUnapproved, queueApprovedTask, queueSentBack, rejectTask } from "./approval-effects.ts";
export { approvalRounds } from "./approval-rounds.ts";
export { callDemand, steeredReason } from "./call-demand.ts";
export { cancelOpenTask } from "./cancel.ts";
export { contentDeciders, liveContentDeciders } from "./content-deciders.ts";
export { addDeciders, decidersOfTask } from "./deciders.ts";
export { judgeDraft } from "./draft-verdicts.ts";
export { closeEffects, isInDoubt, originsWith } from "./effects-of-steps.ts";
export { eraseTaskContents, listToolTexts } from "./erase.ts";
export { agentNotDeployed } from "./errors.ts";
export { lowestOfTask } from "./event-store.ts";
export {
  taskApprovalRequired,
  taskApproved,
  taskBlocked,
  taskCancelled,
  taskCompleted,
  taskCreated,
  taskExpired,
  taskFailed,
  taskInputRequired,
  taskRejected,
  taskStarted,
} from "./events.ts";
export { recordCompletion, recordFailure, triedAgain } from "./evidence.ts";
export { feedbackFaults, feedbackView } from "./feedback-model.ts";
export {
  listTaught,
  listTaughtInputs,
  listTaughtTasks,
  listTeachers,
  type Taught,
  type TaughtExample,
} from "./feedback-store.ts";
export {
  gateSource,
  type HoldableTask,
  type Holding,
  type Holds,
  holdableFields,
  holdsOfTasks,
  standingHolds,
} from "./held-by.ts";
export { taskQuestions } from "./inbox.ts";
export {
  agentSeen,
  approvalFor,
  declaredImpact,
  dispatchFaults,
  riskNow,
  riskOf,
  riskOfCall,
  startingTrust,
  subjectOf,
  trustOf,
  trustText,
} from "./model.ts";
export { countFailures, countTasks, type FailedWith } from "./open-counts.ts";
export { loadJudged, recordOutcome } from "./outcome.ts";
export { pinnedSkill } from "./pinned.ts";
export { ofWholeTasks, proposalFaults, proposedCall } from "./proposed.ts";
export { type Asked, answerFaults, outcomeOptions, outcomeQuestion } from "./question.ts";
export { moveQueuedTasks, runTask, runTaskJob, wakeQueuedTasks } from "./queue.ts";
export {
  digestOf,
  type EndDigests,
  endDigests,
  endSeal,
  intact,
  isIntact,
  type SealedTask,
  sealedColumns,
} from "./result.ts";
export {
  judgeRevision,
  judgeToolCall,
  proposedDispatch,
  proposedToolCall,
  putCallApproval,
  type Revision,
  reviseTask,
  type SaidOfRevision,
} from "./revise.ts";
export { advanceRunJob, settleTurnJob, shadowTaskJob, wakeConversation, wakeRun, wakeShadow } from "./run-wake.ts";
export { isFinal, statesBefore } from "./states.ts";
export { type CallRow, isStepIntact, listCalls, stepNotIntact, stepSeal } from "./steps.ts";
export {
  findTask,
  lockTask,
  newTasks,
  type TaskRow,
  type Transition,
  taskColumns,
  updateTask,
  updateTaskStatus,
} from "./store.ts";
export { isRepeatable, toolsAsMarked } from "./tool-effects.ts";
export { askedOf, eventOf, type RunColumns, runOf } from "./view.ts";
