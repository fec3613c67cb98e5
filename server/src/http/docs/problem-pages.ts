import { type ProblemType, problemCatalogue } from "../../kernel/errors.ts";
import { problemExample } from "../../openapi/document.ts";
import { type Content, codeBlock, html, json, words } from "./html.ts";
import { layout, operationRow, problemPath } from "./layout.ts";
import type { DocsModel } from "./model.ts";

/** All kinds of problems, by status. */
export function problemsPage(model: DocsModel): string {
  const byStatus = [...Map.groupBy(problemCatalogue(), ({ status }) => status)].sort(([a], [b]) => a - b);
  const content = html`<header class="head"><h1>Problems</h1><p class="lead">Every error is <code>application/problem+json</code> (RFC 9457). Programs read <code>code</code>,
which is added to and never renamed; people read <code>detail</code>, which names the field, the rule and the remedy. <code>errors</code> lists all faults of an input at once.</p></header>
${byStatus.map(
  ([status, types]) =>
    html`<section><h2>${status} ${reasons[status] ?? ""}</h2><ul class="rows">${types.map(
      ({ code, title }) =>
        html`<li><a href="${problemPath(code)}"><span><code>${code}</code> ${words(title)}</span></a></li>`,
    )}</ul></section>`,
)}`;
  return layout(model, { title: "Problems", path: "/docs/problems", content });
}

const reasons: Readonly<Record<number, string>> = {
  400: "The request cannot be read",
  401: "Who calls is not known",
  403: "Not allowed",
  404: "Not found",
  405: "Not with this method",
  406: "Not in that form",
  409: "Not in this state",
  412: "Changed in between",
  413: "Too much at once",
  415: "Not of this type",
  422: "Read, but not valid",
  428: "A precondition is missing",
  429: "Too often",
  431: "Headers too large",
  500: "A fault of the service",
  503: "Not right now",
};

/** The page that a problem's `type` names: cause, remedy, an example, and which operations answer it. */
export function problemPage(model: DocsModel, type: ProblemType): string {
  const { code, status, title, cause, remedy, retryable } = type;
  const users = model.operations.filter(({ problems }) => problems.get(String(status))?.includes(code));
  const content = html`<header class="head"><p class="crumb"><a href="/docs/problems">Problems</a></p><h1>${words(title)}</h1>
<p class="address"><span class="code-status" data-kind="bad">${status}</span><code class="path">${code}</code></p>
<p class="lead">${retryable ? "The same call may succeed later: worth trying again." : "The same call will fail again: it needs a change first."}</p></header>
<section><h2>Cause</h2><p>${words(cause)}</p></section>
<section><h2>Remedy</h2><p>${words(remedy)}</p></section>
<section><h2>Who answers it</h2>${
    users.length === 0
      ? html`<p>What no operation has been reached by: the request itself.</p>`
      : html`<details${
          users.length <= 12 && html` open`
        }><summary>${users.length} of ${model.operations.length} operations</summary><ul class="rows">${users.map(operationRow)}</ul></details>`
  }</section>`;
  return layout(model, { title, path: problemPath(code), content, aside: aside(type) });
}

function aside(type: ProblemType): Content {
  return codeBlock(html`${type.status} <code>application/problem+json</code>`, json(problemExample(type)));
}
