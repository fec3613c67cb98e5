import { all, update } from "../../../db/scoped.ts";
import type { WriteContext } from "../../../kernel/context.ts";
import type { Principal } from "../../../kernel/principal.ts";
import { roleGrants } from "../../../kernel/role-permissions.ts";
import { titleOf } from "../../../kernel/title.ts";

const longest = 80;

/** The first legible line, cut at a word. Null: none is legible. */
export function titleFrom(text: string): string | null {
  const line = text.split(/\r?\n/u).find((one) => /[\p{L}\p{N}]/u.test(one)) ?? "";
  const title = titleOf("{{line}}", { line });
  if (title === null || title.length <= longest) return title;
  const cut = title.slice(0, longest);
  const space = cut.lastIndexOf(" ");
  return `${(space > longest / 2 ? cut.slice(0, space) : [...cut].slice(0, -1).join("")).trimEnd()}…`;
}

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

export const mayAlso = ({ role, scopes }: Principal, permission: string): boolean =>
  role !== null && roleGrants(role, permission) && (scopes === null || scopes.includes(permission));
