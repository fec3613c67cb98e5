import { confirmableConnection, confirmableKinds, standingKinds } from "../features/admin/public.ts";
import {
  comparisons,
  confirmableVersion,
  dependentSources,
  draftJudge,
  healthSources,
  queuedTasks,
  standingCanary,
  trainingSources,
} from "../features/agents/public.ts";
import { standingAlert, standingReport } from "../features/analytics/public.ts";
import { inboxSources, resubmit } from "../features/approvals/public.ts";
import {
  dependentChannels,
  listConversationTexts,
  listHistory,
  openTurn,
  standingChannel,
  waitingHandoffs,
} from "../features/chat/public.ts";
import {
  authorsOfDataset,
  confirmableDataset,
  decidersOfRun as decidersOfEvaluation,
  dependentMonitors,
  findMissingComparison,
  findTrainingSet,
  gateStanding,
  readTrainingItems,
  standingMonitor,
} from "../features/evaluations/public.ts";
import { budgetStandings, holdOn, proposals } from "../features/governance/public.ts";
import { baseFreshness, decidersOfDocument, standingConnector } from "../features/knowledge/public.ts";
import { installCalls } from "../features/marketplace/install-calls.ts";
import { decidersOfRecall } from "../features/marketplace/recall-store.ts";
import {
  decidersOfMissionText,
  dependentMissions,
  missionQuestions,
  reserveTask,
} from "../features/missions/public.ts";
import { conversationTexts, conversationTurns } from "../features/runs/public.ts";
import { confirmableSchedule, dependentSchedules, standingSchedule } from "../features/schedules/public.ts";
import {
  approvalRounds,
  judgeDraft,
  listTaught,
  listTeachers,
  moveQueuedTasks,
  ofWholeTasks,
  proposalFaults,
  proposedCall,
  taskQuestions,
  wakeQueuedTasks,
} from "../features/tasks/public.ts";
import { disabledWebhooks, standingWebhook } from "../features/webhooks/public.ts";
import {
  confirmableTrigger,
  confirmableWorkflow,
  deadRuns,
  dependentWorkflows,
  type EventSubjects,
  eventSubjects,
  missionTasks,
  standingTrigger,
  stoppedTriggers,
} from "../features/workflows/public.ts";
import type { WriteContext } from "../kernel/context.ts";
import type { IdPrefix } from "../kernel/ids.ts";
import { findInstallCall } from "./install-calls.ts";

const standing = [
  standingCanary,
  standingSchedule,
  standingTrigger,
  standingChannel,
  standingConnector,
  standingReport,
  standingAlert,
  standingMonitor,
  standingWebhook,
];

/** Prefixes of the ids of what stands in somebody's name; those that have none are named by their kind alone. */
const prefixes: Readonly<Record<string, IdPrefix>> = {
  schedule: "sch",
  trigger: "wtr",
  connector: "cnr",
  report: "rpt",
  alert: "alr",
  monitor: "mon",
  webhook: "whk",
};

/** Who decided what events say of an object, by the prefix of its id or by its kind. */
const subjects: EventSubjects = new Map([
  ["msn", decidersOfMissionText],
  ["doc", decidersOfDocument],
  ["run", decidersOfEvaluation],
  ["rcl", decidersOfRecall],
  ...standing.flatMap((one) => {
    const decidersOf = async (ctx: WriteContext, id: string) => (await one.find(ctx, id))?.deciders ?? [];
    return [one.kind, prefixes[one.kind] ?? one.kind].map((name) => [name, decidersOf] as const);
  }),
]);

/** Gives slices the functions of slices above them. */
export function joinSlices(): void {
  queuedTasks.join({ wake: wakeQueuedTasks, move: moveQueuedTasks });
  trainingSources.join({
    listTaught,
    listTeachers,
    findDataset: findTrainingSet,
    authorsOf: authorsOfDataset,
    readItems: readTrainingItems,
  });
  comparisons.join({ findMissing: findMissingComparison });
  proposals.join({ ofWholeTasks, faults: proposalFaults, call: proposedCall });
  approvalRounds.join({ resubmit });
  inboxSources.join([taskQuestions, missionQuestions, waitingHandoffs, deadRuns, stoppedTriggers, disabledWebhooks]);
  conversationTexts.join({ list: listConversationTexts, history: listHistory });
  conversationTurns.join({ open: openTurn });
  healthSources.join({ gate: gateStanding, hold: holdOn, budgets: budgetStandings, knowledge: baseFreshness });
  draftJudge.join(judgeDraft);
  installCalls.join(findInstallCall);
  missionTasks.join({ reserve: reserveTask });
  confirmableKinds.join([
    confirmableVersion,
    confirmableConnection,
    confirmableDataset,
    confirmableSchedule,
    confirmableTrigger,
    confirmableWorkflow,
  ]);
  standingKinds.join(standing);
  eventSubjects.join(subjects);
  dependentSources.join([
    dependentWorkflows,
    dependentMissions,
    dependentChannels,
    dependentMonitors,
    dependentSchedules,
  ]);
}
