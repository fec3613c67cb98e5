import { readFileSync } from "node:fs";
import type { FastifyInstance, FastifyReply } from "fastify";
import { problemCatalogue } from "../../kernel/errors.ts";
import type { Operation } from "../../kernel/operation.ts";
import { eventPage, eventsPage } from "./events-page.ts";
import { guidePage } from "./guide-page.ts";
import { homePage } from "./home-page.ts";
import { html } from "./html.ts";
import { eventPath, layout, operationPath, problemPath } from "./layout.ts";
import { type DocsModel, docsModel } from "./model.ts";
import { operationPage } from "./operation-page.ts";
import { problemPage, problemsPage } from "./problem-pages.ts";

/** What may happen in a page: its own script and styles, and nothing else (Content Security Policy, level 3). */
export const contentSecurityPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

const headers = {
  "Content-Security-Policy": contentSecurityPolicy,
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "Cache-Control": "no-cache",
};

const assets: readonly (readonly [name: string, file: string, type: string])[] = [
  ["base.css", "base.css", "text/css; charset=utf-8"],
  ["docs.css", "docs.css", "text/css; charset=utf-8"],
  ["docs.js", "docs.js", "text/javascript; charset=utf-8"],
];

/**
 * The reference under `/docs`, outside the pipeline: pages made from the declarations of the operations, problems and events, the same for
 * everybody. Made when the first of them is asked for, and kept.
 */
export function routeDocs(server: FastifyInstance, operations: readonly Operation[], appUrl: string): void {
  for (const [name, file, type] of assets) {
    const content = readFileSync(new URL(file, import.meta.url));
    server.get(`/docs/assets/${name}`, async (_request, reply) => reply.headers(headers).type(type).send(content));
  }
  let made: { pages: ReadonlyMap<string, string>; missing: string } | undefined;
  const answer = (reply: FastifyReply, path: string): FastifyReply => {
    made ??= makePages(docsModel(operations, appUrl));
    const page = made.pages.get(path);
    return reply
      .code(page === undefined ? 404 : 200)
      .headers(headers)
      .type("text/html; charset=utf-8")
      .send(page ?? made.missing);
  };
  server.get("/docs", async (_request, reply) => answer(reply, "/docs"));
  server.get<{ Params: { "*": string } }>("/docs/*", async (request, reply) =>
    answer(reply, `/docs/${request.params["*"]}`.replace(/\/$/, "")),
  );
}

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
