import { marked } from "marked";
import { declaredCharset, decoded } from "./encoding.ts";
import { readFragment } from "./html.ts";
import type { Output, Source } from "./output.ts";

/** Markdown with GFM tables. Front matter gives the title and is no part of the text. */
export function readMarkdown({ bytes, mediaType }: Source, output: Output): void {
  const text = decoded(bytes, declaredCharset(mediaType)).replaceAll(/\r\n?/g, "\n");
  const front = /^---\n([\s\S]{0,20000}?)\n(?:---|\.\.\.)(?:\n|$)/.exec(text);
  output.title(/^title:[ \t]*(["']?)(.*?)\1[ \t]*$/m.exec(front?.[1] ?? "")?.[2]);
  readFragment(marked.parse(text.slice(front?.[0].length ?? 0), { async: false, gfm: true }), output);
}
