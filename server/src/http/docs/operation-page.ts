import { problemCatalogue } from "../../kernel/errors.ts";
import { roles } from "../../kernel/principal.ts";
import { roleGrants } from "../../kernel/role-permissions.ts";
import { curl } from "./curl.ts";
import { type Content, codeBlock, type Html, html, json, paragraphs, words } from "./html.ts";
import { eventPath, layout, methodBadge, operationPath, pathView, problemPath } from "./layout.ts";
import { type DocsModel, type DocumentedOperation, isObject, type Json } from "./model.ts";
import { bodyView, entry } from "./schema-view.ts";
import { typescript } from "./typescript.ts";

/** The page of one operation: what it does, what governs it, what goes in, what comes out, and how it can fail. */
export function operationPage(model: DocsModel, operation: DocumentedOperation): string {
  const { id, summary, method, path, declared } = operation;
  const content = html`<header class="head"><p class="crumb">${operation.group}</p><h1>${summary}</h1>
<p class="address">${methodBadge(method)}${pathView(path)}</p>${paragraphs(declared.description ?? `${summary}.`)}</header>
${governance(operation)}${inputs(operation, model)}${answers(operation, model)}${problems(operation)}`;
  return layout(model, { title: summary, path: operationPath(id), content, aside: aside(operation, model) });
}

function aside(operation: DocumentedOperation, model: DocsModel): Content {
  const { declared, described } = operation;
  const types = Object.keys(contentOf(success(operation, model)));
  const text = typeof declared.example?.output === "string" ? declared.example.output : json(declared.example?.output);
  const stream = contentOf(success(operation, model))["text/event-stream"]?.example;
  const languages = [
    ["curl", "Terminal", curl(operation, model)],
    ["TypeScript", "SDK", typescript(operation)],
    ["aos", "Terminal", model.commands[declared.id]],
  ] as const;
  const samples = html`<div class="samples">${languages.map(
    ([name, caption, code], at) =>
      code !== undefined &&
      html`<details name="samples"${at === 0 && html` open`}><summary>${name}</summary>${codeBlock(caption, code)}</details>`,
  )}</div>`;
  return html`${samples}${codeBlock(
    html`${String(declared.status)} <code>${types[0] ?? ""}</code>`,
    text,
  )}${typeof stream === "string" && codeBlock(html`${String(declared.status)} <code>text/event-stream</code>`, stream)}${
    isObject(described.requestBody) &&
    declared.reads.length > 0 &&
    html`<p class="note">The body may also come as ${declared.reads.map((type) => html`<code>${type}</code> `)}.</p>`
  }`;
}

/** What each stage of the pipeline does with the operation. */
function governance({ declared }: DocumentedOperation): Html {
  const { permission, exemptions, action, emits, spends } = declared;
  const may = roles.filter((role) => typeof permission !== "string" || roleGrants(role, permission));
  const stage = (name: string, said: Content): Html => html`<div><dt>${name}</dt><dd>${said}</dd></div>`;
  return html`<section><h2>What governs it</h2><dl class="cards">
${stage("Permissions", typeof permission === "string" ? html`Needs <code>${permission}</code>, which these roles have: ${may.join(", ")}.` : `Any valid key: ${String(exemptions.permission)}.`)}
${stage("Evaluation gate", exemptions.gate === undefined ? html`The agent version has to have passed; else <a href="${problemPath("evaluation_gate_failed")}">409</a>.` : `Does not apply: ${exemptions.gate}.`)}
${stage("Compliance", action === null ? `Does not apply: ${String(exemptions.compliance)}.` : html`Policies know it as <code>${action}</code>.${spends && " It takes from budgets."}`)}
${stage("Audit", html`One record of every call, whatever comes of it.${emits.length > 0 && html` Tells ${emits.map(({ type }, at) => html`${at > 0 && ", "}<a href="${eventPath(type)}"><code>${type}</code></a>`)}.`}`)}
</dl></section>`;
}

function inputs({ described }: DocumentedOperation, { resolve }: DocsModel): Content {
  const parameters = ((described.parameters ?? []) as unknown[]).map(resolve);
  const places = [
    ["path", "In the path"],
    ["query", "In the query"],
    ["header", "Headers"],
  ] as const;
  const lists = places.map(([place, title]) => {
    const here = parameters.filter((one) => one.in === place);
    const entries = here.map((one) =>
      entry(String(one.name), one.schema, resolve, { required: one.required === true, description: one.description }),
    );
    return here.length > 0 && html`<section><h2>${title}</h2><ul class="entries">${entries}</ul></section>`;
  });
  if (!isObject(described.requestBody)) return lists;
  const { content, required } = described.requestBody as { content: Record<string, Json>; required: boolean };
  const body = html`<section><h2>Body</h2>${!required && html`<p>May be left out.</p>`}${bodyView(content["application/json"]?.schema, resolve)}</section>`;
  return [lists, body];
}

const success = ({ described, declared }: DocumentedOperation, { resolve }: DocsModel): Json =>
  resolve((described.responses as Json)[String(declared.status)]);
const contentOf = (response: Json): Record<string, Json> => (response.content ?? {}) as Record<string, Json>;

function answers(operation: DocumentedOperation, model: DocsModel): Html {
  const { declared, method } = operation;
  const response = success(operation, model);
  const content = Object.entries(contentOf(response));
  const schema = withoutDryRun(content[0]?.[1].schema);
  const headers = Object.entries((response.headers ?? {}) as Json).map(([name, one]) => {
    const header = model.resolve(one);
    return entry(name, header.schema, model.resolve, { description: header.description });
  });
  return html`<section><h2>Answer</h2><p><span class="code-status" data-kind="good">${String(declared.status)}</span> ${String(response.description)}${
    content.length > 1 &&
    html` As ${content.map(([type], at) => html`${at > 0 && ", "}<code>${type}</code>`)}, chosen by <code>Accept</code>.`
  }</p>${bodyView(schema, model.resolve)}
<details><summary>Headers</summary><ul class="entries">${headers}</ul></details>${
    method !== "GET" &&
    html`<p class="note">With <code>?dry_run=true</code> the answer is 200 and says what each stage decides; nothing changes.</p>`
  }</section>`;
}

/** A change that answers 200 can also answer what a dry run found, which is the same for all. */
function withoutDryRun(schema: unknown): unknown {
  const choices = isObject(schema) ? schema.anyOf : undefined;
  if (!Array.isArray(choices) || !choices.some((one: Json) => one.$ref === "#/components/schemas/DryRun"))
    return schema;
  return choices.find((one: Json) => one.$ref !== "#/components/schemas/DryRun");
}

function problems({ problems: byStatus }: DocumentedOperation): Html {
  const titles = new Map(problemCatalogue().map(({ code, title }) => [code, title]));
  const rows = [...byStatus].flatMap(([status, codes]) => codes.map((code) => ({ status, code })));
  return html`<section><h2>Problems</h2><ul class="rows">${rows.map(
    ({ status, code }) =>
      html`<li><a href="${problemPath(code)}"><span class="code-status" data-kind="bad">${status}</span><span><code>${code}</code> ${words(titles.get(code) ?? "")}</span></a></li>`,
  )}</ul></section>`;
}
