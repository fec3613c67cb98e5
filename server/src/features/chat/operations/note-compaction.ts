import { defineInside, exempt, type InsideOperation } from "../../../kernel/operation.ts";
import { readCovered } from "../compact.ts";
import { findConversation, lockConversation } from "../conversation-store.ts";
import { appendEvents } from "../event-store.ts";
import { changeMessage, messageView } from "../message-store.ts";
import type { OfSummary } from "./begin-compaction.ts";

interface Noted extends OfSummary {
  readonly text: string;
}

/** Puts what a model wrote in the place of a summary that quotes, unless that was taken back meanwhile. */
export const noteCompaction: InsideOperation<Noted, { readonly noted: boolean }> = defineInside({
  id: "chat.noteCompaction",
  summary: "Note what a model wrote as the summary of older messages",
  permission: exempt("a worker of the service itself"),
  load: (ctx, { conversation }: Noted) => findConversation(ctx, conversation),
  gate: exempt("makes no agent act"),
  compliance: exempt("policies judged the model's call"),
  audit: ({ params }) => ({ object: `conversation:${params.conversation}`, subject: params.conversation }),
  async handle(ctx, { params: { conversation, summary, text } }) {
    await lockConversation(ctx, conversation);
    if (!(await readCovered(ctx, conversation, summary))) return { noted: false };
    const row = await changeMessage(ctx, summary, { parts: [{ type: "text", text }], generated: true });
    await appendEvents(ctx, conversation, [{ type: "chat.message.changed", data: { message: messageView(row) } }]);
    return { noted: true };
  },
});
