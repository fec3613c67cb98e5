import { type Content, type Html, html } from "./html.ts";
import type { DocsModel, DocumentedOperation } from "./model.ts";

/** Where a page stands in the navigation: its own address. */
export interface PageParts {
  readonly title: string;
  readonly path: string;
  readonly content: Content;
  /** What stands beside the content where there is room, and below its head where there is none. */
  readonly aside?: Content;
}

export const operationPath = (id: string): string => `/docs/operations/${id}`;
export const problemPath = (code: string): string => `/docs/problems/${code}`;
export const eventPath = (type: string): string => `/docs/events/${type}`;

/** The method of a call, as a badge. */
export const methodBadge = (method: string): Html =>
  html`<span class="method" data-method="${method}">${method}</span>`;

/** The path of a call, breakable at its slashes, its variable parts distinguished. */
export function pathView(path: string): Html {
  const pieces = path
    .split(/(\{\w+\})/)
    .map((piece) => (piece.startsWith("{") ? html`<var>${piece}</var>` : breakable(piece)));
  return html`<code class="path">${pieces}</code>`;
}

const breakable = (text: string): Content => text.split("/").map((part, at) => html`${at > 0 && html`/<wbr>`}${part}`);

/** What stands in the navigation besides the reference. Decisions are for maintainers: pages link to them. */
const shelves = [
  ["guide/", "Guide"],
  ["operations/", "Running it"],
] as const;

/** One operation in a list: its summary over its path. */
export const operationRow = ({ id, method, path, summary }: DocumentedOperation): Html =>
  html`<li><a href="${operationPath(id)}">${methodBadge(method)}<span><strong>${summary}</strong>${pathView(path)}</span></a></li>`;

/** A whole page. Its navigation comes after its content, so that it stands at the end where there is no room beside. */
export function layout(model: DocsModel, { title, path, content, aside }: PageParts): string {
  const link = (to: string, name: Content): Html =>
    html`<li><a href="${to}"${to === path && html` aria-current="page"`}>${name}</a></li>`;
  const operation = ({ id, method, summary }: DocumentedOperation): Html =>
    link(operationPath(id), html`${methodBadge(method)}<span>${summary}</span>`);
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Agent Operations Service</title>
<link rel="stylesheet" href="/docs/assets/docs.css">
<script type="module" src="/docs/assets/docs.js"></script>
</head>
<body>
<a class="skip" href="#content">To the content</a>
<header class="bar"><a class="brand" href="/docs">Agent Operations Service</a><a class="to-contents" href="#contents">Contents</a></header>
<div class="frame">
<main id="content"${aside !== undefined && html` class="with-aside"`}>${aside === undefined ? content : html`<div class="text">${content}</div><aside>${aside}</aside>`}</main>
<nav id="contents" aria-label="Contents">
<ul>${link("/docs", "Start here")}</ul>
${shelves.map(
  ([place, name]) =>
    html`<section><h2>${name}</h2><ul>${model.guides
      .filter(({ file }) => file.startsWith(place))
      .map((guide) => link(guide.path, guide.title))}</ul></section>`,
)}
<section><h2>Reference</h2><ul>${link("/docs/reference/agent-file", "The agent file")}${link("/docs/events", "Events")}${link("/docs/problems", "Problems")}${link("/openapi.json", "OpenAPI description")}${link("/openapi.yaml", "OpenAPI description as YAML")}${link("/workflow.schema.json", "JSON Schema of workflow files")}</ul></section>
${model.groups.map(({ name, operations }) => html`<section><h2>${name}</h2><ul>${operations.map(operation)}</ul></section>`)}
<p id="none" hidden>Nothing matches.</p>
</nav>
</div>
</body>
</html>
`;
  return page.html;
}
