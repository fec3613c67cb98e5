import type { ReadContext, WriteContext } from "../../../../kernel/context.ts";
import { refuse } from "../../../../kernel/errors.ts";
import type { HandoffCall } from "../../../../kernel/handoff.ts";
import { defineInside, exempt, governs, type InsideOperation } from "../../../../kernel/operation.ts";
import { conflict } from "../../../../kernel/problems.ts";
import { agentSeen } from "../../../tasks/public.ts";
import { deliverReply } from "../../channels/delivery-store.ts";
import { disclose } from "../../conversations/disclosure.ts";
import { appendEvents } from "../../conversations/event-store.ts";
import { changeMessage, messageView } from "../../conversations/message-store.ts";
import { postMessage } from "../../conversations/notices.ts";
import { type ConversationRow, findConversation, lockConversation } from "../../conversations/store.ts";
import { nobody } from "../../conversations/writers.ts";
import { handoffAssigned, handoffRequested, messageCompleted } from "../../events.ts";
import { handingWithoutBudget } from "../../handoffs/limits.ts";
import { handOverByAgent } from "../../handoffs/request.ts";
import { answeringVersion } from "../answering.ts";
import { nextTurn } from "../rules.ts";
import { changeTurn, findTurn, listOpenTurns, type TurnRow, turnChanged } from "../store.ts";

export interface HandOverTurn {
  readonly turn: string;
}

interface Loaded {
  readonly conversation: ConversationRow;
  readonly turn: TurnRow;
  readonly call: HandoffCall;
}
type Given = { params: HandOverTurn; query: undefined; body: undefined; loaded: Loaded };

/** A message for which no budget is left goes to the team that the agent's file names for limits. No task is made of it. */
export const handOverTurn: InsideOperation<HandOverTurn, { readonly message: string }> = defineInside({
  id: "chat.handOverTurn",
  summary: "Hand a message that no budget pays for to people",
  permission: exempt("a worker of the service itself; the agent's file says to whom"),
  load: (ctx, { turn }: HandOverTurn) => loadTurn(ctx, turn),
  gate: exempt("no agent acts; people answer"),
  compliance: governs("chat.handoff", (ctx, { loaded: { conversation, call } }: Given) => ({
    agent: agentSeen(ctx, conversation.agent),
    input: { team: call.team, cause: call.cause },
  })),
  audit: ({ params, loaded }) => ({
    object: loaded ? `conversation:${loaded.conversation.id}` : `turn:${params.turn}`,
    ...(loaded && { subject: loaded.conversation.id }),
  }),
  emits: [handoffRequested, handoffAssigned, messageCompleted],
  errors: [conflict],
  handle: async (ctx, { loaded }) => ({ message: await handOver(ctx, loaded) }),
});

async function loadTurn(ctx: ReadContext, id: string): Promise<Loaded | undefined> {
  const turn = await findTurn(ctx, id);
  const conversation = turn && (await findConversation(ctx, turn.conversation));
  if (!conversation) return undefined;
  const call = handingWithoutBudget(ctx, await answeringVersion(ctx, conversation));
  return call && { conversation, turn, call };
}

/** The text for the user is the reply to their message. */
async function handOver(ctx: WriteContext, { conversation: { id, agent }, turn, call }: Loaded): Promise<string> {
  const row = await lockConversation(ctx, id);
  const next = row && nextTurn(await listOpenTurns(ctx, id));
  if (!row || next?.id !== turn.id || next.task !== null || row.agent !== agent) throw noLonger();
  await disclose(ctx, row);
  const read = await changeMessage(ctx, turn.message, { status: "complete", completed_at: new Date(ctx.now) });
  await appendEvents(ctx, id, [{ type: "chat.message.changed", data: { message: messageView(read) } }]);
  const text = await handOverByAgent(ctx, id, { ...call, by: agent }, turn.id);
  if (text === null) throw noLonger();
  const reply = await postMessage(ctx, id, {
    id: ctx.newId("msg"),
    role: "agent",
    author: agent,
    author_name: agent,
    turn: turn.id,
    status: "complete",
    parts: [{ type: "text", text }],
    writers: nobody,
  });
  const end = { state: "completed", reply: reply.id, finished_at: new Date(ctx.now) } as const;
  await appendEvents(ctx, id, [turnChanged(await changeTurn(ctx, turn.id, end))]);
  await deliverReply(ctx, row, reply);
  ctx.emit(messageCompleted, {
    conversation_id: id,
    agent,
    channel: row.channel,
    message_id: reply.id,
    role: "agent",
  });
  ctx.note("no budget was left: handed to people");
  return reply.id;
}

const noLonger = () => refuse(conflict, "The turn is not the next one any more, or people have the conversation.");
