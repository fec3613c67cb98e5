import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { isId } from "../../kernel/ids.ts";
import { portalAddresses } from "./addresses.ts";
import type { Encoding, PortalSite, SiteFile } from "./site.ts";

/** What may happen in a page: its own scripts and styles, calls to this service, and nothing else (Content Security Policy, level 3). */
export const contentSecurityPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

const headers = {
  "Content-Security-Policy": contentSecurityPolicy,
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
};

/**
 * The portal, outside the pipeline: files that are the same for everybody and hold no data. What a page shows it asks of the interface, as the one who is
 * signed in. `report` is told why the files could not be built.
 */
export function routePortal(server: FastifyInstance, site: PortalSite, report: (error: unknown) => void): void {
  const file = async (request: FastifyRequest, reply: FastifyReply, name: string, status = 200): Promise<FastifyReply> => {
    const found = await site.load().then((files) => files.get(name) ?? null, failed(report));
    if (found === "failed") return unbuilt(reply);
    return found === null ? missing(reply) : answer(request, reply, found, status);
  };
  for (const address of portalAddresses) {
    server.get<{ Params: { task?: string } }>(address, (request, reply) => {
      const { task } = request.params;
      return file(request, reply, "/index.html", task === undefined || isId(task, "tsk", "apr") ? 200 : 404);
    });
  }
  for (const name of ["/theme.js", "/mark.svg"]) server.get(name, (request, reply) => file(request, reply, name));
  server.get<{ Params: { file: string } }>("/assets/:file", (request, reply) => file(request, reply, `/assets/${request.params.file}`));
}

const failed =
  (report: (error: unknown) => void) =>
  (error: unknown): "failed" => {
    report(error);
    return "failed";
  };

function answer(request: FastifyRequest, reply: FastifyReply, file: SiteFile, status: number): FastifyReply {
  const caching = file.immutable ? "public, max-age=31536000, immutable" : "no-cache";
  reply.headers(headers).header("Cache-Control", caching).header("ETag", file.etag).header("Vary", "Accept-Encoding");
  if (status === 200 && request.headers["if-none-match"] === file.etag) return reply.code(304).send();
  const encoding = encodingFor(request.headers["accept-encoding"], file);
  if (encoding !== "identity") reply.header("Content-Encoding", encoding);
  return reply.code(status).type(file.type).send(file.content.get(encoding));
}

/** The smallest form that the caller takes. */
function encodingFor(accepted: string | undefined, { content }: SiteFile): Encoding {
  const words = new Set((accepted ?? "").split(",").map((part) => part.trim().split(";")[0]));
  return (["br", "gzip"] as const).find((encoding) => words.has(encoding) && content.has(encoding)) ?? "identity";
}

const plain = "text/plain; charset=utf-8";

function missing(reply: FastifyReply): FastifyReply {
  return reply
    .code(404)
    .headers(headers)
    .header("Cache-Control", "no-store")
    .type(plain)
    .send("There is no such file. The portal was renewed: reload the page.\n");
}

function unbuilt(reply: FastifyReply): FastifyReply {
  const text = "The portal's files could not be built; the log of the service says why. The interface serves all the same: see /docs.\n";
  return reply
    .code(503)
    .headers({ ...headers, "Retry-After": "5" })
    .header("Cache-Control", "no-store")
    .type(plain)
    .send(text);
}
