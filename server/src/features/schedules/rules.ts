import { isDeepStrictEqual } from "node:util";
import { type Actor, actorOfCall } from "../../kernel/actor.ts";
import type { CallContext, WriteContext } from "../../kernel/context.ts";
import type { Retries } from "../../kernel/due.ts";
import { type Fault, refuse } from "../../kernel/errors.ts";
import { dueTimes, scheduleFaults } from "../../kernel/schedule.ts";
import { accountNamed } from "../admin/public.ts";
import type { KnownAgent } from "../agents/public.ts";
import { agentNotDeployed, dispatchFaults } from "../tasks/public.ts";
import { scheduleNotPossible } from "./errors.ts";
import type { AgentScheduleDefinition, ChangeAgentScheduleBody, CreateAgentScheduleBody } from "./schemas.ts";

/** What is wrong with the task of a schedule, whose input stands under `input` only. */
export const taskFaults: typeof dispatchFaults = (agent, body) =>
  dispatchFaults(agent, body).map((fault) => {
    const pointer = fault.pointer ?? "";
    return /^\/(task|input)(\/|$)/.test(pointer) ? fault : { ...fault, pointer: `/input${pointer}` };
  });

/** What is wrong with a schedule besides its form: its times, its skill, or an input that the skill does not take. */
export function definitionFaults(agent: KnownAgent, definition: AgentScheduleDefinition, now: number): Fault[] {
  const { task, input = {} } = definition;
  return [...scheduleFaults(definition, "", now), ...taskFaults(agent, { task, input })];
}

/** Nothing is checked, and nothing could be dispatched, where no version is live. */
export function requireLive({ scope }: CallContext, { agent, live }: KnownAgent): void {
  if (!live) throw refuse(agentNotDeployed, `${agent} is not deployed in ${scope.environment}.`);
}

/** In whose name the tasks are: of the service account that the caller names, else of the caller. */
export async function actorFor(ctx: WriteContext, account: string | undefined): Promise<Actor> {
  const { principal } = ctx;
  if (principal.scopes !== null && !principal.scopes.includes("tasks:write"))
    throw impossible({
      pointer: "",
      code: "exceeds_caller",
      detail: "takes tasks:write, which your key's scopes leave out",
    });
  if (account === undefined) return actorOfCall(ctx);
  const found = await accountNamed(ctx, account, "/as");
  if ("detail" in found) throw impossible(found);
  return found;
}

const impossible = (fault: Fault): Error =>
  refuse(scheduleNotPossible, `${fault.pointer}: ${fault.detail}.`, { errors: [fault] });

export function definitionOf({ as: _as, ...definition }: CreateAgentScheduleBody): AgentScheduleDefinition {
  return definition;
}

/** A definition with what a change says in place of it. */
export function changedDefinition(
  definition: AgentScheduleDefinition,
  { as: _as, paused: _paused, reason: _reason, budget, ...members }: ChangeAgentScheduleBody,
): AgentScheduleDefinition {
  const { budget: before, ...rest } = { ...definition, ...members };
  const limit = budget === undefined ? before : budget;
  return { ...rest, ...(limit ? { budget: limit } : {}) };
}

/** Whether the times are the same, so that what is due stays so. */
export const sameTimes = (one: AgentScheduleDefinition, other: AgentScheduleDefinition): boolean =>
  isDeepStrictEqual([one.schedule, one.time_zone ?? "UTC"], [other.schedule, other.time_zone ?? "UTC"]);

export interface Planned {
  /** The time for which a task is due now; null: none. */
  readonly due: Date | null;
  readonly next: Date | null;
  readonly skipped: { readonly at: Date; readonly reason: "overlap" | "missed" } | null;
}

/** What becomes of the times that have come of a schedule that was next due at `nextAt`. `isOpen`: the task before is not over. */
export function planTimes(definition: AgentScheduleDefinition, nextAt: number, now: number, isOpen: boolean): Planned {
  const { overlap = "skip" } = definition;
  const { fire, next } = dueTimes(definition, nextAt, now);
  const at = fire.at(-1) ?? null;
  if (at === null) return { due: null, next, skipped: { at: new Date(nextAt), reason: "missed" } };
  if (isOpen && overlap === "skip") return { due: null, next, skipped: { at, reason: "overlap" } };
  return { due: at, next, skipped: null };
}

const leastPause = 60_000;
const longestPause = 3_600_000;

/** A dispatch that was refused is tried each time after twice as long, an hour at most. */
export const retries: Retries = {
  passing: new Set(["kill_switch_engaged", "agent_paused", "budget_exhausted"]),
  pause: (at, now) => Math.min(longestPause, Math.max(leastPause, now - at)),
};
