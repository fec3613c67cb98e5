import { all, type Row, select } from "../../db/scoped.ts";
import type { WriteContext } from "../../kernel/context.ts";
import { refuse } from "../../kernel/errors.ts";
import { invalidBody } from "../../kernel/problems.ts";
import { lockApprovalBeforeTask } from "../approvals/requests/public.ts";
import { addDeciders, answerFaults, answerTask, askedOf, cancelOpenTask, findTask, lockTask } from "../tasks/public.ts";
import { lockConversation } from "./conversation-store.ts";
import type { Writers } from "./conversation-writers.ts";
import { conversationIsClosed } from "./errors.ts";
import { appendEvents } from "./event-store.ts";
import { changeMessage, messageView } from "./message-store.ts";
import type { Part } from "./schemas.ts";
import { settleTurns } from "./settle-turns.ts";
import { changeTurn, type TurnRow, turnChanged } from "./turn-store.ts";

export type ConversationLocked = Row<"chat_conversations">;

/** The conversation, locked until the transaction ends; refuses where it is closed. */
export async function lockOpenConversation(ctx: WriteContext, id: string): Promise<ConversationLocked> {
  const row = await lockConversation(ctx, id);
  if (row?.state === "open") return row;
  throw refuse(conversationIsClosed, "The conversation is closed. Start another one, or fork it.");
}

/** Stops turns for real, with their tasks, and writes how their replies end. The conversation is locked. Returns its turns as they are then. */
export async function stopTurns(
  ctx: WriteContext,
  conversation: ConversationLocked,
  turns: readonly TurnRow[],
  reason: string,
): Promise<readonly TurnRow[]> {
  for (const turn of turns) await (turn.task === null ? leaveLine(ctx, turn) : cancelTask(ctx, turn.task, reason));
  return settleTurns(ctx, conversation);
}

async function cancelTask(ctx: WriteContext, task: string, reason: string): Promise<void> {
  const approval = (await findTask(ctx, task))?.approval_id;
  if (approval) await lockApprovalBeforeTask(ctx, approval);
  await cancelOpenTask(ctx, task, reason);
}

/** A message that waited for its turn gets no answer; it stands in the conversation as it was written. */
export async function leaveLine(
  ctx: WriteContext,
  { id, conversation, message }: TurnRow,
  end: { readonly state: "stopped" | "blocked"; readonly failure: { code: string; detail: string } } = {
    state: "stopped",
    failure: { code: "stopped", detail: "It was stopped before its turn." },
  },
): Promise<void> {
  const at = new Date(ctx.now);
  const read = await changeMessage(ctx, message, { status: "complete", completed_at: at });
  const turn = await changeTurn(ctx, id, { ...end, finished_at: at });
  await appendEvents(ctx, conversation, [
    { type: "chat.message.changed", data: { message: messageView(read) } },
    turnChanged(turn),
  ]);
}

/**
 * Gives a message as the answer to what a turn asked, the latest that can be answered by it. Undefined: none can. A question with options takes only those; any
 * other text is a message like others.
 */
export async function answerTurn(
  ctx: WriteContext,
  turns: readonly TurnRow[],
  text: string,
  writers: Writers,
): Promise<TurnRow | undefined> {
  for (const turn of turns.toReversed()) {
    if (turn.state !== "input_required" || turn.task === null) continue;
    const task = await lockTask(ctx, turn.task);
    const asked = task?.status === "input_required" ? askedOf(task) : null;
    const answer = asked?.options ? (optionOf(asked.options, text) ?? text) : text;
    if (!task || !asked || answerFaults(asked, answer).length > 0) continue;
    await addDeciders(ctx, await answerTask(ctx, task, asked, answer), writers);
    return turn;
  }
  return undefined;
}

const plain = (text: string): string => text.trim().toLowerCase().replaceAll("_", " ");
const optionOf = (options: readonly string[], text: string) => options.find((option) => plain(option) === plain(text));

/** Files of the conversation as parts of a message; refuses what is none of them. */
export async function filesOf(ctx: WriteContext, conversation: string, ids: readonly string[] = []): Promise<Part[]> {
  if (ids.length === 0) return [];
  const files = select(ctx, "chat_files", "f").select(["f.id", "f.name", "f.media_type", "f.size"]);
  const rows = await all(ctx, files.where("f.conversation", "=", conversation).where("f.id", "in", ids));
  return ids.map((id, at): Part => {
    const file = rows.find((row) => row.id === id);
    if (file) return { type: "file", file_id: id, name: file.name, media_type: file.media_type, size: file.size };
    const detail = `names no file of this conversation; attach it first`;
    throw refuse(invalidBody, `/files/${at} ${detail}`, {
      errors: [{ pointer: `/files/${at}`, code: "unknown_file", detail }],
    });
  });
}
