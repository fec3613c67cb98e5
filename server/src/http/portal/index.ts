import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { ifNoneMatchHolds, parseTagList } from "../../kernel/etag.ts";
import { isId } from "../../kernel/ids.ts";
import { chatWidget, portalAddresses, portalFiles } from "./addresses.ts";
import { everyFile, everyPage, sharedFile } from "./headers.ts";
import { formFor, type PortalSite, type SiteFile } from "./site.ts";

/** The portal on a server, outside the pipeline: files that are the same for everybody and hold no data. What a page shows it asks of the interface. */
export interface Portal {
  /** Routes its pages and files. */
  route(server: FastifyInstance): void;
  /** Whether a request that nothing else took is a visit to a page that there is not: a browser's, and below no address of the interface. */
  takes(request: FastifyRequest): boolean;
  /** The page that says so. */
  unknown(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply>;
}

/** What is not the portal's: the interface, its description and the service's own addresses. Below these nothing is ever a page. */
const foreign = /^\/(v1|auth|docs|assets|openapi\.json|healthz|readyz|metrics)([/?#]|$)/;

/** The portal over its files. `report` hears why they could not be built. */
export function createPortal(site: PortalSite, report: (error: unknown) => void): Portal {
  const file = async (
    request: FastifyRequest,
    reply: FastifyReply,
    name: string,
    status = 200,
  ): Promise<FastifyReply> => {
    const files = await site.load().catch(report);
    if (!files) return tell(reply.header("Retry-After", "5"), 503, unbuilt);
    const found = files.get(name);
    return found ? answer(request, reply, found, status) : tell(reply, 404, missing);
  };
  return {
    takes: ({ method, url, headers }) =>
      (method === "GET" || method === "HEAD") && !foreign.test(url) && /\btext\/html\b/.test(headers.accept ?? ""),
    unknown: (request, reply) => file(request, reply, "/index.html", 404),
    route(server) {
      for (const address of portalAddresses) {
        server.get<{ Params: { task?: string } }>(address, (request, reply) => {
          const { task } = request.params;
          return file(request, reply, "/index.html", task === undefined || isId(task, "tsk", "apr") ? 200 : 404);
        });
      }
      for (const name of portalFiles) server.get(name, (request, reply) => file(request, reply, name));
      server.get(chatWidget, (request, reply) => file(request, reply, chatWidget));
      server.get<{ Params: { "*": string } }>("/assets/*", (request, reply) =>
        file(request, reply, `/assets/${request.params["*"]}`),
      );
    },
  };
}

function answer(request: FastifyRequest, reply: FastifyReply, file: SiteFile, status: number): FastifyReply {
  const { headers } = request;
  const { content, encoding, etag } = formFor(file, headers["accept-encoding"]);
  const page = file.type.startsWith("text/html");
  const caching = file.immutable ? "public, max-age=31536000, immutable" : "no-cache";
  reply.headers({
    ...everyFile,
    ...(page ? everyPage : {}),
    "Cache-Control": caching,
    ...(request.url.startsWith(chatWidget) ? sharedFile : {}),
    ETag: etag,
    Vary: "Accept-Encoding",
  });
  if (status === 200 && isHeld(headers["if-none-match"], etag)) return reply.code(304).send();
  if (encoding !== null) reply.header("Content-Encoding", encoding);
  return reply.code(status).type(file.type).send(content);
}

function isHeld(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const read = parseTagList(ifNoneMatch, "If-None-Match");
  return read.ok && !ifNoneMatchHolds(read.list, etag);
}

const missing = "There is no such file. The portal was renewed: reload the page.\n";
const unbuilt =
  "The portal's files could not be built; the log of the service says why. The interface serves all the same: see /docs.\n";

function tell(reply: FastifyReply, status: number, text: string): FastifyReply {
  return reply
    .code(status)
    .headers(everyFile)
    .header("Cache-Control", "no-store")
    .type("text/plain; charset=utf-8")
    .send(text);
}
