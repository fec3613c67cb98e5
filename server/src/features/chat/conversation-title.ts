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
