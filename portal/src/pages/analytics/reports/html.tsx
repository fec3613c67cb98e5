import { createElement, Fragment, type ReactNode } from "react";
import { visible } from "../../../lib/words.ts";

interface Part {
  readonly tag: string;
  readonly parts: (Part | string)[];
}

/** What reports are made of, as it is shown. Of any other element only the text is. */
const elements: Readonly<Record<string, readonly [tag: string, className: string]>> = {
  h1: ["p", "text-lg font-semibold"],
  h2: ["h3", "mt-3 font-semibold"],
  h3: ["h4", "font-medium"],
  p: ["p", ""],
  table: ["table", "w-full text-left tabular-nums"],
  thead: ["thead", "text-xs text-muted"],
  tbody: ["tbody", ""],
  tr: ["tr", "border-b border-line"],
  th: ["th", "py-1.5 pr-4 text-right font-medium first:text-left"],
  td: ["td", "py-1.5 pr-4 text-right first:text-left"],
};

/**
 * A report that was made as a page: built from elements of the portal. No text becomes markup here, which its Content-Security-Policy forbids, in frames by `srcdoc`
 * and by `blob:` too.
 */
export const Html = ({ text }: { readonly text: string }) => (
  // biome-ignore lint/a11y/useSemanticElements: a group that scrolls, no fieldset
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard
  <div role="group" aria-label="Report" tabIndex={0} className="grid gap-2 overflow-x-auto text-sm">
    {partsOf(text).map(show)}
  </div>
);

function show(part: Part | string, at: number): ReactNode {
  if (typeof part === "string")
    return part.trim() === "" ? null : <Fragment key={at}>{visible(decoded(part))}</Fragment>;
  const [tag, className] = elements[part.tag] ?? [Fragment, ""];
  return createElement(tag as string, { key: at, ...(className ? { className } : {}) }, ...part.parts.map(show));
}

/** What stands in the body, as a tree; heads, styles and scripts are left out with what is in them. */
function partsOf(html: string): Part["parts"] {
  const text = html.replace(/<(head|style|script)\b[^>]*>[\s\S]*?<\/\1>/gi, "");
  const open: Part[] = [{ tag: "", parts: [] }];
  for (const [, end, name, words] of text.matchAll(/<(\/?)([a-z][a-z0-9]*)[^>]*>|([^<]+)/gi)) {
    const tag = name?.toLowerCase() ?? "";
    if (words !== undefined) open.at(-1)?.parts.push(words);
    else if (elements[tag] === undefined) continue;
    else if (end === "/") {
      if (open.length > 1 && open.at(-1)?.tag === tag) open.pop();
    } else {
      const part = { tag, parts: [] };
      open.at(-1)?.parts.push(part);
      open.push(part);
    }
  }
  return open[0]?.parts ?? [];
}

const signs: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"' };
const decoded = (text: string): string =>
  text.replace(/&(amp|lt|gt|quot);/g, (_, sign: string) => signs[sign] as string);
