import { defineInside, exempt, governs, type InsideOperation } from "../../../../kernel/operation.ts";
import { compact, readCovered, textToSummarise } from "../compaction.ts";
import { appendEvents } from "../event-store.ts";
import { changeMessage, messageView } from "../message-store.ts";
import { type ModelRequest, modelSpends, providerOf, readerFacts } from "../model-request.ts";
import { type ConversationRow, findConversation, lockConversation } from "../store.ts";

export interface OfSummary {
  readonly conversation: string;
  readonly summary: string;
}
type Given = { params: OfSummary; query: undefined; body: undefined; loaded: ConversationRow };

const mostCharacters = 20_000;

/** Null: no model, or policies ask for approval or redaction. */
export const beginCompaction: InsideOperation<OfSummary, ModelRequest | null> = defineInside({
  id: "chat.beginCompaction",
  summary: "Let a model read a conversation to summarise its older messages",
  permission: exempt("a worker of the service itself"),
  load: (ctx, { conversation }: OfSummary) => findConversation(ctx, conversation),
  gate: exempt("makes no agent act"),
  compliance: governs("model.call", (ctx, { loaded }: Given) => readerFacts(ctx, loaded), {
    waits: true,
    spends: modelSpends,
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

interface Noted extends OfSummary {
  readonly text: string;
}

/** Unless the summary was retracted meanwhile. */
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

type OfConversation = { readonly conversation: string };

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
