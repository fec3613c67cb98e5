import type { WriteContext } from "../../../kernel/context.ts";
import type { HandoffCause } from "../../../kernel/handoff.ts";
import { afterOpenSeconds, type KnownTeam, teamFacts } from "../../admin/public.ts";
import { listLatest, messageView } from "../conversations/message-store.ts";
import { publishConversation } from "../conversations/notices.ts";
import { lockConversation } from "../conversations/store.ts";
import { handoffAssigned, handoffRequested } from "../events.ts";
import { type ConversationLocked, leaveLine, stopTurns } from "../turns/control.ts";
import { listOpenTurns } from "../turns/store.ts";
import { chooseMember } from "./assign.ts";
import { changeConversation, eventSubject } from "./effects.ts";
import { writeSummary } from "./jobs/summarise.ts";
import { quotedSummary, type StoredHandoff, teamAnswers } from "./rules.ts";
import { endHandovers, insertHandover } from "./store.ts";
import { waitingText } from "./texts.ts";

export interface Asked {
  readonly team: KnownTeam | null;
  readonly member: string | null;
  readonly cause: HandoffCause;
  readonly reason: string;
  /** By id; the agent's name where the agent asked. */
  readonly by: string;
}

/** Has a conversation wait for people. The conversation is locked. */
export async function requestPeople(ctx: WriteContext, row: ConversationLocked, asked: Asked): Promise<void> {
  const { team, cause, reason, by } = asked;
  const at = new Date(ctx.now);
  const member = asked.member ?? (team && (await chooseMember(ctx, team)));
  const handoff: StoredHandoff = {
    to: "person",
    team: team?.name ?? null,
    cause,
    member,
    reason,
    summary: quotedSummary((await listLatest(ctx, row.id, 50)).map(messageView)),
    summary_generated: false,
    requested_by: by,
    requested_at: at.toISOString(),
    taken_at: null,
  };
  await endHandovers(ctx, row.id);
  await insertHandover(ctx, {
    id: ctx.newId("hnd"),
    conversation: row.id,
    agent: row.agent,
    channel: row.channel,
    team: team?.name ?? null,
    cause,
    requested_at: at,
    ...duesOf(team, ctx.now),
    member,
    assigned_at: member === null ? null : at,
  });
  await changeConversation(ctx, row.id, { handoff: JSON.stringify(handoff), handler: null, handler_since: null });
  ctx.emit(handoffRequested, { ...eventSubject(row), team: team?.name ?? null, cause });
  if (member !== null && asked.member === null)
    ctx.emit(handoffAssigned, { ...eventSubject(row), team: team?.name ?? null, member });
  ctx.enqueue(writeSummary(ctx.scope, row.id));
}

function duesOf(team: KnownTeam | null, now: number) {
  const due = (seconds: number | undefined): Date | null => {
    const at = team && seconds !== undefined ? afterOpenSeconds(team.hours, now, seconds) : null;
    return at === null ? null : new Date(at);
  };
  return {
    waiting_due_at: due(team?.targets.waiting_seconds),
    answer_due_at: due(team?.targets.first_answer_seconds),
  };
}

export interface Handing {
  readonly team: string;
  readonly cause: HandoffCause;
  readonly reason: string;
  readonly by: string;
}

/**
 * An agent's run hands its conversation to a team. Messages that wait in line are for the people. Returns the text for the user. Null: people have it already, it is
 * closed, or the team was removed. `answered`: the turn whose reply that text becomes.
 */
export async function handOverByAgent(
  ctx: WriteContext,
  conversation: string,
  handing: Handing,
  answered?: string,
): Promise<string | null> {
  const row = await lockConversation(ctx, conversation);
  const team = ctx.facts.get(teamFacts).find(ctx.scope, handing.team);
  if (row?.state !== "open" || row.handler !== null || teamAnswers(row) || !team) return null;
  const open = await listOpenTurns(ctx, conversation);
  for (const turn of open) if (turn.task === null && turn.id !== answered) await leaveLine(ctx, turn);
  const asking = open.filter(({ task, state }) => task !== null && state === "input_required");
  if (asking.length > 0) await stopTurns(ctx, row, asking, "The conversation was handed to people.");
  await requestPeople(ctx, row, { ...handing, team, member: null });
  await publishConversation(ctx, conversation);
  return waitingText(ctx, team, row);
}
