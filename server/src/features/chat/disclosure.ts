import { all, type Row, select, update } from "../../db/scoped.ts";
import type { WriteContext } from "../../kernel/context.ts";
import { nobody } from "./conversation-writers.ts";
import { addNotice, tellConversation } from "./told.ts";

/** What tells a user that an agent answers (EU AI Act, Article 50), by language. */
const sentences: Readonly<Record<string, string>> = {
  en: "You are chatting with an AI agent.",
  de: "Sie schreiben mit einem KI-Agenten.",
  fr: "Vous échangez avec un agent IA.",
  es: "Está conversando con un agente de IA.",
  it: "Stai parlando con un agente di intelligenza artificiale.",
  nl: "U chat met een AI-agent.",
  pt: "Está a conversar com um agente de IA.",
  pl: "Rozmawiasz z agentem AI.",
};

/** The disclosure in a language by its tag (`de-AT`); English where there is no sentence in it. */
export function disclosureIn(language: string | null | undefined): string {
  const [primary = "en"] = (language ?? "en").toLowerCase().split("-");
  return sentences[primary] ?? (sentences.en as string);
}

/**
 * Tells the user that an agent answers, before its first reply and its first after a person, and records when (EU AI Act, Article 50). By e-mail and Slack it goes
 * out with the reply itself, and is recorded once that was sent. The conversation is locked.
 */
export async function disclose(ctx: WriteContext, conversation: Row<"chat_conversations">): Promise<void> {
  const { id, disclosure, disclosed_at: since, channel } = conversation;
  if (disclosure === null || since !== null || (await goesWithReplies(ctx, channel))) return;
  await addNotice(ctx, id, { code: "disclosure", text: disclosure, writers: nobody });
  const told = update(ctx, "chat_conversations").set({ disclosed_at: new Date(ctx.now) });
  await all(ctx, told.where("id", "=", id));
  await tellConversation(ctx, id);
}

async function goesWithReplies(ctx: WriteContext, channel: string): Promise<boolean> {
  if (channel === "api") return false;
  const sent = select(ctx, "chat_channels", "c").select("c.kind").where("c.name", "=", channel);
  return (await all(ctx, sent.where("c.kind", "in", ["email", "slack"]))).length > 0;
}
