import { defineInside, exempt, type InsideOperation } from "../../../kernel/operation.ts";
import { findConversation, lockConversation } from "../conversation-store.ts";
import { changeConversation } from "../handoff.ts";
import type { Handoff } from "../schemas.ts";
import { tellConversation } from "../told.ts";

/** Puts a summary that a model wrote into the hand-off, if it still waits or is handled. */
interface Noted {
  readonly conversation: string;
  readonly summary: string;
}
export const noteSummary: InsideOperation<Noted, { readonly noted: boolean }> = defineInside({
  id: "chat.noteSummary",
  summary: "Note the summary of a hand-off",
  permission: exempt("the service itself, for whoever takes over"),
  load: (ctx, { conversation }: Noted) => findConversation(ctx, conversation),
  gate: exempt("makes no agent act"),
  compliance: exempt("policies judged the model's call"),
  audit: ({ params }) => ({ object: `conversation:${params.conversation}`, subject: params.conversation }),
  async handle(ctx, { params: { conversation, summary } }) {
    const handoff = (await lockConversation(ctx, conversation))?.handoff as Handoff | null | undefined;
    if (!handoff) return { noted: false };
    const noted = { ...handoff, summary, summary_generated: true };
    await changeConversation(ctx, conversation, { handoff: JSON.stringify(noted) });
    await tellConversation(ctx, conversation);
    return { noted: true };
  },
});
