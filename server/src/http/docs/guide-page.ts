import { Marked, type Tokens } from "marked";
import { type Guide, linkOf } from "./guides.ts";
import { type Content, codeBlock, escapeHtml, html } from "./html.ts";
import { layout } from "./layout.ts";
import type { DocsModel } from "./model.ts";

/** The page of a guide, a run book or a decision, made from its Markdown. */
export function guidePage(model: DocsModel, guide: Guide): string {
  const { title, path, file } = guide;
  const content = html`<header class="head"><p class="crumb">${crumbs[file.slice(0, file.indexOf("/"))]}</p><h1>${title}</h1></header>
<div class="prose">${rendered(guide)}</div>`;
  return layout(model, { title, path, content });
}

const crumbs: Readonly<Record<string, string>> = {
  guide: "Guide",
  operations: "Running it",
  decisions: "Decisions",
  reference: "Reference",
};

/** Languages of code blocks in words; what people type is distinguished from what is answered. */
const languages: Readonly<Record<string, string>> = {
  sh: "Terminal",
  json: "JSON",
  yaml: "YAML",
  ts: "TypeScript",
  js: "JavaScript",
  sql: "SQL",
  promql: "PromQL",
};

function rendered({ markdown, file }: Guide): Content {
  const marked = new Marked({
    renderer: {
      code: ({ text, lang }: Tokens.Code) => codeBlock(languages[lang ?? ""] ?? lang ?? "", text).html,
      heading({ tokens, depth }: Tokens.Heading) {
        const text = this.parser.parseInline(tokens);
        return `<h${depth} id="${slug(text)}">${text}</h${depth}>\n`;
      },
      link({ href, tokens }: Tokens.Link) {
        return `<a href="${escapeHtml(linkOf(file, href))}">${this.parser.parseInline(tokens)}</a>`;
      },
      // Comments and markup of the files are not for readers.
      html: ({ text }: Tokens.HTML | Tokens.Tag) => (text.startsWith("<!--") ? "" : escapeHtml(text)),
    },
  });
  // A wide table scrolls: by keyboard too.
  return { html: marked.parse(markdown, { async: false }).replaceAll("<table>", '<table tabindex="0">') };
}

/** The anchor of a heading, as GitHub makes it: lower case, spaces as hyphens, no other signs. */
export const slug = (text: string): string =>
  text
    .replaceAll(/<[^>]+>|&[a-z]+;|&#\d+;/g, "")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");
