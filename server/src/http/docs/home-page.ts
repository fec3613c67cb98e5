import { curl } from "./curl.ts";
import { type Content, codeBlock, html, json, words } from "./html.ts";
import { layout, operationPath, operationRow, problemPath } from "./layout.ts";
import type { DocsModel } from "./model.ts";

/** The operation that everybody tries first. */
const firstCall = "agents.dispatchTask";

/** The front page: the first call, what governs every call, what holds for all of them, and the operations by group. */
export function homePage(model: DocsModel): string {
  return layout(model, { title: "Reference", path: "/docs", content: content(model), aside: aside(model) });
}

function content({ groups }: DocsModel): Content {
  return html`<header class="head"><h1>Put agents to work, and stay able to say what they did</h1>
<p class="lead">One interface to build, govern and deploy software agents and to give them work. Every call, reads included, passes four stages, and every answer carries a
reference that can be proved offline.</p></header>
<section><h2>What every call passes</h2><ol class="cards">
<li><h3>Permissions</h3><p>A key has one environment and one role. What belongs to another environment is not visible at all.</p></li>
<li><h3>Evaluation gate</h3><p>A version of an agent works only where its evaluations say that it may.</p></li>
<li><h3>Compliance</h3><p>Kill switches, pauses, policies and budgets decide: allow, deny, or put before people.</p></li>
<li><h3>Audit</h3><p>Effect and record commit together, before the answer leaves. <code>Audit-Ref</code> names the record.</p></li>
</ol></section>
<section><h2>What holds everywhere</h2><dl class="cards">${rules.map(([name, text]) => html`<div><dt>${name}</dt><dd>${words(text)}</dd></div>`)}</dl>
<p>An error is a <a href="/docs/problems">problem</a> with a code that programs can rely on; each has a page. <a href="/docs/events">Events</a> say what happened.</p></section>
<section><h2>Operations</h2>${groups.map(
    ({ name, description, operations }) =>
      html`<section class="group" id="${name}"><h3>${name}</h3><p>${description}</p><ul class="rows">${operations.map(operationRow)}</ul></section>`,
  )}</section>`;
}

const rules: readonly (readonly [string, string])[] = [
  [
    "Authentication",
    "`Authorization: Bearer <key>`. The first key is printed when the service starts; more come from `POST /v1/admin/keys`.",
  ],
  [
    "Dry run",
    "Every change takes `?dry_run=true`: all stages judge it, the answer says what would happen, nothing changes.",
  ],
  [
    "Repeating safely",
    "Send an `Idempotency-Key` with `POST` and `PATCH`: for 24 hours, the same key with the same body gets the first answer again.",
  ],
  [
    "Changing together",
    "Where a read answers an `ETag`, a change asks for it as `If-Match`, so that nobody overwrites what they have not seen.",
  ],
  [
    "Pages",
    "Lists answer `data`, `has_more` and `next_cursor`. Pass the cursor back, with filters unchanged, for the next page.",
  ],
  ["Rate", "`RateLimit` says in every answer what is left. Above it the answer is 429 with `Retry-After`."],
  [
    "Growth",
    "`/v1` only grows: operations, optional inputs, members of answers, values and events may be added at any time. Pass over what you do not know.",
  ],
];

function aside(model: DocsModel): Content {
  const first = model.operations.find(({ id }) => id === firstCall);
  if (!first) return false;
  const { example } = first.declared;
  return html`${codeBlock("The first call", curl(first, model))}${codeBlock("Its answer", json(example?.output))}<p class="note">The whole of it: <a href="${operationPath(
    first.id,
  )}">${first.summary}</a>. If it is refused: <a href="${problemPath("unauthenticated")}">no valid key</a>, <a href="${problemPath("policy_blocked")}">a policy</a>.</p>`;
}
