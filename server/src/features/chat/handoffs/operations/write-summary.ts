import { defineInside, exempt, governs, type InsideOperation } from "../../../../kernel/operation.ts";
import { listLatest, messageView } from "../../conversations/message-store.ts";
import {
  type ModelRequest,
  modelSpends,
  providerOf,
  readerFacts,
  transcriptText,
} from "../../conversations/model-request.ts";
import { publishConversation } from "../../conversations/notices.ts";
import { type ConversationRow, findConversation, lockConversation } from "../../conversations/store.ts";
import type { Handoff } from "../../schemas.ts";
import { changeConversation } from "../effects.ts";

type OfConversation = { readonly conversation: string };

/** Null: no model, or policies ask for approval or redaction. */
export const beginSummary: InsideOperation<OfConversation, ModelRequest | null> = defineInside({
  id: "chat.beginSummary",
  summary: "Let a model read a conversation to summarise it",
  permission: exempt("the service itself, for whoever takes over"),
  load: (ctx, { conversation }: OfConversation) => findConversation(ctx, conversation),
  gate: exempt("makes no agent act"),
  compliance: governs(
    "model.call",
    (ctx, { loaded }: { params: OfConversation; query: undefined; body: undefined; loaded: ConversationRow }) =>
      readerFacts(ctx, loaded),
    {
      waits: true,
      spends: modelSpends,
    },
  ),
  audit: ({ params }) => ({ object: `conversation:${params.conversation}`, subject: params.conversation }),
  async handle(ctx, { loaded, governed }) {
    const model = providerOf(ctx, loaded.agent);
    if (!model || governed.approval || governed.redact) return null;
    const text = transcriptText((await listLatest(ctx, loaded.id, 100)).map(messageView));
    return { model, text, charge: ctx.keepCharge() };
  },
});

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
    await publishConversation(ctx, conversation);
    return { noted: true };
  },
});
