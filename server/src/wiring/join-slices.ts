import {
  comparisons,
  dependentSources,
  draftJudge,
  healthSources,
  queuedTasks,
  trainingSources,
} from "../features/agents/public.ts";
import { resubmit } from "../features/approvals/public.ts";
import { dependentChannels, openTurn } from "../features/chat/public.ts";
import {
  dependentMonitors,
  findMissingComparison,
  findTrainingSet,
  gateStanding,
  readTrainingItems,
} from "../features/evaluations/public.ts";
import { budgetStandings, holdOn, proposals } from "../features/governance/public.ts";
import { baseFreshness } from "../features/knowledge/public.ts";
import { installCalls } from "../features/marketplace/install-calls.ts";
import { dependentMissions, reserveTask } from "../features/missions/public.ts";
import { conversationTurns } from "../features/runs/public.ts";
import { dependentSchedules } from "../features/schedules/public.ts";
import {
  approvalRounds,
  judgeDraft,
  listTaught,
  moveQueuedTasks,
  ofWholeTasks,
  proposalFaults,
  proposedCall,
  wakeQueuedTasks,
} from "../features/tasks/public.ts";
import { dependentWorkflows, missionTasks } from "../features/workflows/public.ts";
import { findInstallCall } from "./install-calls.ts";

/** Gives slices the functions of slices above them. */
export function joinSlices(): void {
  queuedTasks.join({ wake: wakeQueuedTasks, move: moveQueuedTasks });
  trainingSources.join({ listTaught, findDataset: findTrainingSet, readItems: readTrainingItems });
  comparisons.join({ findMissing: findMissingComparison });
  proposals.join({ ofWholeTasks, faults: proposalFaults, call: proposedCall });
  approvalRounds.join({ resubmit });
  conversationTurns.join({ open: openTurn });
  healthSources.join({ gate: gateStanding, hold: holdOn, budgets: budgetStandings, knowledge: baseFreshness });
  draftJudge.join(judgeDraft);
  installCalls.join(findInstallCall);
  missionTasks.join({ reserve: reserveTask });
  dependentSources.join([
    dependentWorkflows,
    dependentMissions,
    dependentChannels,
    dependentMonitors,
    dependentSchedules,
  ]);
}
