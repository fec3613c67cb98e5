import { Type } from "typebox";
import { actorOfCall } from "../../../../kernel/actor.ts";
import type { ReadContext, WriteContext } from "../../../../kernel/context.ts";
import { refuse } from "../../../../kernel/errors.ts";
import { defineOperation, exempt, governs } from "../../../../kernel/operation.ts";
import type { Governed } from "../../../../kernel/verdict.ts";
import { agentNotDeployed, taskApprovalRequired, taskCreated } from "../../../tasks/public.ts";
import { findMessage, type MessageRow } from "../../conversations/message-store.ts";
import { ConversationParams } from "../../conversations/operation-parts.ts";
import { awaitReply, streamTurn } from "../../conversations/stream.ts";
import { conversationBusy, conversationIsClosed, notAnsweredAgain } from "../../errors.ts";
import { messageCompleted } from "../../events.ts";
import { exampleConversation, exampleMessage, exampleSent } from "../../example.ts";
import { peopleAnswer } from "../../handoffs/rules.ts";
import { MessageId, type ReplyOptions, Sent } from "../../schemas.ts";
import { answeringOf } from "../answering.ts";
import { beginTurn } from "../begin.ts";
import { lockOpenConversation } from "../control.ts";
import { optionsOfTurn, storedOptions } from "../options.ts";
import { isBusy, isOpen } from "../rules.ts";
import { loadSending, type Sending, type SendingFacts, sendingFacts, sendingSpends, sentAt } from "../send.ts";
import { settleTurns } from "../settle.ts";
import { addTurn, findLatestTurn, findTurn } from "../store.ts";

interface Loaded extends Sending {
  /** `asked` is null if it answers nothing. */
  readonly reply: MessageRow;
  readonly asked: MessageRow | null;
  /** How the reply was wanted. */
  readonly options: ReplyOptions;
}
type Given = { readonly loaded: Loaded };

const said = ({ asked, options }: Loaded) => ({ text: asked?.body ?? "", options });

export const regenerateMessage = defineOperation({
  id: "chat.regenerateMessage",
  method: "POST",
  path: "/v1/chat/conversations/{conversation}/messages/{message}/regenerate",
  status: 202,
  summary: "Have a message answered again",
  description:
    "Has the agent write its latest reply again, as a task of its own. The earlier reply is kept, with `replaced_by`, and the agent does not see it. What it did stays done.",
  params: Type.Object({ ...ConversationParams.properties, message: MessageId }),
  output: Sent,
  location: sentAt,
  waitable: true,
  streams: {
    "text/event-stream": (ctx, { loaded, output }) => streamTurn(ctx, loaded.conversation.id, output),
  },
  awaits: (ctx, { loaded, output }) => awaitReply(ctx, loaded.conversation.id, output),
  example: {
    params: { conversation: exampleConversation.conversation_id, message: exampleMessage.message_id },
    output: exampleSent,
  },
  permission: "chat:write",
  load: (ctx, { conversation, message }) => loadReply(ctx, conversation, message),
  gate: (ctx, { loaded: { agent, conversation, answering } }: Given) =>
    peopleAnswer(conversation) ? [] : { agent, versionId: answeringOf(ctx, agent, answering).version.id },
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
});

async function loadReply(ctx: ReadContext, conversation: string, message: string): Promise<Loaded | undefined> {
  const sending = await loadSending(ctx, conversation);
  const reply = sending && (await findMessage(ctx, message));
  if (!sending || reply?.conversation !== conversation) return undefined;
  const turn = reply.turn === null || reply.role !== "agent" ? undefined : await findTurn(ctx, reply.turn);
  const asked = (turn && (await findMessage(ctx, turn.message))) ?? null;
  return { ...sending, reply, asked, options: (turn ? optionsOfTurn(turn) : {}) as ReplyOptions };
}

const isThere = (asked: MessageRow | null): asked is MessageRow => asked !== null && asked.status !== "retracted";

async function answerAgain(
  ctx: WriteContext,
  { conversation: { id, agent }, reply, asked, options }: Loaded,
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
    peopleAnswer(row) ||
    latest?.id !== reply.turn ||
    isOpen(latest)
  )
    throw refuse(notAnsweredAgain, "Only the agent's latest reply can be regenerated, once it is complete.");
  const actor = actorOfCall(ctx);
  const turn = await addTurn(ctx, actor, id, { message: asked.id, options: storedOptions(options) });
  const begun = await beginTurn(ctx, { conversation: row, turn, ...judged, governed, actor, after: reply.number - 1 });
  return {
    conversation_id: id,
    message_id: asked.id,
    turn_id: begun.id,
    state: "running",
    reply_id: null,
    task_id: begun.task,
    reply: null,
    sequence: row.sequence,
    trust_score: judged.work.trust.score,
    audit_ref: ctx.auditRef,
  };
}
