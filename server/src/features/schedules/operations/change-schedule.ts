import { asEarlier, settersAmong, storedActor, withDeciders } from "../../../kernel/actor.ts";
import { changedMeanwhile } from "../../../kernel/changed-meanwhile.ts";
import type { WriteContext } from "../../../kernel/context.ts";
import { refuse } from "../../../kernel/errors.ts";
import { defineOperation, exempt } from "../../../kernel/operation.ts";
import { notFound } from "../../../kernel/problems.ts";
import { nextTime } from "../../../kernel/schedule.ts";
import { agentNotDeployed } from "../../tasks/public.ts";
import { scheduleObject } from "../content.ts";
import { scheduleNotPossible } from "../errors.ts";
import { exampleSchedule } from "../example.ts";
import { type LoadedSchedule, schedules } from "../resource.ts";
import { actorFor, changedDefinition, definitionFaults, requireLive, sameTimes } from "../rules.ts";
import { ChangeAgentScheduleBody } from "../schemas.ts";
import { changeSchedule as changeRow, type ScheduleChange } from "../store.ts";
import type { ScheduleRow } from "../view.ts";

export const changeSchedule = defineOperation({
  ...schedules.changeOfOne(),
  ...schedules.answer,
  id: "agents.changeSchedule",
  method: "PATCH",
  summary: "Change, pause or resume a schedule",
  description:
    "What is left out stays. `paused` stops it and lets it go on; times between are left out. Where anything else changes, its tasks have the permissions of the service account that `as` names, else " +
    "of whoever changes it.",
  body: ChangeAgentScheduleBody,
  example: {
    params: { agent: exampleSchedule.agent, schedule: exampleSchedule.schedule_id },
    body: { paused: true, reason: "Holidays." },
    output: {
      ...exampleSchedule,
      paused: { since: "2026-11-21T10:00:00.000Z", by: exampleSchedule.created_by, reason: "Holidays." },
      next_at: null,
      revision: 2,
    },
  },
  mayMatch: ({ row }: LoadedSchedule) => row.revision,
  validate: ({ now }, { body, loaded: { row, known } }) =>
    isChanged(body) ? definitionFaults(known, changedDefinition(row.definition, body), now) : [],
  gate: exempt("makes no agent act yet; each task that it dispatches passes the gate"),
  errors: [agentNotDeployed, scheduleNotPossible],
  async handle(ctx, { loaded: { row: seen, known }, body }) {
    const row = await schedules.rows.lock(ctx, seen.id);
    if (!row) throw refuse(notFound, "The schedule was removed.");
    if (row.revision !== seen.revision && (ctx.basedOnLoaded || isChanged(body))) throw changedMeanwhile();
    if (isChanged(body)) requireLive(ctx, known);
    const definition = changedDefinition(row.definition, body);
    const clock = clockAfter(ctx, row, { ...body, definition });
    const changed = isChanged(body)
      ? await changeRow(ctx, row.id, { definition, ...clock }, await changedActor(ctx, row, body.as))
      : await changeRow(ctx, row.id, clock);
    return schedules.view(changed as ScheduleRow, ctx);
  },
});

/** Whoever changes a schedule is its owner; those before decided what they left in it. */
async function changedActor(ctx: WriteContext, row: Pick<ScheduleRow, "id" | "actor">, account: string | undefined) {
  const earlier = asEarlier(settersAmong(storedActor(row.actor).persons), "schedule", scheduleObject(row.id));
  return withDeciders(await actorFor(ctx, account), earlier);
}

/** Whether anything but the pause changes. */
const isChanged = ({ paused: _paused, reason: _reason, ...members }: ChangeAgentScheduleBody): boolean =>
  Object.keys(members).length > 0;

type Row = Pick<ScheduleRow, "paused_at" | "stopped_reason" | "definition">;

function clockAfter(
  ctx: WriteContext,
  row: Row,
  { paused, reason, definition }: Pick<ChangeAgentScheduleBody, "paused" | "reason"> & Pick<Row, "definition">,
): ScheduleChange {
  const none = { next_at: null, due_at: null, try_at: null };
  const isPaused = paused ?? row.paused_at !== null;
  if (isPaused && paused === undefined) return {};
  if (isPaused) {
    const pause = {
      paused_at: row.paused_at ?? new Date(ctx.now),
      paused_by: ctx.principal.id,
      pause_reason: reason ?? null,
    };
    return { ...none, ...pause };
  }
  if (row.paused_at === null && row.stopped_reason === null && sameTimes(row.definition, definition)) return {};
  return { ...none, next_at: nextTime(definition, ctx.now), paused_at: null, paused_by: null, pause_reason: null };
}
