import { actorOfCall } from "../../../kernel/actor.ts";
import { nothingUsed } from "../../../kernel/budget.ts";
import type { CallContext, ReadContext, WriteContext } from "../../../kernel/context.ts";
import { refuse } from "../../../kernel/errors.ts";
import { conflict } from "../../../kernel/problems.ts";
import type { Governed } from "../../../kernel/verdict.ts";
import { agentSeen, wakeConversation } from "../../tasks/public.ts";
import { appendEvents } from "../conversations/event-store.ts";
import { addMessage, type MessageRow, messageView } from "../conversations/message-store.ts";
import { nameConversation } from "../conversations/rules.ts";
import { type ConversationRow, findConversation } from "../conversations/store.ts";
import { writersOf } from "../conversations/writers.ts";
import { conversationBusy } from "../errors.ts";
import { messageCompleted } from "../events.ts";
import { nameOf } from "../handoffs/effects.ts";
import { peopleAnswer } from "../handoffs/rules.ts";
import type { SendMessageBody, Sent } from "../schemas.ts";
import { type Answering, answeringOf, answeringVersion, turnFacts } from "./answering.ts";
import { beginTurn } from "./begin.ts";
import { answerTurn, type ConversationLocked, filesOf, lockOpenConversation, stopTurns } from "./control.ts";
import { inInput, storedOptions } from "./options.ts";
import { isBusy } from "./rules.ts";
import { settleTurns } from "./settle.ts";
import { addTurn, type TurnRow } from "./store.ts";

/** `answering` is null where a person answers or the agent is not deployed. */
export interface Sending {
  readonly agent: string;
  readonly conversation: ConversationRow;
  readonly answering: Answering | null;
}

export async function loadSending(ctx: ReadContext, id: string): Promise<Sending | undefined> {
  const conversation = await findConversation(ctx, id);
  if (!conversation) return undefined;
  const answering = !peopleAnswer(conversation) ? await answeringVersion(ctx, conversation) : undefined;
  return { agent: conversation.agent, conversation, answering: answering ?? null };
}

export const sendingSpends = ({ principal }: CallContext, { loaded: { agent } }: { readonly loaded: Sending }) => ({
  agent,
  keyId: principal.keyId,
  principal: principal.id,
  demand: { tasks: 1 },
});

/** `turn` is null where a person answers. */
export function sendingFacts(
  ctx: CallContext,
  { agent, conversation, answering }: Sending,
  body: Pick<SendMessageBody, "text" | "files" | "as" | "options">,
) {
  const { id, messages } = conversation;
  const files = body.files?.length ? { files: body.files } : {};
  const input = { message: body.text, conversation: id, after: messages, ...files, ...inInput(body.options) };
  if (peopleAnswer(conversation) || body.as === "person") return { agent: agentSeen(ctx, agent), input, turn: null };
  const from = answeringOf(ctx, agent, answering);
  const { work, ...facts } = turnFacts(ctx, from, input);
  return { ...facts, turn: { answering: from, work } };
}

export type SendingFacts = ReturnType<typeof sendingFacts>;
type Judged = Pick<SendingFacts, "turn"> & { readonly governed: Governed };

export async function sendAsUser(
  ctx: WriteContext,
  { conversation: loaded }: Sending,
  body: SendMessageBody,
  { turn: judged, governed }: Judged,
): Promise<Sent> {
  const row = await lockOpenConversation(ctx, loaded.id);
  if (row.agent !== loaded.agent || peopleAnswer(row) === (judged !== null))
    throw refuse(conflict, "Somebody else answers in the conversation by now; send the message again.");
  const parts = [{ type: "text" as const, text: body.text }, ...(await filesOf(ctx, row.id, body.files))];
  await nameConversation(ctx, row, body.text);
  const add = (status: "complete" | "queued") => addFromUser(ctx, row, { status, parts });
  const sent = {
    conversation_id: row.id,
    sequence: row.sequence,
    audit_ref: ctx.auditRef,
    reply: null,
    trust_score: null,
  };
  if (!judged) {
    ctx.spent(nothingUsed);
    const message = await add("complete");
    return { ...sent, message_id: message.id, state: "with_person", turn_id: null, reply_id: null, task_id: null };
  }
  const turns = await settleTurns(ctx, row);
  const answered = await answerTurn(ctx, turns, body.text, writersOf(ctx, row.id));
  if (answered) {
    ctx.spent(nothingUsed);
    const message = await add("complete");
    await settleTurns(ctx, row);
    return { ...sent, message_id: message.id, state: "answered", ...placeOf(answered) };
  }
  // Without a budget the turn waits for the worker, which hands the conversation to people as the agent's file says.
  const busy = ctx.unpaid || isBusy(await giveWay(ctx, row, turns, body.when_busy));
  const message = await add(busy ? "queued" : "complete");
  const actor = actorOfCall(ctx);
  const turn = await addTurn(ctx, actor, row.id, { message: message.id, options: storedOptions(body.options) });
  if (busy) {
    ctx.spent(nothingUsed);
    if (ctx.unpaid) ctx.enqueue(wakeConversation(ctx.scope, row.id, turn.id));
    return { ...sent, message_id: message.id, state: "queued", ...placeOf(turn) };
  }
  const begun = await beginTurn(ctx, { conversation: row, turn, message, ...judged, governed, actor });
  const { score } = judged.work.trust;
  return { ...sent, message_id: message.id, state: "running", ...placeOf(begun), trust_score: score };
}

export const sentAt = ({ conversation_id, message_id }: Sent): string =>
  `/v1/chat/conversations/${conversation_id}/messages/${message_id}`;

const placeOf = ({ id, reply, task }: TurnRow) => ({ turn_id: id, reply_id: reply, task_id: task });

async function giveWay(
  ctx: WriteContext,
  row: ConversationLocked,
  turns: readonly TurnRow[],
  whenBusy: SendMessageBody["when_busy"] = "queue",
): Promise<readonly TurnRow[]> {
  if (!isBusy(turns) || whenBusy === "queue") return turns;
  if (whenBusy === "interrupt") {
    const inTheWay = turns.filter(({ state }) => state === "running" || state === "queued");
    return stopTurns(ctx, row, inTheWay, "The user sent another message.");
  }
  throw refuse(conversationBusy, "The agent is answering an earlier message.", { headers: { "Retry-After": "2" } });
}

async function addFromUser(
  ctx: WriteContext,
  { id, agent, channel, end_user }: ConversationLocked,
  message: Pick<Parameters<typeof addMessage>[2], "status" | "parts">,
): Promise<MessageRow> {
  const author = end_user ?? ctx.principal.id;
  const row = await addMessage(ctx, id, {
    ...message,
    id: ctx.newId("msg"),
    role: "user",
    author,
    author_name: end_user ?? (await nameOf(ctx)),
    writers: writersOf(ctx, id),
  });
  await appendEvents(ctx, id, [{ type: "chat.message.created", data: { message: messageView(row) } }]);
  ctx.emit(messageCompleted, { conversation_id: id, agent, channel, message_id: row.id, role: "user" });
  return row;
}
