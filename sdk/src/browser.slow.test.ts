import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { launchChromium } from "../../server/src/http/pages/chromium.fixture.ts";
import { startTestApp, type TestApp } from "../../server/src/testing/app.ts";
import { bundle } from "./bundle.fixture.ts";
import { routes } from "./generated/routes.ts";
import type * as Sdk from "./index.ts";

let app: TestApp;
let browser: Browser;
let script: string;
/** A page of another origin than the service's. */
let elsewhere: string;
const pages = createServer((_request, response) =>
  response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><title>A page</title>"),
);

beforeAll(async () => {
  [app, browser, script] = await Promise.all([
    startTestApp({ role: "all" }),
    launchChromium(),
    bundle('export * from "@aos/sdk";', "iife"),
  ]);
  await new Promise<void>((resolve) => pages.listen(0, "127.0.0.1", resolve));
  elsewhere = `http://127.0.0.1:${(pages.address() as AddressInfo).port}/`;
});
afterAll(async () => {
  await browser?.close();
  pages.close();
  await app?.close();
});

declare const sdk: typeof Sdk;

/** A page with the bundle in it, as a script of its own would have it. */
async function pageAt(address: string): Promise<Page> {
  const page = await browser.newPage();
  await page.goto(address);
  await page.evaluate(`${script}; globalThis.sdk = sdk;`);
  return page;
}

describe("in Chromium, the client", () => {
  it("calls with a key from a page of another origin, and reads what the headers say", async () => {
    const page = await pageAt(elsewhere);
    const seen = await page.evaluate(
      async ({ url, key }) => {
        const aos = sdk.createClient({ baseUrl: url, key });
        const { data, auditRef, requestId, location } = await aos.agents
          .dispatchTask(
            { agent: "sales", task: "summarize_lead", lead_id: "ld_1001" },
            { idempotencyKey: "from a page" },
          )
          .withResponse();
        const refused = await aos.tasks
          .readTask({ task: "tsk_nobody" })
          .catch((error) => [error instanceof sdk.NotFound, error.code, error.auditRef]);
        return { task: data.task_id, auditRef, requestId, location, refused };
      },
      { url: app.url, key: app.key("admin") },
    );
    expect(seen).toEqual({
      task: expect.stringMatching(/^tsk_/),
      auditRef: expect.stringMatching(/^aud_/),
      requestId: expect.stringMatching(/^req_/),
      location: `/v1/tasks/${seen.task}`,
      refused: [true, "not_found", expect.stringMatching(/^aud_/)],
    });
  });

  it("follows a task to its end, and reads lists page by page", async () => {
    const page = await pageAt(elsewhere);
    const seen = await page.evaluate(
      async ({ url, key }) => {
        const aos = sdk.createClient({ baseUrl: url, key });
        const { task_id } = await aos.agents.dispatchTask({
          agent: "sales",
          task: "summarize_lead",
          lead_id: "ld_1001",
          labels: ["followed"],
        });
        const types: string[] = [];
        for await (const { type } of aos.tasks.listTaskEvents.stream({ task: task_id })) types.push(type);
        await aos.agents.dispatchTask({
          agent: "sales",
          task: "summarize_lead",
          lead_id: "ld_1002",
          labels: ["followed"],
        });
        const leads: unknown[] = [];
        for await (const { input } of aos.tasks.listTasks({ label: "followed", limit: 1 })) leads.push(input.lead_id);
        return { types, leads };
      },
      { url: app.url, key: app.key("admin") },
    );
    expect(seen).toEqual({ types: ["task.created", "task.started", "task.completed"], leads: ["ld_1002", "ld_1001"] });
  });

  it("sends again what a broken connection swallowed, body and idempotency key alike", async () => {
    const received: { key: unknown; body: string }[] = [];
    const cors = {
      "access-control-allow-origin": "*",
      "access-control-allow-headers": "*, authorization",
      "content-type": "application/json",
    };
    const server = createServer(async (request, response) => {
      if (request.method === "OPTIONS") return response.writeHead(204, cors).end();
      let body = "";
      for await (const piece of request) body += piece;
      received.push({ key: request.headers["idempotency-key"], body });
      return received.length < 3 ? request.socket.destroy() : response.writeHead(202, cors).end('{"task_id":"tsk_1"}');
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    try {
      const page = await pageAt(elsewhere);
      const task = await page.evaluate(
        async (url) => {
          const aos = sdk.createClient({ baseUrl: url, key: "aos_dev_test", retry: { firstPauseMs: 1 } });
          return (await aos.tasks.cancelTask({ task: "tsk_1", reason: "by mistake – ü" })).task_id;
        },
        `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      );
      expect(task).toBe("tsk_1");
      expect(received.length).toBeGreaterThanOrEqual(3); // Chromium itself tries once more where a kept connection breaks
      expect(new Set(received.map(({ key }) => key)).size).toBe(1);
      expect(received.map(({ body }) => body)).toEqual(received.map(() => '{"reason":"by mistake – ü"}'));
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });

  it("is signed in by the cookie of the portal, as the README says", async () => {
    const page = await pageAt(`${app.url}/openapi.json`);
    const signedIn = await page.evaluate(async (key) => {
      const headers = { "content-type": "application/json" };
      return (await fetch("/auth/session", { method: "POST", headers, body: JSON.stringify({ key }) })).status;
    }, app.key("admin"));
    expect(signedIn).toBe(200);
    const readme = await readFile(new URL("../README.md", import.meta.url), "utf8");
    const snippet = [...readme.matchAll(/^```ts\n(.*?)^```$/gms)]
      .map((match) => match[1] as string)
      .find((block) => block.includes("/auth/session"));
    const printed: string[] = [];
    page.on("console", (message) => printed.push(message.text()));
    const program = await bundle(snippet as string, "es");
    await page.evaluate(`(async () => {${program}})()`);
    await expect.poll(() => printed).toEqual(["admin", expect.stringMatching(/^(allow|require_approval)$/)]);
  });

  it("unwraps webhooks", async () => {
    const { Webhook } = await import("standardwebhooks");
    const secret = `whsec_${Buffer.alloc(32, 9).toString("base64")}`;
    const body = '{"event":"task.completed","task_id":"tsk_1"}';
    const at = new Date();
    const headers = {
      "webhook-id": "evt_1",
      "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
      "webhook-signature": new Webhook(secret).sign("evt_1", at, body),
    };
    const page = await pageAt(elsewhere);
    const types = await page.evaluate(
      (given) => {
        const forged = () => sdk.unwrap(given.body.replace("tsk_1", "tsk_2"), given.headers, given.secret);
        let refused = "";
        try {
          forged();
        } catch (error) {
          refused = (error as Error).name;
        }
        return [sdk.unwrap(given.body, given.headers, given.secret).type, refused];
      },
      { body, headers, secret },
    );
    expect(types).toEqual(["task.completed", "WebhookVerificationError"]);
  });
});

describe("a bundle", () => {
  it("holds what is used: calls by path without the names, names without webhooks and without the words of the table", async () => {
    const raw = await bundle(
      'import { createRawClient } from "@aos/sdk"; globalThis.client = createRawClient();',
      "es",
    );
    const named = await bundle('import { createClient } from "@aos/sdk"; globalThis.client = createClient();', "es");
    expect(raw).not.toContain("tasks.cancelTask");
    expect(named).toContain("tasks.cancelTask");
    expect(named).not.toMatch(/webhook-signature|Stops a task that is not finished/);
    expect(raw.length).toBeLessThan(20_000);
    const perOperation = (named.length - raw.length) / Object.keys(routes).length;
    expect(perOperation, `${named.length} bytes with names`).toBeLessThan(140);
  });
});
