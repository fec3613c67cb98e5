import { createHmac } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { Environment } from "../../../../kernel/principal.ts";
import { useApp } from "../../../../testing/app.ts";
import { useWorkerProcess } from "../../../../testing/worker.ts";
import { answering, messagesOf } from "../../turns/turns.fixture.ts";

const app = useApp();
const machines = useWorkerProcess(app);
const secrets = { development: "shhhh-development-0123", staging: "shhhh-staging-0123456" };
const token = "xoxb-1234567890";

/** What was posted, and what is answered to it; null: that it was taken. */
const posted: { method: string; authorization: string | undefined; body: Record<string, unknown> }[] = [];
let answer: { status: number; headers?: Record<string, string>; body: object } | null = null;
const slack = createServer((request, response) => {
  let text = "";
  request.on("data", (part) => (text += part));
  request.on("end", () => {
    const method = request.url?.slice("/api/".length) ?? "";
    const { authorization } = request.headers;
    if (method === "chat.postMessage") posted.push({ method, authorization, body: JSON.parse(text) });
    const known = authorization === `Bearer ${token}`;
    const who = known
      ? { ok: true, user_id: "UAPP", team_id: "T1", bot_id: "BAPP" }
      : { ok: false, error: "invalid_auth" };
    const { status, headers, body } = answer ?? {
      status: 200,
      headers: {},
      body: method === "auth.test" ? who : { ok: true, ts: "20.1" },
    };
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
  });
});

function set(changes: object = {}, environment: "development" | "staging" = "development") {
  const { port } = slack.address() as AddressInfo;
  const body = {
    kind: "slack",
    agent: "sales",
    config: { api_url: `http://127.0.0.1:${port}/api` },
    secret: { signing_secret: secrets[environment], bot_token: token },
    ...changes,
  };
  return app.call("PUT", "/v1/chat/channels/team", { body, environment });
}

let worker: Awaited<ReturnType<typeof machines.worker>>;
beforeAll(async () => {
  await new Promise<void>((done) => slack.listen(0, "127.0.0.1", done));
  const { status, text } = await set();
  expect(status, text).toBe(200);
  worker = await machines.worker({ model: answering("It *is* <here> & **now**.") });
});
afterAll(async () => {
  await worker?.stop(0);
  slack.close();
});
beforeEach(() => {
  posted.length = 0;
  answer = null;
});

it("is connected by no key whose scopes leave out what its turns do", async () => {
  const narrow = { name: "narrow", role: "builder", scopes: ["chat:manage"] };
  const { key } = (await app.call("POST", "/v1/admin/keys", { body: narrow })).body;
  const { port } = slack.address() as AddressInfo;
  const config = { api_url: `http://127.0.0.1:${port}/api` };
  const secret = { signing_secret: secrets.development, bot_token: token };
  const body = { kind: "slack", agent: "sales", config, secret };
  const refused = await app.call("PUT", "/v1/chat/channels/other", { body, key });
  expect(refused).toMatchObject({ status: 422, body: { errors: [{ code: "exceeds_caller" }] } });
});

let last = 100;
const message = (event: object = {}) => ({
  type: "event_callback",
  team_id: "T1",
  event_id: `Ev${++last}`,
  event: {
    type: "app_mention",
    channel: "C1",
    user: "U1",
    ts: `${last}.5`,
    text: "<@UAPP> Where is my order?",
    ...event,
  },
});

/** Sends an event as Slack does. */
function send(body: object | string, { secret = secrets.development, at = Date.now(), headers = {} } = {}) {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const timestamp = String(Math.floor(at / 1000));
  const signature = `v0=${createHmac("sha256", secret).update(`v0:${timestamp}:${text}`).digest("hex")}`;
  const signed = { "x-slack-request-timestamp": timestamp, "x-slack-signature": signature, ...headers };
  return app.call("POST", "/v1/chat/channels/team/events", { key: null, body: text, headers: signed });
}
const conversations = async (environment: Environment = "development") =>
  (await app.call("GET", "/v1/chat/conversations?channel=team", { environment })).body.data;
const replies = (count: number) =>
  vi.waitFor(() => expect(posted).toHaveLength(count), { timeout: 20_000, interval: 50 });

describe("a channel of Slack", () => {
  it("answers the challenge by which Slack finds out whose the address is", async () => {
    const { status, body } = await send({ type: "url_verification", challenge: "3eZbrw1aBm2rZgRNFdxV" });
    expect([status, body.challenge]).toEqual([200, "3eZbrw1aBm2rZgRNFdxV"]);
  });

  it("answers a message in its thread, and goes on with it, each message once", async () => {
    const first = message();
    expect((await send(first)).status).toBe(200);
    expect((await send(first, { headers: { "x-slack-retry-num": "1" } })).status).toBe(200);
    await replies(1);
    expect(posted[0]).toMatchObject({
      authorization: `Bearer ${token}`,
      body: { channel: "C1", thread_ts: first.event.ts, unfurl_links: false },
    });
    expect(posted[0]?.body.text).toMatch(/^It \*is\* &lt;here&gt; &amp; \*now\*\.\n\n_You are/);
    await send(message({ type: "message", thread_ts: first.event.ts, text: "Thanks" }));
    await send(message({ type: "message", thread_ts: first.event.ts, text: "From an app", bot_id: "B7" }));
    await send(message({ type: "message", text: "Not for the app" }));
    await replies(2);
    const [conversation, ...others] = await conversations();
    expect(others).toEqual([]);
    const written = await messagesOf(app, conversation.conversation_id);
    expect(written.filter(({ role }) => role === "user").map(({ author }) => author.id)).toEqual([
      "slack:T1:U1",
      "slack:T1:U1",
    ]);
  });

  it("sends again what was not taken, as late as Slack asks, and gives up what never will be", async () => {
    answer = { status: 429, headers: { "retry-after": "1800" }, body: { ok: false, error: "ratelimited" } };
    await send(message());
    await replies(1);
    const deliveries = () =>
      app.pool.query(
        "select *, next_at > now() + interval '25 minutes' as late from chat_deliveries where state <> 'sent'",
      );
    await vi.waitFor(
      async () => expect((await deliveries()).rows[0]).toMatchObject({ state: "waiting", late: true, attempts: 1 }),
      10_000,
    );
    answer = { status: 200, body: { ok: false, error: "is_archived" } };
    await app.pool.query("update chat_deliveries set next_at = now() where state = 'waiting'");
    await machines.sweeper.sweep();
    await vi.waitFor(async () => expect((await deliveries()).rows[0]).toMatchObject({ state: "failed" }), 20_000);
    answer = { status: 500, body: {} };
    await send(message());
    const waiting = async () => (await deliveries()).rows.filter(({ state }) => state === "waiting");
    await vi.waitFor(
      async () =>
        expect(await waiting()).toMatchObject([{ attempts: 1, last_error: expect.stringContaining("status 500") }]),
      20_000,
    );
    const old = "next_at = now(), created_at = now() - interval '25 hours'";
    await app.pool.query(`update chat_deliveries set ${old} where state = 'waiting'`);
    await machines.sweeper.sweep();
    await vi.waitFor(async () => expect(await waiting()).toEqual([]), 20_000);
    const shown = (await app.call("GET", "/v1/chat/channels")).body.data[0];
    expect(shown).toMatchObject({
      name: "team",
      deliveries: { waiting: 0, failed: 2 },
      events_url: expect.stringMatching(/\/team\/events$/),
    });
  });

  it("reaches this machine in development only, and takes what its own secret has signed", async () => {
    await app.deploy("staging");
    expect((await set({}, "staging")).status).toBe(422); // it would reach this machine's own address
    const before = (await conversations()).length;
    expect((await send(message(), { secret: secrets.staging })).status).toBe(401);
    expect((await conversations()).length).toBe(before);
  });

  it("refuses what is unsigned, changed or old, and all once it is disabled or removed", async () => {
    const status = async (...given: Parameters<typeof send>) => (await send(...given)).status;
    expect((await app.call("POST", "/v1/chat/channels/team/events", { body: message() })).status).toBe(401);
    expect(await status(message(), { at: Date.now() - 400_000 })).toBe(401);
    expect(await status(message(), { at: Date.now() + 400_000 })).toBe(401);
    expect(await status(message(), { headers: { "x-slack-signature": `v0=${"0".repeat(64)}` } })).toBe(401);
    expect(await status("[]")).toBe(422);
    expect((await set({ enabled: false })).body.state).toBe("disabled");
    expect(await status(message())).toBe(401);
    expect((await set()).body.state).toBe("ok");
    expect(await status({ type: "other" })).toBe(200);
    await app.call("DELETE", "/v1/chat/channels/team", { body: {} });
    expect(await status(message())).toBe(401);
  });

  it("is tested before it is stored", async () => {
    const faults = async (changes: object) =>
      (await set(changes)).body.errors.map(({ pointer }: { pointer: string }) => pointer);
    expect(await faults({ secret: { signing_secret: secrets.development, bot_token: "xoxb-wrong-wrong" } })).toEqual([
      "/secret/bot_token",
    ]);
    expect(await faults({ config: { api_url: "http://127.0.0.1:9/api" } })).toEqual(["/config/api_url"]);
    expect(await faults({ secret: undefined })).toEqual(["/secret"]);
    expect(await faults({ agent: "nobody" })).toEqual(["/agent"]);
  });
});
