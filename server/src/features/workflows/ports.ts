import type { WriteContext } from "../../kernel/context.ts";
import type { Ending } from "../../kernel/event-stream.ts";
import { definePort } from "../../kernel/port.ts";
import type { Scope } from "../../kernel/principal.ts";
import type { RunLimits } from "../../kernel/verdict.ts";
import type { LiveSkill } from "../agents/public.ts";
import type { WorkflowRunEvent } from "./runs-schemas.ts";

// What workflows need of missions, which start runs themselves.

/** A task that a step of a mission's run is about to make. */
export interface MissionTaskRequest {
  readonly mission: string;
  readonly run: string;
  readonly step: string;
  readonly agent: string;
  readonly skill: LiveSkill;
  /** The most that it may cost by its agent's definition, in US dollars; null: nobody has said. */
  readonly most: number | null;
  /** Bounds that policies and the run set to it. */
  readonly limits: RunLimits | null;
}

/** Null: the mission was held because of the task, which waits until it goes on. */
export type MissionPermit = { readonly requireApproval: boolean; readonly limits: RunLimits } | null;

export interface MissionTasks {
  /**
   * Holds the most that a task may cost against the mission's budget, before the task is made in the same transaction. Throws `mission_holds` or
   * `mission_budget` where it has to wait.
   */
  reserve(ctx: WriteContext, request: MissionTaskRequest): Promise<MissionPermit>;
}
export const missionTasks = definePort<MissionTasks>("mission tasks");

/** What happens to runs of workflows, told to those who follow one in this process, whichever process did it. */
export interface RunEventsPort {
  /**
   * What changed of a run above the sequence `after`, in order. Ends with `over` when the run is over and all was told, and with nothing when `signal` is aborted or
   * the process drains. Throws `overloaded` where too many follow already.
   */
  follow(scope: Scope, run: string, after: number, signal: AbortSignal): AsyncIterable<WorkflowRunEvent, Ending>;
  /** Ends everything that follows. */
  stop(): void;
}
