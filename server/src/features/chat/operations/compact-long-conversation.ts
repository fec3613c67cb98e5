import { defineInside, exempt, type InsideOperation } from "../../../kernel/operation.ts";
import { compact } from "../compact.ts";
import { findConversation, lockConversation } from "../conversation-store.ts";

type OfConversation = { readonly conversation: string };

/** Adds a summary to a conversation that has become too long for what a model is shown. */
export const compactLongConversation: InsideOperation<OfConversation, { readonly compacted: boolean }> = defineInside({
  id: "chat.compactLongConversation",
  summary: "Summarise a conversation that became too long",
  permission: exempt("a worker of the service itself"),
  load: (ctx, { conversation }: OfConversation) => findConversation(ctx, conversation),
  gate: exempt("makes no agent act"),
  compliance: exempt("quotes what is there; a model's summary is judged by itself"),
  audit: ({ params }) => ({ object: `conversation:${params.conversation}`, subject: params.conversation }),
  async handle(ctx, { params: { conversation } }) {
    const row = await lockConversation(ctx, conversation);
    return { compacted: row !== undefined && (await compact(ctx, row)) !== undefined };
  },
});
