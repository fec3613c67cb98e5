import type { TaskState } from "./schemas.ts";

/** The states of a task and where each leads (product: task states). */
const leavesTo: Readonly<Record<TaskState, readonly TaskState[]>> = {
  queued: ["running", "cancelled", "blocked", "expired", "awaiting_approval"],
  awaiting_approval: ["queued", "rejected", "expired", "cancelled"],
  running: ["completed", "failed", "awaiting_approval", "input_required", "blocked", "cancelled", "queued"],
  input_required: ["queued", "cancelled", "expired"],
  completed: [],
  failed: ["queued"],
  rejected: [],
  expired: [],
  blocked: ["queued"],
  cancelled: ["queued"],
};

/** The states that a state may leave to. `running` to `queued` is a lease given back. */
export function mayBecome(from: TaskState, to: TaskState): boolean {
  return leavesTo[from].includes(to);
}

/** The states from which a task may reach `to`. */
export function statesBefore(to: TaskState): TaskState[] {
  return (Object.keys(leavesTo) as TaskState[]).filter((from) => mayBecome(from, to));
}

const ends: ReadonlySet<TaskState> = new Set<TaskState>([
  "completed",
  "failed",
  "rejected",
  "expired",
  "blocked",
  "cancelled",
]);

/** Whether a task has come to an end, as far as it is known: some ends can be tried again. */
export function isFinal(state: TaskState): boolean {
  return ends.has(state);
}
