import { defineInside, exempt, type InsideOperation } from "../../../kernel/operation.ts";
import { findConversation, lockConversation } from "../conversation-store.ts";
import { handoffWaiting } from "../events.ts";
import { changeConversation, told } from "../handoff.ts";
import type { Handoff } from "../schemas.ts";

type OfConversation = { readonly conversation: string };

/** Tells once that nobody took a conversation over. */
export const remindOfHandoff: InsideOperation<OfConversation, { readonly told: boolean }> = defineInside({
  id: "chat.remindOfHandoff",
  summary: "Remind of a conversation that waits for a person",
  permission: exempt("the service's own look at what is due"),
  load: (ctx, { conversation }: OfConversation) => findConversation(ctx, conversation),
  gate: exempt("makes no agent act"),
  compliance: exempt("tells of what was asked for"),
  audit: ({ params }) => `conversation:${params.conversation}`,
  emits: [handoffWaiting],
  async handle(ctx, { params: { conversation } }) {
    const row = await lockConversation(ctx, conversation);
    const handoff = row?.handoff as (Handoff & { readonly reminded_at?: string }) | null | undefined;
    if (!row || !handoff || row.handler !== null || handoff.reminded_at !== undefined) return { told: false };
    const reminded_at = new Date(ctx.now).toISOString();
    await changeConversation(ctx, conversation, { handoff: JSON.stringify({ ...handoff, reminded_at }) });
    ctx.emit(handoffWaiting, { ...told(row), reason: handoff.reason, since: handoff.requested_at });
    return { told: true };
  },
});
