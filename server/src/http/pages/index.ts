import { readFileSync } from "node:fs";
import type { FastifyInstance, FastifyReply } from "fastify";
import { isId } from "../../kernel/ids.ts";

const html = "text/html; charset=utf-8";
const script = "text/javascript; charset=utf-8";

/** What may happen in a page: its own scripts and styles, calls to this service, and nothing else (Content Security Policy, level 3). */
export const contentSecurityPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

const headers = {
  "Content-Security-Policy": contentSecurityPolicy,
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
};

const style = "text/css; charset=utf-8";

const assets: readonly (readonly [name: string, type: string])[] = [
  ["base.css", style],
  ["approval.css", style],
  ["approval.js", script],
  ["digest.js", script],
  ["render.js", script],
  ["words.js", script],
];

/**
 * The page behind `approve_url`, `/approvals/<task_id>`, and its files, outside the pipeline: the same text for everybody, which holds no
 * data. What it shows it asks of the interface, with a key that the visitor enters. Files are read once, here.
 */
export function routePages(server: FastifyInstance): void {
  const page = read("approval.html");
  const notFound = read("not-found.html");
  for (const [name, type] of assets) {
    const content = read(name);
    server.get(`/approvals/assets/${name}`, async (_request, reply) => answer(reply, 200, type, content, "no-cache"));
  }
  server.get<{ Params: { id: string } }>("/approvals/:id", async (request, reply) => {
    const known = isId(request.params.id, "tsk", "apr");
    return answer(reply, known ? 200 : 404, html, known ? page : notFound, "no-store");
  });
}

function answer(reply: FastifyReply, status: number, type: string, content: Buffer, caching: string): FastifyReply {
  return reply.code(status).headers(headers).header("Cache-Control", caching).type(type).send(content);
}

function read(name: string): Buffer {
  return readFileSync(new URL(name, import.meta.url));
}
