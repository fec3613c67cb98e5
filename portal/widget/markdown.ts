import { element, type Made } from "./dom.ts";

// Markdown as agents write it, made into nodes. Nothing is ever parsed as HTML; images become their text, and links lead only to pages and addresses.

export function markdownNodes(text: string): Node[] {
  const lines = text.replaceAll("\r\n", "\n").split("\n");
  const nodes: Node[] = [];
  let at = 0;
  while (at < lines.length) {
    const [node, next] = block(lines, at);
    if (node) nodes.push(node);
    at = next;
  }
  return nodes;
}

/** The lines from `at` on that a test holds for. */
function linesWhile(lines: readonly string[], at: number, holds: (line: string) => boolean): string[] {
  let end = at;
  while (end < lines.length && holds(lines[end] as string)) end++;
  return lines.slice(at, end);
}

const bullet = /^\s{0,3}[-*+]\s+/;
const numbered = /^\s{0,3}\d{1,9}[.)]\s+/;
const heading = /^#{1,6}\s+/;
const quote = /^\s{0,3}>\s?/;
const fence = /^\s{0,3}(```|~~~)/;

/** The block that begins at a line, and the line after it. */
function block(lines: readonly string[], at: number): [Node | null, number] {
  const line = lines[at] as string;
  if (line.trim() === "") return [null, at + 1];
  const fenced = fence.exec(line)?.[1];
  if (fenced !== undefined) {
    const inside = linesWhile(lines, at + 1, (one) => !one.trimStart().startsWith(fenced));
    return [element("pre", { tabindex: "0" }, element("code", {}, inside.join("\n"))), at + inside.length + 2];
  }
  if (heading.test(line))
    return [element("p", {}, element("strong", {}, ...inline(line.replace(heading, "")))), at + 1];
  for (const [marker, name] of [
    [bullet, "ul"],
    [numbered, "ol"],
  ] as const) {
    if (!marker.test(line)) continue;
    const items = linesWhile(lines, at, (one) => marker.test(one) || /^\s{2,}\S/.test(one));
    return [list(name, marker, items), at + items.length];
  }
  if (quote.test(line)) {
    const quoted = linesWhile(lines, at, (one) => quote.test(one));
    const inside = quoted.map((one) => one.replace(quote, "")).join("\n");
    return [element("blockquote", {}, ...broken(inside)), at + quoted.length];
  }
  const rest = linesWhile(lines, at + 1, (one) => one.trim() !== "" && !startsBlock(one));
  return [element("p", {}, ...broken([line, ...rest].join("\n"))), at + 1 + rest.length];
}

const startsBlock = (line: string): boolean =>
  [bullet, numbered, heading, quote, fence].some((form) => form.test(line));

function list(name: "ul" | "ol", marker: RegExp, lines: readonly string[]): HTMLElement {
  const items: string[] = [];
  for (const line of lines) {
    if (marker.test(line)) items.push(line.replace(marker, ""));
    else items.push(`${items.pop() ?? ""}\n${line.trim()}`);
  }
  return element(name, {}, ...items.map((item) => element("li", {}, ...broken(item))));
}

/** Inline text with its line breaks. */
function broken(text: string): Made[] {
  return text.split("\n").flatMap((line, at) => (at === 0 ? inline(line) : [element("br"), ...inline(line)]));
}

const token =
  /`([^`]+)`|\*\*([^*]+)\*\*|__([^_]+)__|\*([^*\s][^*]*)\*|!?\[([^\][]*)\]\(([^()\s]{1,2000})[^()]{0,200}\)|(https?:\/\/[^\s<>"'`)\]]{1,2000})/g;

/** Emphasis, code and links within a line. */
function inline(text: string): Made[] {
  const made: Made[] = [];
  let done = 0;
  for (const match of text.matchAll(token)) {
    const [whole, code, strong, alsoStrong, weak, label, target, bare] = match;
    made.push(text.slice(done, match.index));
    done = match.index + whole.length;
    if (code !== undefined) made.push(element("code", {}, code));
    else if ((strong ?? alsoStrong) !== undefined)
      made.push(element("strong", {}, ...inline((strong ?? alsoStrong) as string)));
    else if (weak !== undefined) made.push(element("em", {}, ...inline(weak)));
    else if (bare !== undefined) made.push(...linkWithTail(bare));
    else made.push(whole.startsWith("!") ? (label ?? "") : link(target as string, label || (target as string)));
  }
  made.push(text.slice(done));
  return made.filter((one) => one !== "");
}

/** Without the full stop of the sentence that the address ends. */
function linkWithTail(address: string): Made[] {
  const tail = /[.,;:!?]+$/.exec(address)?.[0] ?? "";
  const bare = address.slice(0, address.length - tail.length);
  return [link(bare, bare), tail];
}

function link(address: string, label: string): Made {
  const safe = safeAddress(address);
  return safe === null
    ? label
    : element("a", { href: safe, target: "_blank", rel: "noopener noreferrer nofollow" }, label);
}

/** An address that may be a link's; null: it is neither a page's nor a mail's. */
export function safeAddress(address: string): string | null {
  try {
    const { protocol, href } = new URL(address);
    return ["https:", "http:", "mailto:"].includes(protocol) ? href : null;
  } catch {
    return null;
  }
}
