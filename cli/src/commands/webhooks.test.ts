import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { startTestApp, useApp } from "../../../server/src/testing/app.ts";
import { type Ran, type Running, runAos, startAos, useFolder } from "../process.fixture.ts";

const app = useApp();
const folder = useFolder();

/** A developer's program: keeps what it is sent, and answers with the status that is set. */
const received: { headers: IncomingHttpHeaders; body: string }[] = [];
let answer = 204;
let program: Server;
let url = "";
beforeAll(async () => {
  program = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (part: string) => (body += part));
    request.on("end", () => {
      received.push({ headers: request.headers, body });
      response.writeHead(answer).end();
    });
  });
  await new Promise<void>((resolve) => program.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(program.address() as AddressInfo).port}/hooks`;
});
afterAll(() => {
  program.close();
});

const env = () => ({ AOS_URL: app.url, AOS_KEY: app.key("admin"), XDG_CONFIG_HOME: folder.path });
const aos = (args: readonly string[]): Promise<Ran> => runAos(args, env());
const until = <T>(look: () => T | Promise<T>): Promise<T> => vi.waitFor(look, { timeout: 25_000, interval: 50 });
const secretIn = (text: string): string => /Signing secret: (whsec_\S+)/.exec(text)?.[1] ?? "";

/** Listens while something is done; answers what it wrote. Ctrl-C ends it. */
async function listening(args: readonly string[], work: (running: Running) => Promise<void>): Promise<Ran> {
  const running = startAos(["webhooks", "listen", "--forward-to", url, ...args], env());
  try {
    await until(() => expect(running.err() + running.out()).toMatch(/whsec_.*\n/));
    await work(running);
  } finally {
    running.child.kill("SIGINT");
  }
  return running.ended;
}

describe("aos webhooks listen", () => {
  it("brings events to a program, signed by a secret that stays the same, and ends with 2 on Ctrl-C", async () => {
    received.length = 0;
    const first = await listening(["--events", "task.*", "--after", "0"], async ({ out }) => {
      const { task_id } = await app.dispatch();
      await until(() => expect(received.some(({ body }) => body.includes(task_id))).toBe(true));
      await until(() =>
        expect(out()).toMatch(new RegExp(`204 +\\d+ ms {2}task\\.approval_required +evt_\\w+ {2}${task_id}`)),
      );
    });
    expect(first.status).toBe(2);
    const secret = secretIn(first.err);
    for (const { headers, body } of received)
      expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toMatchObject({
        event: expect.stringMatching(/^task\./),
      });
    const asked = received.find(({ body }) => body.includes("task.approval_required"));
    expect(Object.keys(JSON.parse(asked?.body ?? "{}"))).toEqual([
      "event",
      "task_id",
      "agent",
      "risk",
      "summary",
      "approve_url",
    ]);
    expect(asked?.headers).toMatchObject({
      "aos-environment": "development",
      "aos-sequence": expect.stringMatching(/^\d+$/),
    });
    const again = await listening([], async () => undefined);
    expect(secretIn(again.err)).toBe(secret);
  });

  it("shows what a program does not take, and goes on", async () => {
    answer = 500;
    try {
      await listening(["--after", "0", "--json"], async ({ out }) => {
        await until(() => expect(out().split("\n").length).toBeGreaterThan(2));
        const [, line = ""] = out().split("\n");
        expect(JSON.parse(line)).toMatchObject({ event: "task.created", status: 500, latency_ms: expect.any(Number) });
      });
    } finally {
      answer = 204;
    }
  });

  it.each([
    [["webhooks", "listen"], /required option '--forward-to <url>' not specified/],
    [["webhooks", "listen", "--forward-to", "ftp://x"], /--forward-to takes the address of your program/],
    [
      ["webhooks", "listen", "--forward-to", "3000", "--format", "xml"],
      /Allowed choices are flat, standard, cloudevents/,
    ],
  ])("says what is wrong with %j", async (args, message) => {
    expect(await aos(args)).toEqual({ status: 1, out: "", err: expect.stringMatching(message) });
  });

  it("says which events there are where one is misspelt", async () => {
    const { status, err } = await aos(["webhooks", "listen", "--forward-to", url, "--events", "task.compleated"]);
    expect([status, err]).toEqual([1, expect.stringContaining("task.completed")]);
  });
});

describe("aos trigger", () => {
  it("sends a sample to the program that is listened for, signed by the same secret", async () => {
    received.length = 0;
    const { err } = await listening([], async () => {
      const { status, out } = await aos(["trigger", "task.approval_required", "--field", "summary=Look at this"]);
      expect([status, out]).toEqual([0, expect.stringMatching(/^204 +\d+ ms {2}task\.approval_required/)]);
    });
    const [{ headers, body } = { headers: {}, body: "" }] = received;
    const sample = new Webhook(secretIn(err)).verify(body, headers as Record<string, string>);
    expect(sample).toMatchObject({
      event: "task.approval_required",
      summary: "Look at this",
      approve_url: expect.any(String),
    });
    expect(headers["aos-test"]).toBe("true");
  });

  it("needs a program, takes one by --forward-to, and fails where it is not taken", async () => {
    expect(await aos(["trigger", "ping"])).toMatchObject({
      status: 1,
      err: expect.stringContaining("No listener is running"),
    });
    answer = 410;
    const { status, out } = await aos(["trigger", "task.completed", "--forward-to", url, "--format", "standard"]);
    answer = 204;
    expect([status, out]).toEqual([1, expect.stringMatching(/^410/)]);
    expect(JSON.parse(received.at(-1)?.body ?? "{}")).toMatchObject({
      type: "task.completed",
      data: { event: "task.completed" },
    });
  });

  it("suggests the nearest event", async () => {
    const { status, err } = await aos(["trigger", "task.complted", "--forward-to", url]);
    expect([status, err]).toEqual([1, expect.stringContaining("Did you mean task.completed?")]);
  });
});

describe("aos trigger --webhook", () => {
  it("has the service send it, and tells what came of it", async () => {
    const worker = await startTestApp({ connectionString: app.connectionString, role: "worker" });
    onTestFinished(() => worker.close());
    const made = await app.call("POST", "/v1/webhooks", { body: { url, events: ["*"] } });
    expect(made.status).toBe(201);
    received.length = 0;
    const { status, out } = await aos(["trigger", "task.failed", "--webhook", made.body.webhook_id]);
    expect([status, out]).toEqual([0, expect.stringMatching(/^event: +task\.failed$/m)]);
    expect(out).toMatch(/^state: +delivered$/m);
    expect(received.some(({ body }) => body.includes("task.failed"))).toBe(true);
  });
});
