import type { WriteContext } from "../../kernel/context.ts";
import type { Ending } from "../../kernel/event-stream.ts";
import { definePort } from "../../kernel/port.ts";
import type { Scope } from "../../kernel/principal.ts";
import type { RunLimits } from "../../kernel/verdict.ts";
import type { LiveSkill } from "../agents/public.ts";
import type { WorkflowRunEvent } from "./runs/schemas.ts";

// What workflows need of missions, which start runs themselves.

/** A task that a step of a mission's run is about to dispatch. */
export interface MissionTaskRequest {
  readonly mission: string;
  readonly run: string;
  readonly step: string;
  readonly agent: string;
  readonly skill: LiveSkill;
  /** The most that it may cost by its agent's definition, in US dollars; null: unknown. */
  readonly most: number | null;
  readonly limits: RunLimits | null;
}

/** Null: the mission was put on hold; the task waits until it is resumed. */
export type MissionPermit = { readonly requireApproval: boolean; readonly limits: RunLimits } | null;

interface MissionTasks {
  /**
   * Holds the most that a task may cost against the mission's budget, before the task is made in the same transaction. Throws `mission_holds` or
   * `mission_budget` where it has to wait.
   */
  reserve(ctx: WriteContext, request: MissionTaskRequest): Promise<MissionPermit>;
}
export const missionTasks = definePort<MissionTasks>("mission tasks");

/** Events of workflow runs, for those who follow one in this process, whichever process made them. */
export interface RunEventsPort {
  /**
   * What changed of a run above the sequence `after`, in order. Ends with `over` when the run is over and all was sent, and with nothing when `signal` is aborted or
   * the process drains. Throws `overloaded` where too many follow already.
   */
  follow(scope: Scope, run: string, after: number, signal: AbortSignal): AsyncIterable<WorkflowRunEvent, Ending>;
  stop(): void;
}
export const runEventsPort = definePort<RunEventsPort>("events of runs");
