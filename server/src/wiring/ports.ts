import { connectionPort, signInPort, teamUses } from "../features/admin/ports.ts";
import { confirmableConnection, confirmableKinds, standingKinds } from "../features/admin/public.ts";
import { previewPort } from "../features/agents/ports.ts";
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
import { inboxSources, resubmit, rulesAsking } from "../features/approvals/public.ts";
import { auditPort, exportPort, sinkPort } from "../features/audit/ports.ts";
import { standingSink } from "../features/audit/public.ts";
import { channelPort, chatEventsPort } from "../features/chat/ports.ts";
import {
  dependentChannels,
  handOverByAgent,
  listConversationTexts,
  listHistory,
  openTurn,
  standingChannel,
  usesOfTeam,
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
import { policyPort } from "../features/governance/ports.ts";
import { budgetStandings, holdOn, proposals } from "../features/governance/public.ts";
import { workErasers as erasers, registry } from "../features/index.ts";
import { downloadPort, sourcePort } from "../features/knowledge/ports.ts";
import { baseFreshness, decidersOfDocument, standingConnector } from "../features/knowledge/public.ts";
import { bundleScanner } from "../features/marketplace/bundles/scanner.ts";
import { installCallIds, installCalls } from "../features/marketplace/installs/plan/calls.ts";
import { decidersOfRecall } from "../features/marketplace/recalls/store.ts";
import {
  decidersOfMissionText,
  dependentMissions,
  missionQuestions,
  reserveTask,
} from "../features/missions/public.ts";
import { confirmableSchedule, dependentSchedules, standingSchedule } from "../features/schedules/public.ts";
import { taskEventsPort } from "../features/tasks/ports.ts";
import {
  approvalRounds,
  conversationTexts,
  conversationTurns,
  judgeDraft,
  listTaught,
  listTeachers,
  moveQueuedTasks,
  ofWholeTasks,
  proposalFaults,
  proposedCall,
  taskQuestions,
  wakeQueuedTasks,
  workErasers,
} from "../features/tasks/public.ts";
import { toolPort } from "../features/tools/ports.ts";
import { eventFeedPort, webhookPort } from "../features/webhooks/ports.ts";
import { disabledWebhooks, standingWebhook } from "../features/webhooks/public.ts";
import { runEventsPort } from "../features/workflows/ports.ts";
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
import { embedder } from "../kernel/embedder.ts";
import type { Operation } from "../kernel/operation.ts";
import { createPorts, type JoinedPort, join, type PortReader } from "../kernel/port.ts";
import { reranker } from "../kernel/reranker.ts";
import { type StagePort, stagePort } from "../pipeline/ports.ts";
import type { MadeParts } from "./service-parts.ts";

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
  standingSink,
];

/** Who decided what events say of an object, by the prefix of its id or by its kind. */
const subjects: EventSubjects = new Map([
  ["msn", decidersOfMissionText],
  ["doc", decidersOfDocument],
  ["run", decidersOfEvaluation],
  ["rcl", decidersOfRecall],
  ...standing.flatMap((one) => {
    const decidersOf = async (ctx: WriteContext, id: string) => (await one.find(ctx, id))?.deciders ?? [];
    return [one.kind, one.prefix ?? one.kind].map((name) => [name, decidersOf] as const);
  }),
]);

/** Functions of slices that slices above them need: the same in every service. */
const sliceFunctions: readonly JoinedPort[] = [
  join(approvalRounds, { resubmit }),
  join(comparisons, { findMissing: findMissingComparison }),
  join(confirmableKinds, [
    confirmableVersion,
    confirmableConnection,
    confirmableDataset,
    confirmableSchedule,
    confirmableTrigger,
    confirmableWorkflow,
  ]),
  join(conversationTexts, { list: listConversationTexts, history: listHistory }),
  join(conversationTurns, { open: openTurn, handOver: handOverByAgent }),
  join(dependentSources, [
    dependentWorkflows,
    dependentMissions,
    dependentChannels,
    dependentMonitors,
    dependentSchedules,
  ]),
  join(draftJudge, judgeDraft),
  join(eventSubjects, subjects),
  join(healthSources, { gate: gateStanding, hold: holdOn, budgets: budgetStandings, knowledge: baseFreshness }),
  join(inboxSources, [taskQuestions, missionQuestions, waitingHandoffs, deadRuns, stoppedTriggers, disabledWebhooks]),
  join(installCalls, operationsOf(installCallIds)),
  join(missionTasks, { reserve: reserveTask }),
  join(proposals, { ofWholeTasks, faults: proposalFaults, call: proposedCall }),
  join(queuedTasks, { wake: wakeQueuedTasks, move: moveQueuedTasks }),
  join(standingKinds, standing),
  join(teamUses, async (ctx, team) => [...(await usesOfTeam(ctx, team)), ...(await rulesAsking(ctx, team))]),
  join(trainingSources, {
    listTaught,
    listTeachers,
    findDataset: findTrainingSet,
    authorsOf: authorsOfDataset,
    readItems: readTrainingItems,
  }),
  join(workErasers, erasers),
];

function operationsOf<Id extends string>(ids: readonly Id[]): Readonly<Record<Id, Operation>> {
  return Object.fromEntries(ids.map((id) => [id, registry.operation(id)])) as Record<Id, Operation>;
}

/** What a service has for every port. Throws, naming it, if one is missing. */
export function joinPorts(parts: MadeParts, stages: StagePort): PortReader["port"] {
  return createPorts([
    ...sliceFunctions,
    join(auditPort, parts.audit),
    join(bundleScanner, parts.bundleScanner),
    join(channelPort, parts.channels),
    join(chatEventsPort, parts.chatEvents),
    join(connectionPort, parts.connections),
    join(downloadPort, parts.downloads),
    join(embedder, parts.embedding),
    join(eventFeedPort, parts.events),
    join(exportPort, parts.exports),
    join(policyPort, parts.policies),
    join(previewPort, parts.previews),
    join(reranker, parts.reranking),
    join(runEventsPort, parts.runEvents),
    join(signInPort, parts.signIn),
    join(sinkPort, parts.sinks),
    join(sourcePort, parts.sources),
    join(stagePort, stages),
    join(taskEventsPort, parts.taskEvents),
    join(toolPort, parts.tools),
    join(webhookPort, parts.webhooks),
  ]);
}
