import { Type } from "typebox";
import { asEarlier, settersAmong, storedActor, withDeciders } from "../../../kernel/actor.ts";
import { changedMeanwhile } from "../../../kernel/changed-meanwhile.ts";
import type { ReadContext, WriteContext } from "../../../kernel/context.ts";
import { refuse } from "../../../kernel/errors.ts";
import { defineOperation, exempt, governs } from "../../../kernel/operation.ts";
import { notFound } from "../../../kernel/problems.ts";
import { nextTime } from "../../../kernel/schedule.ts";
import { findKnownAgent, type KnownAgent } from "../../agents/public.ts";
import { AgentName } from "../../agents/schemas.ts";
import { agentNotDeployed } from "../../tasks/public.ts";
import { scheduleObject } from "../schedule-content.ts";
import { scheduleNotPossible } from "../schedule-errors.ts";
import { exampleSchedule } from "../schedule-example.ts";
import { actorFor, changedDefinition, definitionFaults, requireLive, sameTimes } from "../schedule-model.ts";
import {
  changeSchedule as changeRow,
  findOwnSchedule,
  findSchedule,
  lockSchedule,
  type ScheduleChange,
  type ScheduleRow,
} from "../schedule-store.ts";
import { scheduleView } from "../schedule-view.ts";
import { AgentSchedule, AgentScheduleId, ChangeAgentScheduleBody } from "../schemas.ts";

export interface LoadedSchedule {
  readonly row: ScheduleRow;
  readonly known: KnownAgent;
}

export async function loadSchedule(
  ctx: ReadContext,
  { agent, schedule }: { agent: string; schedule: string },
): Promise<LoadedSchedule | undefined> {
  const known = findKnownAgent(ctx, agent);
  const row = known && (await findOwnSchedule(ctx, agent, schedule));
  return row && { row, known };
}

export const seenOfSchedule = (_ctx: unknown, { loaded: { known } }: { loaded: LoadedSchedule }) => ({
  agent: { name: known.agent, labels: known.labels },
});

export const changeSchedule = defineOperation({
  id: "agents.changeSchedule",
  method: "PATCH",
  path: "/v1/agents/{agent}/schedules/{schedule}",
  summary: "Change, pause or resume a schedule",
  description:
    "What is left out stays. `paused` stops it and lets it go on; times between are left out. Where anything else changes, its tasks have the permissions of the service account that `as` names, else " +
    "of whoever changes it.",
  params: Type.Object({ agent: AgentName, schedule: AgentScheduleId }),
  body: ChangeAgentScheduleBody,
  output: AgentSchedule,
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
  revision: ({ revision }) => revision,
  revisionOfPart: true,
  mayMatch: ({ row }: LoadedSchedule) => row.revision,
  permission: "agents:write",
  load: loadSchedule,
  validate: ({ now }, { body, loaded: { row, known } }) =>
    isChanged(body) ? definitionFaults(known, changedDefinition(row.definition, body), now) : [],
  gate: exempt("makes no agent act yet; each task that it dispatches passes the gate"),
  decides: "trigger",
  compliance: governs("agent.schedule", seenOfSchedule),
  audit: ({ params }) => `schedule:${params.schedule}`,
  errors: [agentNotDeployed, scheduleNotPossible],
  async handle(ctx, { loaded: { row: seen, known }, body }) {
    const row = await lockSchedule(ctx, seen.id);
    if (!row) throw refuse(notFound, "The schedule was removed.");
    if (row.revision !== seen.revision && (ctx.basedOnLoaded || isChanged(body))) throw changedMeanwhile();
    if (isChanged(body)) requireLive(ctx, known);
    const definition = changedDefinition(row.definition, body);
    const clock = clockAfter(ctx, row, { ...body, definition });
    if (isChanged(body)) await changeRow(ctx, row.id, { definition, ...clock }, await changedActor(ctx, row, body.as));
    else await changeRow(ctx, row.id, clock);
    return scheduleView((await findSchedule(ctx, row.id)) as ScheduleRow, ctx.now);
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
