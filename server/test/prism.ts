import { getHttpOperationsFromSpec } from "@stoplight/prism-http";
import { createServer } from "@stoplight/prism-http-server";
import pino from "pino";
import { publishedOperations } from "../../scripts/checks/registry.ts";
import { openApiDocument } from "../src/openapi/document.ts";

/** Prism between a caller and the service: whatever is not as the description says, request or answer, is answered by a problem of Prism's own. */
export interface ValidatingProxy {
  readonly url: string;
  close(): Promise<void>;
}

/** Starts Prism as `prism proxy --errors` does, over the description as the declarations make it now, in front of a running service. */
export async function validatingProxy(upstream: string): Promise<ValidatingProxy> {
  const operations = await getHttpOperationsFromSpec(openApiDocument(publishedOperations()));
  const server = createServer(operations, {
    components: { logger: pino({ level: "silent" }) },
    config: {
      isProxy: true,
      upstream: new URL(upstream),
      upstreamProxy: undefined,
      validateRequest: true,
      validateResponse: true,
      checkSecurity: true,
      errors: true,
      mock: { dynamic: false },
    },
    cors: false,
  });
  const url = await server.listen(0, "127.0.0.1");
  return { url, close: () => server.close() };
}
