import { Type } from "typebox";
import { actorOfCall } from "../../../kernel/actor.ts";
import type { ReadContext, WriteContext } from "../../../kernel/context.ts";
import { refuse } from "../../../kernel/errors.ts";
import { defineOperation, exempt, governs } from "../../../kernel/operation.ts";
import { withPorts } from "../../../kernel/slice.ts";
import type { Governed } from "../../../kernel/verdict.ts";
import { agentNotDeployed, taskApprovalRequired, taskCreated } from "../../tasks/public.ts";
import { beginTurn } from "../begin-turn.ts";
import { conversationBusy, conversationIsClosed, notAnsweredAgain } from "../errors.ts";
import { messageCompleted } from "../events.ts";
import { exampleConversation, exampleMessage, exampleSent } from "../example.ts";
import { ConversationParams } from "../list-store.ts";
import { findMessage, type MessageRow } from "../message-store.ts";
import { MessageId, Sent } from "../schemas.ts";
import { loadSending, type Sending, type SendingFacts, sendingFacts, sendingSpends, sentAt } from "../send-turn.ts";
import { settleTurns } from "../settle-turns.ts";
import { awaitReply, streamTurn } from "../stream.ts";
import { lockOpenConversation } from "../turn-control.ts";
import { isBusy, isOpen } from "../turn-model.ts";
import { addTurn, findLatestTurn, findTurn } from "../turn-store.ts";
import { answeringOf } from "../turn-version.ts";

interface Loaded extends Sending {
  /** The reply, and what it answers; null: it answers nothing. */
  readonly reply: MessageRow;
  readonly asked: MessageRow | null;
}
type Given = { readonly loaded: Loaded };

/** What the user wrote, as if they wrote it now. */
const said = ({ asked }: Loaded) => ({ text: asked?.body ?? "" });

export const regenerateMessage = withPorts(({ chatEvents: port }) =>
  defineOperation({
    id: "chat.regenerateMessage",
    method: "POST",
    path: "/v1/chat/conversations/{conversation}/messages/{message}/regenerate",
    status: 202,
    summary: "Have a message answered again",
    description:
      "Has the agent write its latest reply anew, as a task of its own. The earlier reply is kept, with `replaced_by`, and the agent does not see it. What it did stays done.",
    params: Type.Object({ ...ConversationParams.properties, message: MessageId }),
    output: Sent,
    location: sentAt,
    waitable: true,
    streams: {
      "text/event-stream": (ctx, { loaded, output }) => streamTurn(ctx, port, loaded.conversation.id, output),
    },
    awaits: (ctx, { loaded, output }) => awaitReply(ctx, port, loaded.conversation.id, output),
    example: {
      params: { conversation: exampleConversation.conversation_id, message: exampleMessage.message_id },
      output: exampleSent,
    },
    permission: "chat:write",
    load: (ctx, { conversation, message }) => loadReply(ctx, conversation, message),
    gate: (ctx, { loaded: { agent, conversation, answering } }: Given) =>
      conversation.handler !== null ? [] : { agent, versionId: answeringOf(ctx, agent, answering).version.id },
    decides: exempt("gives no text; a message is answered again"),
    compliance: governs("chat.message", (ctx, { loaded }: Given) => sendingFacts(ctx, loaded, said(loaded)), {
      waits: true,
      inputOf: "task",
      readFacts: (_ctx, { loaded: { agent } }) => ({ agent: { name: agent, labels: [] } }),
      spends: sendingSpends,
    }),
    audit: ({ params, output }) => ({
      object: `conversation:${params.conversation}`,
      subject: params.conversation,
      task: output?.task_id ?? null,
      trust: output?.trust_score ?? null,
    }),
    emits: [taskCreated, taskApprovalRequired, messageCompleted],
    errors: [agentNotDeployed, conversationIsClosed, conversationBusy, notAnsweredAgain],
    handle: (ctx, { loaded, facts, governed }) => answerAgain(ctx, loaded, { turn: facts.turn, governed }),
  }),
);

async function loadReply(ctx: ReadContext, conversation: string, message: string): Promise<Loaded | undefined> {
  const sending = await loadSending(ctx, conversation);
  const reply = sending && (await findMessage(ctx, message));
  if (!sending || reply?.conversation !== conversation) return undefined;
  const turn = reply.turn === null || reply.role !== "agent" ? undefined : await findTurn(ctx, reply.turn);
  return { ...sending, reply, asked: (turn && (await findMessage(ctx, turn.message))) ?? null };
}

const isThere = (asked: MessageRow | null): asked is MessageRow => asked !== null && asked.status !== "retracted";

async function answerAgain(
  ctx: WriteContext,
  { conversation: { id, agent }, reply, asked }: Loaded,
  { turn: judged, governed }: Pick<SendingFacts, "turn"> & { readonly governed: Governed },
): Promise<Sent> {
  const row = await lockOpenConversation(ctx, id);
  const turns = await settleTurns(ctx, row);
  if (isBusy(turns))
    throw refuse(conversationBusy, "The agent is answering a message.", { headers: { "Retry-After": "2" } });
  const latest = await findLatestTurn(ctx, id);
  if (
    !judged ||
    !isThere(asked) ||
    row.agent !== agent ||
    row.handler !== null ||
    latest?.id !== reply.turn ||
    isOpen(latest)
  )
    throw refuse(notAnsweredAgain, "Only the agent's latest reply can be written anew, once it is over.");
  const actor = actorOfCall(ctx);
  const turn = await addTurn(ctx, actor, id, { message: asked.id });
  const begun = await beginTurn(ctx, { conversation: row, turn, ...judged, governed, actor, after: reply.number - 1 });
  return {
    conversation_id: id,
    ...{ message_id: asked.id, turn_id: begun.id, state: "running", reply_id: null, task_id: begun.task, reply: null },
    ...{ sequence: row.sequence, trust_score: judged.work.trust.score, audit_ref: ctx.auditRef },
  };
}
