import type { Findings, Work } from "./findings.ts";
import type { RuleId } from "./rules.ts";
import { type Mask, snippetOf } from "./snippet.ts";
import type { Segment } from "./source.ts";

const WINDOW = 500;
/** Comments that tools read: tables of contents, linters, licences. */
const OF_TOOLS =
  /^<!--\s{0,4}(?:\/?toc\b|(?:end|start)\s?toc|doctoc|markdownlint|prettier|textlint|vale |cspell|spell-?checker|spdx|more\b|omit in toc|alex |lint |eslint|biome|generated|badges?:|\[?(?:start|end)\]?\s)/i;
const INVISIBLE =
  /display\s{0,3}:\s{0,3}none|visibility\s{0,3}:\s{0,3}hidden|opacity\s{0,3}:\s{0,3}0(?![.\d]*[1-9])|font-size\s{0,3}:\s{0,3}0(?![.\d]*[1-9])|(?<![-\w])color\s{0,3}:\s{0,3}(?:white|transparent|#fff(?:fff)?\b|rgba?\(255,\s{0,3}255,\s{0,3}255)|text-indent\s{0,3}:\s{0,3}-\d{3}|(?:left|top)\s{0,3}:\s{0,3}-\d{4}|\b(?:width|height)\s{0,3}:\s{0,3}0(?:px)?\s{0,3};\s{0,3}overflow/i;
const DARK = /background(?:-color)?\s{0,3}:\s{0,3}(?!\s{0,3}(?:white|#fff|transparent))/i;
const PLACEHOLDER =
  /\{[^{}]{1,80}\}|\$\w{3,}|<[a-z_ ]{3,40}>|%7b|\[[A-Z_ ]{4,40}\]|%s\b|[=/](?:conversation|history|user_?data|chat|secret|api_?key|prompt)(?:_here)?(?=$|[&#])/i;

/** Where the address of a link or an image is defined apart from it. */
const REFERENCE = /^ {0,3}\[([^\]\n]{1,100})\]:[ \t]{0,20}<?(https?:\/\/[^\s>]{1,400})/gm;

/** Addresses of which it is looked up whether an image names them. */
const MOST_REFERENCES = 50;

/** Finds what HTML and Markdown hide: comments, invisible styles, images whose address carries data. */
export function findMarkup(segment: Segment, masks: readonly Mask[], findings: Findings, work: Work): void {
  const { text, path, role } = segment;
  work.steps += text.length;
  if (role === "raw" || role === "data") return;
  const add = (rule: RuleId, start: number, end: number, what: string): void => {
    if (findings.isFull(rule, path)) return;
    findings.add({ rule, path, ...segment.place(start), what, snippet: snippetOf(segment, start, end, masks) });
  };
  for (let at = text.indexOf("<"); at >= 0; at = text.indexOf("<", at + 1)) {
    if (!/[!a-z]/i.test(text[at + 1] ?? "")) continue;
    const window = text.slice(at, at + WINDOW);
    const tag = /^<[a-z][^<>]{0,480}/i.exec(window)?.[0] ?? "";
    work.steps += 300 + tag.length;
    if (inCode(text, at)) continue;
    if (window.startsWith("<!--")) {
      if (!OF_TOOLS.test(window) && !/^<!--\s{0,20}-->/.test(window))
        add("text.html-comment", at, at + 80, "A comment stands in the text.");
      continue;
    }
    if ((INVISIBLE.test(tag) && !DARK.test(tag)) || /\s(?:hidden|aria-hidden="true")(?=[\s/]|$)/i.test(tag))
      add("text.invisible-style", at, at + tag.length, "A part is styled so that it does not show.");
    const source =
      /^<(?:img|iframe|script|video|audio|object|embed|link)\b[^>]{0,200}?\b(?:src|href|data)\s{0,3}=\s{0,3}["']?(https?:[^"'>\s]{1,300})/i.exec(
        tag,
      );
    if (source && PLACEHOLDER.test(queryOf(source[1]!))) addImage(at, at + tag.length);
  }
  for (let at = text.indexOf("]("); at >= 0; at = text.indexOf("](", at + 2)) {
    const window = text.slice(at + 2, at + WINDOW);
    work.steps += 2 * WINDOW;
    const address = /^<?(https?:\/\/[^)\n]{1,400})/i.exec(window)?.[1];
    const opens = text.slice(Math.max(0, at - 200), at).lastIndexOf("[");
    if (address === undefined || opens < 0 || text[Math.max(0, at - 200) + opens - 1] !== "!" || inCode(text, at))
      continue;
    if (PLACEHOLDER.test(queryOf(address))) addImage(at, at + address.length);
  }
  let looked = 0;
  for (const { 0: line, 1: label, 2: address, index } of text.matchAll(REFERENCE)) {
    if (!PLACEHOLDER.test(queryOf(address!)) || ++looked > MOST_REFERENCES) continue;
    work.steps += text.length;
    if (shows(text, label!)) addImage(index, index + line.length);
  }
  function addImage(start: number, end: number): void {
    add("prompt.image-exfiltration", start, end, "The address of an image has a place for data.");
  }
}

/** Whether an image names the address by its label: `![text][label]` or `![label]`. */
function shows(text: string, label: string): boolean {
  for (let at = text.indexOf(`[${label}]`); at >= 0; at = text.indexOf(`[${label}]`, at + 1)) {
    if (text[at - 1] === "!") return true;
    if (text[at - 1] === "]" && text[at - 2] !== "]" && text.slice(Math.max(0, at - 200), at).includes("!["))
      return true;
  }
  return false;
}

/** What stands behind the host. */
const queryOf = (address: string): string => address.replace(/^https?:\/\/[^/?#]{0,255}/i, "");

/** Whether a place stands in a code span on its line: an odd number of backticks before it, within bounds. */
function inCode(text: string, at: number): boolean {
  let ticks = 0;
  for (let before = at - 1; before >= 0 && at - before < 200 && text[before] !== "\n"; before--)
    if (text[before] === "`") ticks++;
  return ticks % 2 === 1;
}
