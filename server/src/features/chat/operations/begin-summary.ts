import type { Charge } from "../../../kernel/ledger.ts";
import { defineInside, exempt, governs, type InsideOperation } from "../../../kernel/operation.ts";
import { askTokens, providerOf, readerFacts, transcriptText } from "../asked-model.ts";
import { type ConversationRow, findConversation } from "../conversation-store.ts";
import { listLatest, messageView } from "../message-store.ts";

interface Begun {
  readonly model: NonNullable<ReturnType<typeof providerOf>>;
  readonly text: string;
  readonly charge: Charge | null;
}
type OfConversation = { readonly conversation: string };

/** A model may read the conversation; null: none does, or policies want people asked or data replaced. */
export const beginSummary: InsideOperation<OfConversation, Begun | null> = defineInside({
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
      spends: (ctx, { loaded: { agent, principal, key_id } }) => ({
        ...{ agent, principal, keyId: key_id },
        demand: providerOf(ctx, agent) ? { tokens: askTokens, usdUnknown: true } : {},
      }),
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
