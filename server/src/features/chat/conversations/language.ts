import { languageFor, languageOfTag, type UserLanguage } from "@aos/user-texts";
import { first, type Row, select } from "../../../db/scoped.ts";
import type { QueryContext } from "../../../kernel/db.ts";

/**
 * The language of what the service says in a conversation: its own, else that of the user's latest message, else English.
 * `before`: only messages before the one of this number count.
 */
export async function languageIn(
  ctx: QueryContext,
  { id, language }: Pick<Row<"chat_conversations">, "id" | "language">,
  before?: number,
): Promise<UserLanguage> {
  const known = languageOfTag(language);
  if (known) return known;
  const written = select(ctx, "chat_messages", "m")
    .select("m.body")
    .where("m.conversation", "=", id)
    .where("m.role", "=", "user")
    .$if(before !== undefined, (query) => query.where("m.number", "<", before as number))
    .orderBy("m.number", "desc")
    .limit(1);
  return languageFor(null, (await first(ctx, written))?.body);
}
