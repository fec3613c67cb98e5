import { marked } from "marked";
import { declaredCharset, decoded } from "./encoding.ts";
import { readFragment } from "./html.ts";
import { beginsAsMdx, markdownOfMdx } from "./mdx.ts";
import type { Output, Source } from "./output.ts";

/** Markdown with GFM tables, and MDX. Front matter gives the title and is no part of the text. */
export function readMarkdown({ bytes, mediaType, fileName }: Source, output: Output): void {
  const text = decoded(bytes, declaredCharset(mediaType)).replaceAll(/\r\n?/g, "\n");
  const front = /^---\n([\s\S]{0,20000}?)\n(?:---|\.\.\.)(?:\n|$)/.exec(text);
  output.title(/^title:[ \t]*(["']?)(.*?)\1[ \t]*$/m.exec(front?.[1] ?? "")?.[2]);
  const body = text.slice(front?.[0].length ?? 0);
  const isMdx = /^text\/mdx\b/i.test(mediaType) || /\.mdx$/i.test(fileName) || beginsAsMdx(body);
  for (const section of sectionsOf(isMdx ? markdownOfMdx(body) : body))
    readFragment(marked.parse(section, { async: false, gfm: true }), output);
}

/** A text is read in parts of about this length: as a whole it would take fifty times its size. */
const SECTION = 2 ** 18;

/** The text in parts that begin with a heading, or else with a paragraph; a reference to a link in another part stays as it is written. */
function* sectionsOf(text: string): Generator<string> {
  let [start, fence] = [0, null as string | null];
  for (const { index, 0: line } of text.matchAll(/^.*$/gm)) {
    const length = index - start;
    const isApart =
      /^#{1,6}\s/.test(line) || (length > 4 * SECTION && /^\p{L}/u.test(line) && text[index - 2] === "\n");
    if (fence === null && length >= SECTION && isApart) {
      yield text.slice(start, index);
      start = index;
    }
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence === null) fence = mark ?? null;
    else if (mark?.startsWith(fence)) fence = null;
  }
  yield text.slice(start);
}
