import { Type } from "typebox";
import { storedActor } from "../../../kernel/actor.ts";
import type { WriteContext } from "../../../kernel/context.ts";
import { defineEvent, everyone } from "../../../kernel/events.ts";
import { type ActorReading, resolveActor } from "./actors.ts";

const common = {
  object: Type.String({ description: "What acts later, such as `trigger:wtr_…` and `schedule:sch_…`." }),
  owner: Type.String({ description: "In whose name it acts: `mbr_…`." }),
};

export const automationStopped = defineEvent({
  type: "automation.stopped",
  readers: everyone,
  summary:
    "A trigger, schedule, channel, connector, report, alert, monitor, webhook endpoint, audit sink or canary stopped, because its owner may no longer act.",
  schema: Type.Object({
    event: Type.Literal("automation.stopped"),
    ...common,
    reason: Type.String({ description: "Why, and what to do." }),
  }),
});

export const automationTakenOver = defineEvent({
  type: "automation.taken_over",
  readers: everyone,
  summary: "An automation has a new owner.",
  schema: Type.Object({ event: Type.Literal("automation.taken_over"), ...common }),
});

/** Why something stopped, for its row, list and event. `why`: from `resolveActor`. */
export const stoppedText = (why: string): string => `Stopped: ${why}. Somebody else can take it over.`;

/** Says that something stopped. The operation `emits` `automation.stopped`. */
export function tellStopped(ctx: WriteContext, object: string, owner: string, reason: string): void {
  ctx.emit(automationStopped, { object, owner, reason });
}

export interface ActingRow {
  readonly actor: unknown;
  readonly agents: readonly string[] | null;
}

/** Why it may not go on: a sentence without full stop; null: it may. */
export async function whyStopped(
  ctx: ActorReading,
  { actor, agents }: ActingRow,
  permission: string,
): Promise<string | null> {
  if (actor === null) return "nobody is recorded who set it up";
  return (await resolveActor(ctx, storedActor(actor), permission, agents)).stopped ?? null;
}

/** Says that something stops, and returns what its row says then. The operation `emits` `automation.stopped`. */
export function stop(ctx: WriteContext, object: string, { actor }: Pick<ActingRow, "actor">, why: string) {
  const stopped_reason = stoppedText(why);
  tellStopped(ctx, object, actor === null ? "unknown" : storedActor(actor).owner, stopped_reason);
  return { stopped_reason, stopped_at: new Date(ctx.now) };
}
