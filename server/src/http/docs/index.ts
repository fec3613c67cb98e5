import { readFileSync } from "node:fs";
import type { FastifyInstance, FastifyReply } from "fastify";
import type { Operation } from "../../kernel/operation.ts";

/** What may happen in a page: its own script and styles, and nothing else (Content Security Policy, level 3). */
export const contentSecurityPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

const headers = {
  "Content-Security-Policy": contentSecurityPolicy,
  "Referrer-Policy": "no-referrer",
  "Cache-Control": "no-cache",
};

const assets = { "docs.css": "text/css; charset=utf-8", "docs.js": "text/javascript; charset=utf-8" };

/**
 * The reference under `/docs`, outside the pipeline: pages made from the declarations of the operations, problems and events, the same for
 * everybody. Made, and what makes them loaded, when the first of them is asked for, and kept.
 */
export function routeDocs(server: FastifyInstance, operations: readonly Operation[], appUrl: string): void {
  for (const [name, type] of Object.entries(assets)) {
    const content = readFileSync(new URL(name, import.meta.url));
    server.get(`/docs/assets/${name}`, async (_request, reply) => reply.headers(headers).type(type).send(content));
  }
  let made: ReturnType<typeof makeFiles> | undefined;
  const answer = async (reply: FastifyReply, path: string): Promise<FastifyReply> => {
    made ??= makeFiles(operations, appUrl);
    const { files, missing } = await made;
    const [type, text] = files.get(path) ?? [types.html, missing];
    return reply
      .code(files.has(path) ? 200 : 404)
      .headers(headers)
      .type(type)
      .send(text);
  };
  for (const path of ["/docs", "/llms.txt"]) server.get(path, async (_request, reply) => answer(reply, path));
  server.get<{ Params: { "*": string } }>("/docs/*", async (request, reply) =>
    answer(reply, `/docs/${request.params["*"]}`.replace(/\/$/, "")),
  );
}

const types = { html: "text/html; charset=utf-8", markdown: "text/markdown; charset=utf-8" };

/** Every page, the guides as Markdown, the search's index and the map for language models: type and text by path. */
async function makeFiles(operations: readonly Operation[], appUrl: string) {
  const [{ makePages }, { docsModel }, { llmsText, searchIndex }] = await Promise.all([
    import("./pages.ts"),
    import("./model.ts"),
    import("./plain-text.ts"),
  ]);
  const model = docsModel(operations, appUrl);
  const { pages, missing } = makePages(model);
  const files = new Map<string, readonly [type: string, text: string]>([
    ["/docs/search.json", ["application/json", searchIndex(pages)]],
    ["/llms.txt", ["text/plain; charset=utf-8", llmsText(model)]],
  ]);
  for (const [path, page] of pages) files.set(path, [types.html, page]);
  for (const { path, title, markdown } of model.guides)
    files.set(`${path}.md`, [types.markdown, `# ${title}\n${markdown}`]);
  return { files, missing };
}
