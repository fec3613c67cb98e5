import { publishedSchema } from "@aos/workflow";
import type { FastifyInstance } from "fastify";
import type { Operation } from "../kernel/operation.ts";
import { openApiDocument } from "../openapi/document.ts";
import { routeDocs } from "./docs/index.ts";
import type { Portal } from "./portal/index.ts";

export interface PublicOptions {
  readonly operations: readonly Operation[];
  readonly appUrl: string;
  /** Whether this process can serve calls. */
  readonly ready: () => boolean;
  /** What is wrong with the audit logs; calls go on meanwhile, so that it does not make this process unready. */
  readonly logs: () => Promise<object>;
  readonly portal: Portal;
  /** Answers who asks for metrics, by their `Authorization`; null: metrics have a port of their own. */
  readonly metrics: ((authorization: string | undefined) => Promise<MetricsAnswer>) | null;
}

interface MetricsAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The only addresses outside the pipeline: they tell nothing about anybody. */
export async function routePublic(server: FastifyInstance, options: PublicOptions): Promise<void> {
  server.get("/healthz", async () => ({ status: "ok" }));
  server.get("/readyz", async (_request, reply) => {
    const ready = options.ready();
    return reply
      .code(ready ? 200 : 503)
      .send({ status: ready ? "ready" : "not ready", ...(ready ? await options.logs() : {}) });
  });
  const { metrics } = options;
  if (metrics) {
    server.get("/metrics", async (request, reply) => {
      const { status, headers, body } = await metrics(request.headers.authorization);
      return reply.code(status).headers(headers).send(body);
    });
  }
  let description: string | undefined;
  server.get("/openapi.json", async (_request, reply) => {
    description ??= JSON.stringify(openApiDocument(options.operations));
    return reply.type("application/json").send(description);
  });
  server.get("/openapi.yaml", async (_request, reply) => {
    const { stringify } = await import("yaml");
    return reply
      .type("application/yaml")
      .send(stringify(openApiDocument(options.operations), { lineWidth: 0, aliasDuplicateObjects: false }));
  });
  server.get("/workflow.schema.json", async (_request, reply) =>
    reply.type("application/schema+json").send(JSON.stringify(publishedSchema())),
  );
  routeDocs(server, options.operations, options.appUrl);
  options.portal.route(server);
}
