import { all, type Row, select } from "../../../db/scoped.ts";
import type { WriteContext } from "../../../kernel/context.ts";
import { refuse } from "../../../kernel/errors.ts";
import { invalidBody } from "../../../kernel/problems.ts";
import { lockApprovalBeforeTask } from "../../approvals/requests/public.ts";
import {
  addDeciders,
  answerFaults,
  answerTask,
  askedOf,
  cancelOpenTask,
  findTask,
  lockTask,
} from "../../tasks/public.ts";
import { appendEvents } from "../conversations/event-store.ts";
import { changeMessage, messageView } from "../conversations/message-store.ts";
import { lockConversation } from "../conversations/store.ts";
import type { Writers } from "../conversations/writers.ts";
import { conversationIsClosed } from "../errors.ts";
import type { Part } from "../schemas.ts";
import { settleTurns } from "./settle.ts";
import { changeTurn, type TurnRow, turnChanged } from "./store.ts";

export type ConversationLocked = Row<"chat_conversations">;

/** Refuses a closed one. */
export async function lockOpenConversation(ctx: WriteContext, id: string): Promise<ConversationLocked> {
  const row = await lockConversation(ctx, id);
  if (row?.state === "open") return row;
  throw refuse(conversationIsClosed, "The conversation is closed. Start another one, or fork it.");
}

/** Cancels their tasks and ends their replies. The conversation is locked. Returns the turns afterwards. */
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

/** A waiting message gets no answer; it stays as written. */
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

/** Answers the latest question that the text fits. Undefined: none. A question with options takes only those. */
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
