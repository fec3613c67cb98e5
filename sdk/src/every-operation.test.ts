import { beforeAll, describe, expect, it } from "vitest";
import { publishedOperations } from "../../scripts/checks/registry.ts";
import { describe as describeOperation } from "../../server/src/kernel/operation-seal.ts";
import { useApp } from "../../server/src/testing/app.ts";
import { type Arranged, arrange, withMail } from "../../server/test/arrangements.ts";
import { faultsOf } from "../../server/test/walk.ts";
import { type Answer, createClient } from "./index.ts";

const app = useApp(withMail);
type Method = (input: object, options: object) => Answer<unknown>;
let client: Record<string, Record<string, Method>>;
beforeAll(() => {
  client = createClient({ baseUrl: app.url, key: app.key("admin"), retry: { retries: 0 } }) as unknown as typeof client;
});

const operations = publishedOperations().map(describeOperation);

/** Calls a method with what was arranged, all in one. */
function call(id: string, { params, body, headers }: Arranged, options: object = {}): Answer<unknown> {
  const [group, name] = id.split(".") as [string, string];
  const method = client[group]?.[name] as Method;
  return method({ ...params, ...(body as object | undefined) }, { headers, ...options });
}

describe.each(operations.map((operation) => [operation.id, operation] as const))("%s, by its name", (id, operation) => {
  const arranged = () => (arrange[id] as NonNullable<(typeof arrange)[string]>)(app, "development");

  it("answers as declared, with the references of the call", async () => {
    const { data, status, auditRef, requestId, etag, location } = await call(id, await arranged()).withResponse();
    expect([status, auditRef, requestId]).toEqual([
      operation.status,
      expect.stringMatching(/^aud_/),
      expect.stringMatching(/^req_/),
    ]);
    expect([etag !== null, location !== null]).toEqual([operation.hasRevision, operation.hasLocation]);
    expect(faultsOf(operation.output as object, data)).toEqual([]);
  });

  if (operation.method === "GET") return;
  it("tells with `dryRun` what it would do", async () => {
    expect(await call(id, await arranged(), { dryRun: true })).toMatchObject({
      dry_run: true,
      would_answer: operation.status,
    });
  });
});
