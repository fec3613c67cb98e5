import { type Held, type HoldView, holdOn } from "../governance/public.ts";
import type { TaskState } from "../tasks/schemas.ts";

/** What a run or a task that waits is about. */
export interface HeldWork {
  readonly agent: string;
  readonly versionId: string;
  readonly skill: string;
  /** The workflow whose step it is; null or left out: none's. */
  readonly workflow?: string | null;
}

/** What a run uses: a tool or a model; null: neither. */
export type HeldUse = { readonly tool: string } | { readonly model: string } | null;

/** The stop or pause that stands against running a task, or against its use of a tool or model; null: none. From memory. */
export function heldBy(view: HoldView, { agent, versionId, skill, workflow }: HeldWork, use: HeldUse): Held | null {
  const of = { agent, versionId, skill, ...(workflow && { workflow }) };
  if (use === null) return holdOn(view, "task.run", of);
  return "tool" in use ? holdOn(view, "tool.call", { ...of, ...use }) : holdOn(view, "model.call", { ...of, ...use });
}

/** What a hold says of a run: go on, go back to the queue before the next step, or end at once. */
export function runHold(held: Held | null): "go" | "give_back" | "stop" {
  if (held === null || held.mode === "drain") return "go";
  return held.mode === "pause" ? "give_back" : "stop";
}

/**
 * How a hold ends a task that is in this state; null: it leaves it. A stop cancels what runs and blocks what is queued; what waits for people goes on waiting,
 * and is blocked when it would start. Where it stops a tool only, it cancels the run whose call it broke off, and blocks the one that comes to it later.
 * An agent's pause that cancels ends everything open.
 */
export function endingUnder(held: Held | null, state: TaskState, aborted: boolean): "cancelled" | "blocked" | null {
  if (held?.mode === "cancel") return open.has(state) ? "cancelled" : null;
  if (held?.mode !== "stop") return null;
  if (state === "queued") return held.reach === "work" ? "blocked" : null;
  if (state !== "running") return null;
  return held.reach === "work" || aborted ? "cancelled" : "blocked";
}

const open: ReadonlySet<TaskState> = new Set(["queued", "awaiting_approval", "running", "input_required"]);
