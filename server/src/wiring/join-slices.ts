import { comparisons, queuedTasks, trainingSources } from "../features/agents/public.ts";
import { resubmit } from "../features/approvals/public.ts";
import { openTurn } from "../features/chat/public.ts";
import { findMissingComparison, findTrainingSet, readTrainingItems } from "../features/evaluations/public.ts";
import { proposals } from "../features/governance/public.ts";
import { reserveTask } from "../features/missions/public.ts";
import { conversationTurns } from "../features/runs/public.ts";
import {
  approvalRounds,
  listTaught,
  moveQueuedTasks,
  ofWholeTasks,
  proposalFaults,
  proposedCall,
  wakeQueuedTasks,
} from "../features/tasks/public.ts";
import { missionTasks } from "../features/workflows/public.ts";

/** Gives slices the functions of slices above them. */
export function joinSlices(): void {
  queuedTasks.join({ wake: wakeQueuedTasks, move: moveQueuedTasks });
  trainingSources.join({ listTaught, findDataset: findTrainingSet, readItems: readTrainingItems });
  comparisons.join({ findMissing: findMissingComparison });
  proposals.join({ ofWholeTasks, faults: proposalFaults, call: proposedCall });
  approvalRounds.join({ resubmit });
  conversationTurns.join({ open: openTurn });
  missionTasks.join({ reserve: reserveTask });
}
