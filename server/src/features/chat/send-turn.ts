import { actorOfCall } from "../../kernel/actor.ts";
import { nothingUsed } from "../../kernel/budget.ts";
import type { CallContext, ReadContext, WriteContext } from "../../kernel/context.ts";
import { refuse } from "../../kernel/errors.ts";
import { conflict } from "../../kernel/problems.ts";
import type { Governed } from "../../kernel/verdict.ts";
import { agentSeen } from "../tasks/public.ts";
import { beginTurn } from "./begin-turn.ts";
import { type ConversationRow, findConversation } from "./conversation-store.ts";
import { nameConversation } from "./conversation-title.ts";
import { writersOf } from "./conversation-writers.ts";
import { conversationBusy } from "./errors.ts";
import { appendEvents } from "./event-store.ts";
import { messageCompleted } from "./events.ts";
import { nameOf } from "./handoff.ts";
import { addMessage, type MessageRow, messageView } from "./message-store.ts";
import type { SendMessageBody, Sent } from "./schemas.ts";
import { settleTurns } from "./settle-turns.ts";
import { answerTurn, type ConversationLocked, filesOf, lockOpenConversation, stopTurns } from "./turn-control.ts";
import { isBusy } from "./turn-model.ts";
import { addTurn, type TurnRow } from "./turn-store.ts";
import { type Answering, answeringOf, answeringVersion } from "./turn-version.ts";
import { turnFacts } from "./turn-work.ts";

/** A conversation with the version that would answer in it now; null: a person answers, or the agent is not deployed. */
export interface Sending {
  readonly agent: string;
  readonly conversation: ConversationRow;
  readonly answering: Answering | null;
}

/** A conversation with the version that would answer in it. */
export async function loadSending(ctx: ReadContext, id: string): Promise<Sending | undefined> {
  const conversation = await findConversation(ctx, id);
  if (!conversation) return undefined;
  const answering = conversation.handler === null ? await answeringVersion(ctx, conversation) : undefined;
  return { agent: conversation.agent, conversation, answering: answering ?? null };
}

/** A message counts as a task, of who sends it. */
export const sendingSpends = ({ principal }: CallContext, { loaded: { agent } }: { readonly loaded: Sending }) => ({
  ...{ agent, keyId: principal.keyId, principal: principal.id, demand: { tasks: 1 } },
});

/** What policies see of a message, and what is done with it. `turn` is null where a person answers. */
export function sendingFacts(
  ctx: CallContext,
  { agent, conversation, answering }: Sending,
  body: Pick<SendMessageBody, "text" | "files" | "as">,
) {
  const { id, messages, handler } = conversation;
  const files = body.files?.length ? { files: body.files } : {};
  const input = { message: body.text, conversation: id, after: messages, ...files };
  if (handler !== null || body.as === "person") return { agent: agentSeen(ctx, agent), input, turn: null };
  const from = answeringOf(ctx, agent, answering);
  const { work, ...facts } = turnFacts(ctx, from, input);
  return { ...facts, turn: { answering: from, work } };
}

export type SendingFacts = ReturnType<typeof sendingFacts>;
type Judged = Pick<SendingFacts, "turn"> & { readonly governed: Governed };

/** Takes a message of the user in: to the person who answers, as the answer to a question, or as a turn that begins or waits in line. */
export async function sendAsUser(
  ctx: WriteContext,
  { conversation: loaded }: Sending,
  body: SendMessageBody,
  { turn: judged, governed }: Judged,
): Promise<Sent> {
  const row = await lockOpenConversation(ctx, loaded.id);
  if (row.agent !== loaded.agent || (row.handler === null) !== (judged !== null))
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
  const busy = isBusy(await giveWay(ctx, row, turns, body.when_busy));
  const message = await add(busy ? "queued" : "complete");
  const actor = actorOfCall(ctx);
  const turn = await addTurn(ctx, actor, row.id, { message: message.id });
  if (busy) {
    ctx.spent(nothingUsed);
    return { ...sent, message_id: message.id, state: "queued", ...placeOf(turn) };
  }
  const begun = await beginTurn(ctx, { conversation: row, turn, message, ...judged, governed, actor });
  const { score } = judged.work.trust;
  return { ...sent, message_id: message.id, state: "running", ...placeOf(begun), trust_score: score };
}

/** Where the message stands that was sent, with its reply behind it. */
export const sentAt = ({ conversation_id, message_id }: Sent): string =>
  `/v1/chat/conversations/${conversation_id}/messages/${message_id}`;

const placeOf = ({ id, reply, task }: TurnRow) => ({ turn_id: id, reply_id: reply, task_id: task });

/** What a message does that comes while the agent answers. Returns the turns as they are then. */
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
    ...{ ...message, id: ctx.newId("msg"), role: "user", author, author_name: end_user ?? (await nameOf(ctx)) },
    writers: writersOf(ctx, id),
  });
  await appendEvents(ctx, id, [{ type: "chat.message.created", data: { message: messageView(row) } }]);
  ctx.emit(messageCompleted, { conversation_id: id, agent, channel, message_id: row.id, role: "user" });
  return row;
}
