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

const assets: readonly (readonly [name: string, file: string, type: string])[] = [
  ["base.css", "base.css", "text/css; charset=utf-8"],
  ["docs.css", "docs.css", "text/css; charset=utf-8"],
  ["docs.js", "docs.js", "text/javascript; charset=utf-8"],
];

/**
 * The reference under `/docs`, outside the pipeline: pages made from the declarations of the operations, problems and events, the same for
 * everybody. Made, and what makes them loaded, when the first of them is asked for, and kept.
 */
export function routeDocs(server: FastifyInstance, operations: readonly Operation[], appUrl: string): void {
  for (const [name, file, type] of assets) {
    const content = readFileSync(new URL(file, import.meta.url));
    server.get(`/docs/assets/${name}`, async (_request, reply) => reply.headers(headers).type(type).send(content));
  }
  let made: ReturnType<typeof make> | undefined;
  const make = async () => {
    const [{ makePages }, { docsModel }, texts] = await Promise.all([
      import("./pages.ts"),
      import("./model.ts"),
      import("./plain-text.ts"),
    ]);
    const model = docsModel(operations, appUrl);
    const { pages, missing } = makePages(model);
    const markdown = new Map(model.guides.map((guide) => [`${guide.path}.md`, `# ${guide.title}\n${guide.markdown}`]));
    return { pages, missing, markdown, search: texts.searchIndex(pages), llms: texts.llmsText(model) };
  };
  const answer = async (reply: FastifyReply, path: string): Promise<FastifyReply> => {
    made ??= make();
    const { pages, missing, markdown } = await made;
    const text = markdown.get(path);
    if (text !== undefined) return reply.headers(headers).type("text/markdown; charset=utf-8").send(text);
    const page = pages.get(path);
    return reply
      .code(page === undefined ? 404 : 200)
      .headers(headers)
      .type("text/html; charset=utf-8")
      .send(page ?? missing);
  };
  server.get("/docs/search.json", async (_request, reply) => {
    made ??= make();
    return reply
      .headers(headers)
      .type("application/json")
      .send((await made).search);
  });
  server.get("/llms.txt", async (_request, reply) => {
    made ??= make();
    return reply
      .headers(headers)
      .type("text/plain; charset=utf-8")
      .send((await made).llms);
  });
  server.get("/docs", async (_request, reply) => answer(reply, "/docs"));
  server.get<{ Params: { "*": string } }>("/docs/*", async (request, reply) =>
    answer(reply, `/docs/${request.params["*"]}`.replace(/\/$/, "")),
  );
}
