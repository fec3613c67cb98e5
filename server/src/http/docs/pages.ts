import { problemCatalogue } from "../../kernel/errors.ts";
import { eventPage, eventsPage } from "./events-page.ts";
import { guidePage } from "./guide-page.ts";
import { homePage } from "./home-page.ts";
import { html } from "./html.ts";
import { eventPath, layout, operationPath, problemPath } from "./layout.ts";
import type { DocsModel } from "./model.ts";
import { operationPage } from "./operation-page.ts";
import { problemPage, problemsPage } from "./problem-pages.ts";

/** Every page, by its path, and what stands where there is none. */
export function makePages(model: DocsModel): { pages: ReadonlyMap<string, string>; missing: string } {
  const pages = new Map<string, string>([
    ["/docs", homePage(model)],
    ["/docs/events", eventsPage(model)],
    ["/docs/problems", problemsPage(model)],
    ...model.operations.map((operation) => [operationPath(operation.id), operationPage(model, operation)] as const),
    ...model.guides.map((guide) => [guide.path, guidePage(model, guide)] as const),
    ...model.events.map((event) => [eventPath(event.type), eventPage(model, event)] as const),
    ...problemCatalogue().map((type) => [problemPath(type.code), problemPage(model, type)] as const),
  ]);
  const missing = html`<header class="head"><h1>There is no such page</h1><p>The <a href="/docs">reference</a> has all operations, the <a href="/docs/problems">problems</a>
and the <a href="/docs/events">events</a>.</p></header>`;
  return { pages, missing: layout(model, { title: "No such page", path: "", content: missing }) };
}
