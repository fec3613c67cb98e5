import type { Charge } from "../../../kernel/ledger.ts";
import { defineInside, exempt, governs, type InsideOperation } from "../../../kernel/operation.ts";
import { askTokens, providerOf, readerFacts } from "../asked-model.ts";
import { readCovered } from "../compact.ts";
import { textToSummarise } from "../compact-model.ts";
import { type ConversationRow, findConversation } from "../conversation-store.ts";

export interface OfSummary {
  readonly conversation: string;
  readonly summary: string;
}
interface Begun {
  readonly model: NonNullable<ReturnType<typeof providerOf>>;
  readonly text: string;
  readonly charge: Charge | null;
}
type Given = { params: OfSummary; query: undefined; body: undefined; loaded: ConversationRow };

const mostCharacters = 20_000;

/** A model may read what a summary stands for; null: none does, or policies want people asked or data replaced. */
export const beginCompaction: InsideOperation<OfSummary, Begun | null> = defineInside({
  id: "chat.beginCompaction",
  summary: "Let a model read a conversation to summarise its older messages",
  permission: exempt("a worker of the service itself"),
  load: (ctx, { conversation }: OfSummary) => findConversation(ctx, conversation),
  gate: exempt("makes no agent act"),
  compliance: governs("model.call", (ctx, { loaded }: Given) => readerFacts(ctx, loaded), {
    waits: true,
    spends: (ctx, { loaded: { agent, principal, key_id } }) => ({
      ...{ agent, principal, keyId: key_id },
      demand: providerOf(ctx, agent) ? { tokens: askTokens, usdUnknown: true } : {},
    }),
  }),
  audit: ({ params }) => ({ object: `conversation:${params.conversation}`, subject: params.conversation }),
  async handle(ctx, { params, loaded, governed }) {
    const model = providerOf(ctx, loaded.agent);
    const stored = await readCovered(ctx, loaded.id, params.summary);
    if (!model || !stored || governed.approval || governed.redact) return null;
    const text = textToSummarise(stored, mostCharacters);
    return { model, text, charge: ctx.keepCharge() };
  },
});
