import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { publishedOperations } from "../../scripts/checks/registry.ts";
import { describe as describeOperation } from "../src/kernel/operation-seal.ts";
import { useApp } from "../src/testing/app.ts";
import { type Arrange, type Arranged, arrange, withMail } from "./arrangements.ts";
import { type Client, clientOf } from "./client.ts";
import { type ValidatingProxy, validatingProxy } from "./prism.ts";

// Every operation, called through Prism with the description: a request or an answer that is not as described comes back as a problem of Prism's own.

const app = useApp(withMail);
let proxy: ValidatingProxy;
let call: Client;

beforeAll(async () => {
  proxy = await validatingProxy(app.url);
  call = clientOf(proxy.url, app.key("admin"));
});
afterAll(() => proxy?.close());

const operations = publishedOperations().map(describeOperation);

type Operation = (typeof operations)[number];
const pick = (keep: (operation: Operation) => boolean) =>
  operations.filter(keep).map((operation) => [operation.id, operation] as const);

const arranged = ({ id }: Operation): Promise<Arranged> => (arrange[id] as Arrange)(app, "development");

/** Sends what was arranged; a body only where the operation takes one. */
function send({ method, path, body: schema }: Operation, { params, body, headers }: Arranged, query = "") {
  const address = (path as string).replaceAll(/\{(\w+)\}/g, (_whole, name: string) =>
    encodeURIComponent(params[name] as string),
  );
  const takes = Object.keys((schema as { properties?: object } | undefined)?.properties ?? {}).length > 0;
  return call(method as string, address + query, { ...(takes ? { body } : {}), ...(headers ? { headers } : {}) });
}

describe.each(pick(() => true))("%s", (_id, operation) => {
  it("is called and answers as described", async () => {
    const { status, headers, text } = await send(operation, await arranged(operation));
    expect(status, text).toBe(operation.status);
    expect(headers.get("sl-violations")).toBeNull();
  });
});

describe.each(pick(({ method }) => method !== "GET"))("%s", (_id, operation) => {
  it("is tried and answers as described", async () => {
    const { status, headers, text } = await send(operation, await arranged(operation), "?dry_run=true");
    expect(status, text).toBe(200);
    expect(headers.get("sl-violations")).toBeNull();
  });
});

describe("the proxy", () => {
  it("lets no request through that is not as described", async () => {
    const { status, body } = await call("GET", "/v1/tasks?limit=many");
    expect([status, body.title]).toEqual([422, "Invalid request"]);
  });
});
