import http from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import type { Service } from "../service.ts";
import { clientOf, dispatchTo, quantile } from "./tasks-service.ts";

let server: http.Server | undefined;
afterEach(() => server?.close());

/** A client of a service that answers every call like this, and what that service heard. */
async function clientOfOne(status: number, body: object) {
  const heard: { method: string | undefined; path: string | undefined; key: string | undefined; body: string }[] = [];
  server = http.createServer(async (request, answer) => {
    heard.push({
      method: request.method,
      path: request.url,
      key: request.headers.authorization,
      body: await text(request),
    });
    answer.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server?.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { heard, ...clientOf({ url, key: "secret" } as Service) };
}

describe("a bench's client", () => {
  it("dispatches with the key and answers the task", async () => {
    const { heard, call, close } = await clientOfOne(202, { task_id: "tsk_1", status: "queued" });
    expect(await dispatchTo(call, "some", 3)).toBe("tsk_1");
    expect(heard).toEqual([
      { method: "POST", path: "/v1/agents/some/tasks", key: "Bearer secret", body: '{"task":"repeat","number":3}' },
    ]);
    close();
  });

  it("takes no refusal for a result", async () => {
    const { call, close } = await clientOfOne(409, { code: "agent_not_deployed" });
    await expect(dispatchTo(call, "some", 3)).rejects.toThrow("POST /v1/agents/some/tasks answered 409: ");
    close();
  });

  it("takes no task that waits for people for one that runs", async () => {
    const { call, close } = await clientOfOne(202, { task_id: "tsk_1", status: "awaiting_approval" });
    await expect(dispatchTo(call, "some", 3)).rejects.toThrow("accepted as awaiting_approval");
    close();
  });
});

describe("a quantile", () => {
  it("is the smallest value that so large a share does not exceed", () => {
    const values = fc.array(fc.integer(), { minLength: 1, maxLength: 300 });
    fc.assert(
      fc.property(values, fc.constantFrom(0.5, 0.9, 0.99, 1), (all, share) => {
        const found = quantile(all, share);
        expect(all).toContain(found);
        expect(all.filter((value) => value <= found).length).toBeGreaterThanOrEqual(share * all.length - 1e-9);
        expect(all.filter((value) => value < found).length).toBeLessThan(share * all.length + 1e-9);
      }),
    );
  });
});
