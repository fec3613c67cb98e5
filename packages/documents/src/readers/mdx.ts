// Markdown with JSX and JavaScript, as text for a reader of Markdown: what a person would see of it.

/** Longer expressions, tags and strings are none that a person wrote; they stay as they are. */
const LONGEST = 20_000;
/** Elements that a reader of Markdown takes for what they are; of others the contents are left. */
const html = new Set(
  "a abbr b blockquote br caption code dd del dl dt em h1 h2 h3 h4 h5 h6 hr i img kbd li mark ol p pre q s small strong sub summary sup table tbody td tfoot th thead tr u ul".split(
    " ",
  ),
);
/** Attributes of components that are texts for a reader. */
const spoken = new Set("alt caption description header heading label summary title".split(" "));
const imports = /^import\s*(["'{*]|[\w$]+\s*(,\s*[{*]|from\s*["']))/;
const exports = /^export\s+(default|const|let|var|function|async|class|\{|\*)/;
/** Lines of one statement. */
const LONGEST_STATEMENT = 500;

/** Whether a Markdown file is MDX by what it begins with: imports, as the pages of many sites of documentation. */
export const beginsAsMdx = (text: string): boolean => imports.test(text.slice(0, 1000).trimStart());

/** MDX without imports, exports, comments, expressions and tags of components. Texts within components stay, and their titles and labels. Code stays as it is. */
export function markdownOfMdx(text: string): string {
  const out: string[] = [];
  let fence: string | null = null;
  let part: string[] = [];
  const flush = (): void => {
    if (part.length > 0) out.push(withoutJsx(part.join("\n")));
    part = [];
  };
  const lines = text.split("\n");
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] as string;
    const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence !== null) {
      out.push(line);
      if (mark?.startsWith(fence) && line.trim() === mark) fence = null;
    } else if (mark !== undefined) {
      flush();
      fence = mark;
      out.push(line);
    } else if (
      isStatement(line) &&
      (at === 0 || lines[at - 1]?.trim() === "" || isStatement(lines[at - 1] as string))
    ) {
      flush();
      at = endOfStatement(lines, at);
    } else part.push(line);
  }
  flush();
  return dedented(out.join("\n"));
}

const isStatement = (line: string): boolean => imports.test(line) || exports.test(line);

/** The last line of a statement: the one before an empty line, outside of brackets. */
function endOfStatement(lines: readonly string[], start: number): number {
  let depth = 0;
  for (let at = start; at < Math.min(lines.length, start + LONGEST_STATEMENT); at++) {
    const line = lines[at] as string;
    depth += line.replaceAll(/[^([{]/g, "").length - line.replaceAll(/[^)\]}]/g, "").length;
    if (depth <= 0 && (lines[at + 1] ?? "").trim() === "") return at;
  }
  return start;
}

/** A text without code blocks, from left to right. */
function withoutJsx(text: string): string {
  let out = "";
  let [from, unclosed] = [0, false];
  const special = /`+|\\[\\{<`]|\{|<[\w/>!]/g;
  for (let match = special.exec(text); match !== null; match = special.exec(text)) {
    const at = match.index;
    let [end, put] = [at + match[0].length, match[0]];
    if (match[0].startsWith("`")) {
      const close = text.indexOf(match[0], end);
      if (close >= 0 && close - at < LONGEST) end = close + match[0].length;
      put = text.slice(at, end);
    } else if (match[0] === "{") {
      const close = unclosed ? -1 : endOfBraces(text, at);
      unclosed ||= close < 0;
      if (close >= 0) [end, put] = [close, literal(text.slice(at + 1, close - 1).trim())];
    } else if (match[0].startsWith("<")) {
      const tag = tagAt(text, at);
      if (tag !== null) [end, put] = [tag.end, tag.put];
    }
    out += text.slice(from, at) + put;
    from = end;
    special.lastIndex = end;
  }
  return out + text.slice(from);
}

/** Of an expression, a text that it is; of others and of comments, nothing. */
const literal = (code: string): string => /^(["'`])((?:(?!\1|\$\{)[^\\])*)\1$/.exec(code)?.[2] ?? "";

/** Behind the brace that closes the one at a place; -1 where none does. */
function endOfBraces(text: string, start: number): number {
  let depth = 0;
  const last = Math.min(text.length, start + LONGEST);
  for (let at = start; at < last; at++) {
    const character = text[at] as string;
    if (character === "{") depth++;
    else if (character === "}" && --depth === 0) return at + 1;
    else if (character === '"' || character === "'" || character === "`") {
      const close = text.indexOf(character, at + 1);
      const isString = close >= 0 && close < last && (character === "`" || !text.slice(at, close).includes("\n"));
      if (isString) at = close;
    } else if (text.startsWith("/*", at)) {
      const close = text.indexOf("*/", at + 2);
      if (close < 0 || close > last) return -1;
      at = close + 1;
    }
  }
  return -1;
}

/** A tag, and what is put for it: the tag without its code, or the texts of a component; null where it is none. */
function tagAt(text: string, start: number): { readonly end: number; readonly put: string } | null {
  if (text.startsWith("<!--", start)) {
    const close = text.indexOf("-->", start);
    return close < 0 ? null : { end: close + 3, put: "" };
  }
  const [open, slash = "", name = ""] = /^<(\/?)([\w.:-]*)/.exec(text.slice(start, start + 200)) ?? [""];
  if (/^(https?|mailto|ftp):/.test(name)) return null;
  const found = attributesAt(text, start + open.length);
  if (found === null) return null;
  const { end, attributes, isClosed } = found;
  if (html.has(name)) {
    const kept = attributes.map(([own, value]) => ` ${own}="${value.replaceAll('"', "&quot;")}"`).join("");
    return { end, put: `<${slash}${name}${kept}>${isClosed && !/^(br|hr|img)$/.test(name) ? `</${name}>` : ""}` };
  }
  const texts = attributes.filter(([own]) => spoken.has(own)).map(([, value]) => value);
  const isBlock = /^[ \t]*$/.test(text.slice(text.lastIndexOf("\n", start - 1) + 1, start));
  if (texts.length === 0) return { end, put: isBlock && slash === "" ? "" : " " };
  return { end, put: `\n\n${texts.join("\n\n")}\n\n` };
}

interface Attributes {
  readonly end: number;
  readonly attributes: readonly (readonly [name: string, value: string])[];
  readonly isClosed: boolean;
}

/** The attributes of a tag that are strings, up to its end. */
function attributesAt(text: string, start: number): Attributes | null {
  const attributes: [string, string][] = [];
  const next = /\s*(?:(\/?>)|(\{)|([\w:.-]+)(?:\s*=\s*(?:"([^"]{0,5000})"|'([^']{0,5000})'|(\{)))?)/y;
  for (let at = start; at - start < LONGEST; ) {
    next.lastIndex = at;
    const match = next.exec(text);
    if (match === null) return null;
    const [, close, spread, name = "", double, single, code] = match;
    at = next.lastIndex;
    if (close !== undefined) return { end: at, attributes, isClosed: close.length > 1 };
    if (spread !== undefined || code !== undefined) {
      const end = endOfBraces(text, at - 1);
      if (end < 0) return null;
      const value = code === undefined ? "" : literal(text.slice(at, end - 1).trim());
      if (value !== "") attributes.push([name, value]);
      at = end;
    } else if ((double ?? single) !== undefined) attributes.push([name, (double ?? single) as string]);
  }
  return null;
}

/** Contents of components are indented, which Markdown would take for code. Only lists keep the indentation of their items, and code that of its lines. */
function dedented(text: string): string {
  let list = null as number | null;
  let [fence, wasBlank] = [null as { mark: string; indent: number } | null, true];
  const dedent = (line: string): string => {
    const indent = /^[ \t]*/.exec(line)?.[0].length ?? 0;
    const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence !== null) {
      const own = line.slice(Math.min(indent, fence.indent));
      if (mark?.startsWith(fence.mark) && line.trim() === mark) fence = null;
      return own;
    }
    const isItem = /^\s*([-*+]|\d{1,9}[.)])\s/.test(line);
    if (list !== null && wasBlank && !isItem && line.trim() !== "" && indent <= list) list = null;
    if (isItem) list = Math.min(list ?? indent, indent);
    wasBlank = line.trim() === "";
    if (mark !== undefined) fence = { mark, indent: list ?? indent };
    return line.slice(Math.min(indent, list ?? indent));
  };
  return text.split("\n").map(dedent).join("\n");
}
