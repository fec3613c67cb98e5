/** What other slices may ask of tasks. */

export { type Accepting, acceptTask, type PinnedWork, type Work } from "./dispatch/accept.ts";
export { addDeciders, contentDeciders, decidersOfTask, liveContentDeciders, pinnedSkill } from "./dispatch/deciders.ts";
export {
  callDemand,
  judgeDraft,
  ofWholeTasks,
  proposalFaults,
  proposedCall,
  steeredReason,
} from "./dispatch/draft-verdicts.ts";
export {
  approvalRounds,
  judgeRevision,
  judgeToolCall,
  proposedDispatch,
  proposedToolCall,
  putCallApproval,
  type Revision,
  reviseTask,
  type SaidOfRevision,
} from "./dispatch/revise.ts";
export {
  agentSeen,
  approvalFor,
  declaredImpact,
  dispatchFaults,
  isRepeatable,
  riskNow,
  riskOf,
  riskOfCall,
  startingTrust,
  subjectOf,
  toolsAsMarked,
  trustOf,
  trustText,
} from "./dispatch/rules.ts";
export { agentNotDeployed } from "./errors.ts";
export { lowestOfTask } from "./events/store.ts";
export {
  taskApprovalRequired,
  taskApproved,
  taskBlocked,
  taskCancelled,
  taskCommented,
  taskCompleted,
  taskCreated,
  taskExpired,
  taskFailed,
  taskInputRequired,
  taskRejected,
  taskStarted,
} from "./events.ts";
export { loadJudged, recordCompletion, recordFailure, recordOutcome, triedAgain } from "./feedback/outcome.ts";
export { feedbackFaults, feedbackView } from "./feedback/rules.ts";
export {
  listTaught,
  listTaughtInputs,
  listTaughtTasks,
  listTeachers,
  type Taught,
  type TaughtExample,
} from "./feedback/store.ts";
export {
  type ConversationText,
  conversationTexts,
  conversationTurns,
  type OpenTurn,
  type TurnParts,
} from "./runs/conversation-turns.ts";
export { findData } from "./runs/find-data.ts";
export type { LoadedTask } from "./runs/rules.ts";
export { redactForTask } from "./steps/redactions.ts";
export {
  type CallRow,
  closeEffects,
  isInDoubt,
  isStepIntact,
  listCalls,
  originsWith,
  stepNotIntact,
  stepSeal,
} from "./steps/seal.ts";
export type { LeaseKey } from "./steps/store.ts";
export {
  cancelOpenTask,
  expireUnapproved,
  queueApprovedTask,
  queueSentBack,
  rejectTask,
} from "./tasks/approval-effects.ts";
export { eraseWork, workErasers } from "./tasks/erase-store.ts";
export {
  gateSource,
  type HoldableTask,
  type Holding,
  type Holds,
  holdableFields,
  holdsOfTasks,
  standingHolds,
} from "./tasks/held-by.ts";
export { countFailures, countTasks, type FailedWith, taskQuestions } from "./tasks/list-store.ts";
export {
  answerCalls,
  answerFaults,
  answerTask,
  type BroughtResult,
  outcomeOptions,
  outcomeQuestion,
} from "./tasks/question.ts";
export { moveQueuedTasks, runTask, runTaskJob, wakeQueuedTasks } from "./tasks/queue.ts";
export {
  digestOf,
  type EndDigests,
  endDigests,
  endSeal,
  intact,
  isIntact,
  type SealedTask,
  sealedColumns,
} from "./tasks/result.ts";
export {
  type Asked,
  advanceRunJob,
  type HandedCall,
  isFinal,
  settleTurnJob,
  shadowTaskJob,
  statesBefore,
  taskJson,
  wakeConversation,
  wakeRun,
  wakeShadow,
} from "./tasks/row.ts";
export {
  findTask,
  lockTask,
  newTasks,
  type TaskRow,
  type Transition,
  taskColumns,
  updateTask,
  updateTaskStatus,
} from "./tasks/store.ts";
export { askedOf, eventOf, type RunColumns, runOf } from "./tasks/view.ts";
