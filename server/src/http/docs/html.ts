/** A piece of HTML that is safe to send: only `html` makes it. */
export interface Html {
  readonly html: string;
}

/** What may stand in a template: text is escaped, HTML stays, lists are joined, nothing is left out. */
export type Content = Html | string | number | false | null | undefined | readonly Content[];

const entities = [
  ["&", "&amp;"],
  ["<", "&lt;"],
  [">", "&gt;"],
  ['"', "&quot;"],
  ["'", "&#39;"],
] as const;

/** Text in place of markup: for elements and for attributes in quotes. */
export const escapeHtml = (text: string): string =>
  entities.reduce((escaped, [sign, entity]) => escaped.replaceAll(sign, entity), text);
/** The text that was escaped. */
export const unescapeHtml = (markup: string): string =>
  entities.reduceRight((text, [sign, entity]) => text.replaceAll(entity, sign), markup);

/** Builds HTML; whatever is put in as text cannot become markup. */
export function html(parts: TemplateStringsArray, ...contents: readonly Content[]): Html {
  return { html: parts.map((part, at) => part + (at < contents.length ? markup(contents[at]) : "")).join("") };
}

function markup(content: Content): string {
  if (content === false || content === null || content === undefined) return "";
  if (typeof content === "object") return "html" in content ? content.html : content.map(markup).join("");
  return escapeHtml(String(content));
}

/** A sentence of a declaration, with its `code` as code. */
export function words(text: string): Html {
  return { html: escapeHtml(text).replaceAll(/`([^`]+)`/g, "<code>$1</code>") };
}

/** Paragraphs of a declaration. */
export const paragraphs = (text: string): Html[] =>
  text.split("\n\n").map((one) => html`<p>${words(one.replaceAll("\n", " "))}</p>`);

/** JSON, its names, texts and other values distinguished by class. */
export function json(value: unknown): Html {
  const token = /("(?:[^"\\]|\\.)*")(\s*:)?|[^\s"{}[\],:]+|[^"]/g;
  const source = JSON.stringify(value, null, 2) ?? "";
  return html`${[...source.matchAll(token)].map(([whole, text, colon]) => {
    if (text === undefined && /^[\s{}[\],:]$/.test(whole)) return whole;
    const kind = text === undefined ? "json-value" : colon === undefined ? "json-text" : "json-name";
    return html`<span class="${kind}">${text ?? whole}</span>${colon}`;
  })}`;
}

/** A block of code with a title; the script adds a button that copies it. */
export const codeBlock = (title: Content, code: Content): Html =>
  html`<figure class="code"><figcaption><span>${title}</span></figcaption><pre tabindex="0"><code>${code}</code></pre></figure>`;
