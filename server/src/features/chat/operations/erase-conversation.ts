import { defineInside, exempt, type InsideOperation } from "../../../kernel/operation.ts";
import { lockConversation } from "../conversation-store.ts";
import { erase } from "../erase.ts";

/** Erases a closed conversation whose time of retention is over. */
export const eraseConversation: InsideOperation<{ readonly conversation: string }, { readonly erased: boolean }> =
  defineInside({
    id: "chat.eraseConversation",
    summary: "Erase a closed conversation",
    permission: exempt("the service's own look at what is due"),
    load: exempt("looks again under its lock"),
    gate: exempt("makes no agent act"),
    compliance: exempt("carries out the retention that the environment's settings say"),
    audit: ({ params }) => `conversation:${params.conversation}`,
    async handle(ctx, { params }: { params: { readonly conversation: string } }) {
      const row = await lockConversation(ctx, params.conversation);
      if (!row?.erase_at || row.erase_at.getTime() > ctx.now || row.state !== "closed") return { erased: false };
      await erase(ctx, row.id);
      return { erased: true };
    },
  });
