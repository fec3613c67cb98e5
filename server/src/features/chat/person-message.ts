import type { WriteContext } from "../../kernel/context.ts";
import { writersOf } from "./conversation-writers.ts";
import { deliverReply } from "./delivery-store.ts";
import { messageCompleted } from "./events.ts";
import { nameOf, takeOver, told } from "./handoff.ts";
import type { Part } from "./schemas.ts";
import { addTold, tellConversation } from "./told.ts";
import { lockOpenConversation } from "./turn-control.ts";

/**
 * Writes what a person answers in a conversation, under their name. The first who answers a conversation that waits for a person takes it over; where the agent
 * answers and nobody was asked for, it is taken over too.
 */
export async function sendAsPerson(ctx: WriteContext, conversation: string, parts: readonly Part[]) {
  const row = await lockOpenConversation(ctx, conversation);
  await takeOver(ctx, row);
  const message = await addTold(ctx, conversation, {
    ...{ id: ctx.newId("msg"), role: "person", author: ctx.principal.id, author_name: await nameOf(ctx) },
    status: "complete",
    parts,
    writers: writersOf(ctx, conversation),
  });
  await deliverReply(ctx, row, message);
  if (row.handler !== ctx.principal.id) await tellConversation(ctx, conversation);
  ctx.emit(messageCompleted, { ...told(row), message_id: message.id, role: "person" });
  return message;
}
