import { languageOfTag, noticeTexts } from "@aos/user-texts";
import { all, type Row, select, update } from "../../../db/scoped.ts";
import type { WriteContext } from "../../../kernel/context.ts";
import { addNotice, publishConversation } from "./notices.ts";
import { nobody } from "./writers.ts";

/** Languages beyond those that every text has. */
const others: Readonly<Record<string, string>> = {
  it: "Stai parlando con un agente di intelligenza artificiale.",
  nl: "U chat met een AI-agent.",
  pt: "Está a conversar com um agente de IA.",
  pl: "Rozmawiasz z agentem AI.",
};

/** English where the language has no sentence. */
export function disclosureIn(language: string | null | undefined): string {
  const [primary = "en"] = (language ?? "en").toLowerCase().split("-");
  return others[primary] ?? noticeTexts[languageOfTag(primary) ?? "en"].disclosure;
}

/**
 * Before the agent's first reply and its first after a person (EU AI Act, Article 50). By e-mail and Slack it goes
 * out with the reply and is recorded once sent. The conversation is locked.
 */
export async function disclose(ctx: WriteContext, conversation: Row<"chat_conversations">): Promise<void> {
  const { id, disclosure, disclosed_at: since, channel } = conversation;
  if (disclosure === null || since !== null || (await goesWithReplies(ctx, channel))) return;
  await addNotice(ctx, id, { code: "disclosure", text: disclosure, writers: nobody });
  const disclosed = update(ctx, "chat_conversations").set({ disclosed_at: new Date(ctx.now) });
  await all(ctx, disclosed.where("id", "=", id));
  await publishConversation(ctx, id);
}

async function goesWithReplies(ctx: WriteContext, channel: string): Promise<boolean> {
  if (channel === "api") return false;
  const sent = select(ctx, "chat_channels", "c").select("c.kind").where("c.name", "=", channel);
  return (await all(ctx, sent.where("c.kind", "in", ["email", "slack"]))).length > 0;
}
