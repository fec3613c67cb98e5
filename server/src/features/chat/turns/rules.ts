import type { TaskState } from "../../tasks/schemas.ts";
import type { Turn } from "../schemas.ts";

// The states of a turn and how they follow from those of its task. A turn whose task goes on is `running`, unless another one is: then it is `queued` with a task.

type TurnState = Turn["state"];

const open: ReadonlySet<TurnState> = new Set(["queued", "running", "awaiting_approval", "input_required"]);
export const openStates = [...open];

/** A failed task can be retried, so this may change. */
export const isOpen = ({ state }: { readonly state: TurnState }): boolean => open.has(state);

const ofTask: Readonly<Record<TaskState, TurnState>> = {
  queued: "running",
  running: "running",
  awaiting_approval: "awaiting_approval",
  input_required: "input_required",
  completed: "completed",
  failed: "failed",
  expired: "failed",
  rejected: "blocked",
  blocked: "blocked",
  cancelled: "stopped",
};

/** `free`: no other turn is running. */
export function stateByTask(status: TaskState, free: boolean): TurnState {
  const state = ofTask[status];
  return state === "running" && !free ? "queued" : state;
}

interface TurnProgress {
  readonly state: TurnState;
  readonly task: string | null;
}

export const isBusy = (turns: readonly TurnProgress[]): boolean =>
  turns.some(({ state }) => state === "running" || state === "queued");

/** The first that waits, if none is running. `turns` are in order. */
export function nextTurn<T extends TurnProgress>(turns: readonly T[]): T | undefined {
  if (turns.some(({ state }) => state === "running")) return undefined;
  return turns.find(({ state, task }) => state === "queued" && task === null);
}
