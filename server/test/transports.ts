import { expect } from "vitest";
import { type Answer, createClient } from "../../sdk/src/index.ts";
import type { OperationDescription } from "../src/kernel/operation-seal.ts";
import type { Answered, TestApp } from "../src/testing/app.ts";
import type { Arranged } from "./arrangements.ts";
import { validatingProxy } from "./prism.ts";

/** Calls operations by their names in the SDK, through a proxy that refuses requests and responses which are not as described. */
export interface SdkThroughProxy {
  /** Calls with what was arranged. Returns the response on the wire, after holding it against what the SDK returned. */
  call(operation: OperationDescription, given: Arranged, options?: SdkOptions): Promise<Answered>;
  /** The proxy's address. */
  readonly url: string;
  close(): Promise<void>;
}

interface SdkOptions {
  readonly dryRun?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
}

type Method = (input: object, options: object) => Answer<unknown>;

/** By default as the development admin. */
export async function sdkThroughProxy(app: TestApp): Promise<SdkThroughProxy> {
  const proxy = await validatingProxy(app.url);
  let seen: Promise<Answered> | undefined;
  const transport = {
    retry: { retries: 0 },
    fetch: async (request: URL | RequestInfo) => {
      const response = await fetch(request);
      seen = answeredOf(response.clone());
      return response;
    },
  };
  const byKey = createClient({ ...transport, baseUrl: proxy.url, key: app.key("admin") });
  // The description knows keys only, so that Prism lets no session through.
  const bySession = createClient({ ...transport, baseUrl: app.url });
  return {
    url: proxy.url,
    close: () => proxy.close(),
    async call({ id }, { params, body, headers }, options = {}) {
      const [group, name] = id.split(".") as [string, string];
      const client: unknown = headers?.cookie === undefined ? byKey : bySession;
      const method = (client as Record<string, Record<string, Method>>)[group]?.[name] as Method;
      const input = { ...params, ...(body as object | undefined) };
      const returned = await method(input, {
        ...options,
        headers: { ...headers, ...options.headers },
      }).withResponse();
      const answered = await (seen as Promise<Answered>);
      const told = [returned.status, returned.auditRef, returned.requestId, returned.etag, returned.location];
      const names = ["audit-ref", "x-request-id", "etag", "location"];
      expect(told).toEqual([answered.status, ...names.map((one) => answered.headers.get(one))]);
      expect(returned.data).toEqual(answered.body);
      expect(answered.headers.get("sl-violations"), "Prism's complaint").toBeNull();
      return answered;
    },
  };
}

async function answeredOf(response: Response): Promise<Answered> {
  const { status, headers } = response;
  const text = await response.text();
  const isJson = headers.get("content-type")?.includes("json") && text !== "";
  return { status, headers, text, body: isJson ? JSON.parse(text) : text };
}
