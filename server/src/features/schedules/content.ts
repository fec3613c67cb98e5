import { settersAmong, storedActor } from "../../kernel/actor.ts";
import { nextTime } from "../../kernel/schedule.ts";
import { type ConfirmableKind, defineStanding, digestOfContent } from "../admin/public.ts";
import { schedules } from "./resource.ts";
import { changeSchedule } from "./store.ts";
import type { ScheduleRow } from "./view.ts";

/** The name of a schedule among what people confirm and take over. */
export const scheduleObject = (id: string): string => `schedule:${id}`;

/** What a schedule dispatches and when, as a second person confirms it. */
export const scheduleContent = ({
  id,
  agent,
  definition,
  actor,
}: Pick<ScheduleRow, "id" | "agent" | "definition" | "actor">) => ({
  object: scheduleObject(id),
  digest: digestOfContent({ agent, definition }),
  deciders: settersAmong(storedActor(actor).persons),
});

const pathOf = ({ agent }: ScheduleRow): string => `/v1/agents/${agent}/schedules`;

export const confirmableSchedule: ConfirmableKind = {
  kind: "schedule",
  permission: "agents:read",
  async find(ctx, id) {
    const row = await schedules.rows.find(ctx, id);
    return row && { ...scheduleContent(row), agents: [row.agent], path: pathOf(row) };
  },
};

export const standingSchedule = defineStanding({
  kind: "schedule",
  prefix: "sch",
  permission: "tasks:write",
  part: "schedule",
  async find(ctx, id) {
    const row = await schedules.rows.find(ctx, id);
    if (!row) return undefined;
    const { object, deciders } = scheduleContent(row);
    const { stopped_reason: stoppedReason, agent } = row;
    return { object, actor: storedActor(row.actor), deciders, stoppedReason, agents: [agent], path: pathOf(row) };
  },
  lock: schedules.rows.lock,
  async give(ctx, row, actor) {
    const next_at =
      row.stopped_reason === null || row.paused_at !== null ? row.next_at : nextTime(row.definition, ctx.now);
    await changeSchedule(ctx, row.id, { next_at }, actor);
  },
});
