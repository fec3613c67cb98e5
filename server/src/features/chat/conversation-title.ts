import { all, update } from "../../db/scoped.ts";
import type { WriteContext } from "../../kernel/context.ts";
import { titleOf } from "../../kernel/title.ts";

const longest = 80;

/** The title of a conversation by what its user wrote first: the first line that says something, shortened at a word. Null: nothing is legible. */
export function titleFrom(text: string): string | null {
  const line = text.split(/\r?\n/u).find((one) => /[\p{L}\p{N}]/u.test(one)) ?? "";
  const title = titleOf("{{line}}", { line });
  if (title === null || title.length <= longest) return title;
  const cut = title.slice(0, longest);
  const space = cut.lastIndexOf(" ");
  return `${(space > longest / 2 ? cut.slice(0, space) : [...cut].slice(0, -1).join("")).trimEnd()}…`;
}

/** Names a conversation without a title by what its user writes first. */
export async function nameConversation(
  ctx: WriteContext,
  { id, title, messages }: { readonly id: string; readonly title: string | null; readonly messages: number },
  text: string,
): Promise<void> {
  if (title !== null || messages > 0) return;
  await all(
    ctx,
    update(ctx, "chat_conversations")
      .set({ title: titleFrom(text) })
      .where("id", "=", id),
  );
}
