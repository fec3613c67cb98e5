import type { FastifyInstance } from "fastify";
import { problemCatalogue } from "../kernel/errors.ts";
import type { Operation } from "../kernel/operation.ts";
import { openApiDocument } from "../openapi/document.ts";
import { routePages } from "./pages/index.ts";
import { problemPage } from "./problem-pages.ts";

export interface PublicOptions {
  readonly operations: readonly Operation[];
  readonly appUrl: string;
  /** Whether this process can serve calls. */
  readonly ready: () => boolean;
}

/** The only addresses outside the pipeline: they tell nothing about anybody. */
export async function routePublic(server: FastifyInstance, options: PublicOptions): Promise<void> {
  server.get("/healthz", async () => ({ status: "ok" }));
  server.get("/readyz", async (_request, reply) => {
    const ready = options.ready();
    return reply.code(ready ? 200 : 503).send({ status: ready ? "ready" : "not ready" });
  });
  let description: string | undefined;
  server.get("/openapi.json", async (_request, reply) => {
    description ??= JSON.stringify(openApiDocument(options.operations));
    return reply.type("application/json").send(description);
  });
  server.get<{ Params: { code: string } }>("/docs/problems/:code", async (request, reply) => {
    const type = problemCatalogue().find((problem) => problem.code === request.params.code);
    if (!type) return reply.code(404).type("text/plain").send("There is no such problem type.\n");
    return reply
      .type("text/html; charset=utf-8")
      .header("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'")
      .send(problemPage(type));
  });
  await routePages(server);
}
