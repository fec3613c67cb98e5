import type { WriteContext } from "../../kernel/context.ts";
import { nobody } from "./conversation-writers.ts";
import { appendEvents, type NewChatEvent } from "./event-store.ts";
import { addMessage, changeMessage, findMessage, type MessageRow, messageView } from "./message-store.ts";
import type { Part } from "./schemas.ts";
import { changeTurn, listTurnsOf, type TurnRow, turnChanged } from "./turn-store.ts";

/**
 * Starts the reply of a turn, of a conversation that is locked: an empty message that is being written. Where the user's message was answered before, it takes the
 * place of that reply.
 */
export async function startReply(
  ctx: WriteContext,
  { id, agent }: { readonly id: string; readonly agent: string },
  turn: TurnRow,
  task: string,
): Promise<MessageRow> {
  const earlier = (await listTurnsOf(ctx, turn)).findLast(
    ({ number, reply }) => number < turn.number && reply !== null,
  );
  const row = await addMessage(ctx, id, {
    ...{ id: ctx.newId("msg"), role: "agent", author: agent, author_name: agent, status: "streaming", parts: [] },
    writers: nobody,
    ...{ turn: turn.id, task, generated: true, replaces: earlier?.reply ?? null },
  });
  const events: NewChatEvent[] = [{ type: "chat.message.created", data: { message: messageView(row) } }];
  const replaced = earlier?.reply && (await findMessage(ctx, earlier.reply));
  if (replaced) {
    const changed = await changeMessage(ctx, replaced.id, { replaced_by: row.id });
    events.push({ type: "chat.message.changed", data: { message: messageView(changed) } });
  }
  const told = await changeTurn(ctx, turn.id, { reply: row.id });
  await appendEvents(ctx, id, [...events, turnChanged(told)]);
  return row;
}

/** What followers are told of a part that is there at once. */
export function partEvents(message_id: string, index: number, part: Part): NewChatEvent[] {
  const at = { message_id, index };
  if (part.type !== "text")
    return [
      { type: "chat.part.started", data: { ...at, part } },
      { type: "chat.part.completed", data: { ...at, part } },
    ];
  return [
    { type: "chat.part.started", data: { ...at, part: { type: "text", text: "" } } },
    { type: "chat.part.delta", data: { ...at, text: part.text } },
    { type: "chat.part.completed", data: { ...at, part } },
  ];
}
