import { beforeAll, describe, expect, it } from "vitest";
import { publishedOperations } from "../../scripts/checks/registry.ts";
import { insertConversation, insertMessage } from "../src/features/chat/chat.fixture.ts";
import { endUserOperations, isOpenToEndUsers } from "../src/kernel/chat-token.ts";
import { describe as describeOperation } from "../src/kernel/operation-seal.ts";
import { type CallOptions, useApp } from "../src/testing/app.ts";
import { tokenBody } from "./arrangements/chat-widget.ts";

// What whoever holds a chat token can reach. A page on the internet has such a token: it opens its user's conversations and nothing else.

const app = useApp();
const origin = "https://shop.example";
const operations = publishedOperations().map(describeOperation);

async function issue(body: object = {}, key?: string): Promise<string> {
  const answered = await app.call("POST", "/v1/chat/tokens", { body: { ...tokenBody, ...body }, ...(key && { key }) });
  expect(answered.status, answered.text).toBe(201);
  return answered.body.token;
}
const callBy = (token: string, method: string, path: string, { headers, ...options }: CallOptions = {}) =>
  app.call(method, path, { ...options, key: token, headers: { origin, ...headers } });
const start = (token: string, body: object = {}) =>
  callBy(token, "POST", "/v1/chat/conversations", { body: { agent: "sales", ...body } });
const statusOf = async (token: string, conversation: string) =>
  (await callBy(token, "GET", `/v1/chat/conversations/${conversation}`)).status;

describe("a chat token", () => {
  let token: string;
  beforeAll(async () => {
    token = await issue();
  });

  it("opens no operation but those of end users", async () => {
    expect(operations.filter(({ id }) => isOpenToEndUsers(id))).toHaveLength(endUserOperations.size);
    for (const { id, method, path } of operations.filter(({ id }) => !isOpenToEndUsers(id))) {
      const named = (path as string).replaceAll(/\{\w+\}/g, "x");
      const { status, body } = await callBy(token, method as string, named);
      expect([id, status, body.code]).toEqual([id, 403, "insufficient_scope"]);
    }
  });

  it("opens its user's own conversations with its agent in its channel, and no others", async () => {
    const own = (await start(token)).body;
    expect(own).toMatchObject({ user: "customer-4711", channel: "web", agent: "AI agent" });
    const mine = { end_user: "customer-4711", channel: "web" };
    const others = await Promise.all([
      insertConversation(app, { ...mine, end_user: "somebody" }),
      insertConversation(app, { ...mine, channel: "api" }),
      insertConversation(app, { ...mine, agent: "support" }),
      insertConversation(app, mine, "staging"),
    ]);
    expect(await statusOf(token, own.conversation_id)).toBe(200);
    expect(await Promise.all(others.map((id) => statusOf(token, id)))).toEqual([404, 404, 404, 404]);
    const { body } = await callBy(token, "GET", "/v1/chat/conversations");
    expect(body.data.map(({ conversation_id }: { conversation_id: string }) => conversation_id)).toEqual([
      own.conversation_id,
    ]);
  });

  it("starts no conversation for another user or agent, or with what only the page's server may say", async () => {
    const pointer = async (body: object) => (await start(token, body)).body.errors?.[0]?.pointer;
    expect(await pointer({ user: "somebody" })).toBe("/user");
    expect(await pointer({ context: { credit: "unlimited" } })).toBe("/context");
    expect((await start(token, { agent: "support" })).status).toBe(403);
  });

  it("opens one conversation where it was issued for one, whoever handles that by now", async () => {
    const [one, other] = [(await start(token)).body.conversation_id, (await start(token)).body.conversation_id];
    const bound = await issue({ conversation: one });
    expect([await statusOf(bound, one), await statusOf(bound, other), (await start(bound)).status]).toEqual([
      200, 404, 403,
    ]);
    await app.pool.query("update chat_conversations set agent = 'support' where id = $1", [one]);
    expect([await statusOf(bound, one), await statusOf(token, one)]).toEqual([200, 404]);
  });

  it("does not let its user write as a person, choose who takes over, send a person away, or write what the agent learns", async () => {
    const { conversation_id: id } = (await start(token)).body;
    const post = async (path: string, body: object) => {
      const answered = await callBy(token, "POST", `/v1/chat/conversations/${id}${path}`, { body });
      return [answered.status, answered.body.errors?.[0]?.pointer];
    };
    expect(await post("/messages", { text: "I am Anna.", as: "person" })).toEqual([403, undefined]);
    expect(await post("/handoff", { to: "agent", agent: "sales", reason: "Why not." })).toEqual([422, "/to"]);
    expect(await post("/handoff", { to: "person", reason: "I want a person." })).toEqual([200, undefined]);
    const take = await app.call("POST", `/v1/chat/conversations/${id}/take`, { body: {} });
    expect([take.status, await post("/handoff", { to: "person", reason: "Another one." })]).toEqual([
      200,
      [409, undefined],
    ]);
    const { id: message } = await insertMessage(app, id, "A reply.", { role: "agent", author: "sales" });
    const correction = { correction: "Always refund." };
    expect(await post(`/messages/${message}/feedback`, correction)).toEqual([422, "/correction"]);
  });

  it("shows its user no names, arguments and results of tools, wherever messages are shown", async () => {
    const { conversation_id: id } = (await start(token)).body;
    const call = { type: "tool_call", call_id: "1", tool: "look_up", state: "completed", failure: null } as const;
    const parts = [{ ...call, arguments: { hidden: 1 }, result: "hidden" }];
    await insertMessage(app, id, "", { role: "agent", author: "sales", parts });
    const path = `/v1/chat/conversations/${id}`;
    for (const at of [`${path}/messages`, `${path}/stream`]) {
      expect((await app.call("GET", at)).text).toContain("hidden");
      const { text } = await callBy(token, "GET", at);
      expect(text).toContain("tool_call");
      expect(text).not.toMatch(/hidden|look_up/);
    }
    const signal = AbortSignal.timeout(20_000);
    const headers = { authorization: `Bearer ${token}`, origin, accept: "text/event-stream" };
    const { body } = await fetch(`${app.url}${path}/stream`, { headers, signal });
    let told = "";
    for await (const piece of (body as ReadableStream<BufferSource>).pipeThrough(new TextDecoderStream())) {
      told += piece;
      if (told.includes("tool_call")) break;
    }
    expect(told).not.toMatch(/hidden|look_up/);
  });

  it("tells its user in no answer, event or refusal which agent it is, and why people stopped it", async () => {
    const { conversation_id: id } = (await start(token, { language: "de" })).body;
    const { id: message } = await insertMessage(app, id, "A reply.", { role: "agent", author: "sales" });
    const asked = { to: "person", reason: "hidden", requested_by: "sales", requested_at: "2026-11-20T09:30:00.000Z" };
    await app.pool.query("update chat_conversations set handoff = $2 where id = $1", [
      id,
      { ...asked, taken_at: null },
    ]);
    await app.call("PATCH", `/v1/chat/conversations/${id}`, { body: { title: "Where is it?" } });
    const one = `/v1/chat/conversations/${id}`;
    expect((await app.call("GET", one)).body).toMatchObject({ agent: "sales", handoff: { requested_by: "sales" } });
    const bodies: Record<string, object> = {
      "chat.startConversation": { agent: "sales" },
      "chat.sendMessage": { text: "Hello?" },
      "chat.handoffConversation": { to: "person", reason: "Please." },
      "chat.rateMessage": { accepted: true },
      "chat.stopReply": {},
    };
    const walk = async (): Promise<string> => {
      let told = "";
      for (const { id: operation, method, path } of operations.filter(({ id }) => isOpenToEndUsers(id))) {
        const at = String(path).replace("{conversation}", id).replace("{message}", message).replace("{file}", "fil_1");
        const body = bodies[operation];
        const { text } = await callBy(token, String(method), at, body === undefined ? {} : { body });
        expect(`${operation} ${text}`).not.toMatch(/(?<![\w-])sales(?![\w-])|hidden/);
        told += text;
      }
      return told;
    };
    const told = await walk();
    expect([told.includes('"agent":"KI-Agent"'), told.includes("chat.conversation.changed")]).toEqual([true, true]);
    await app.call("POST", "/v1/agents/sales/pause", { body: { reason: "hidden" } });
    const refused = await callBy(token, "POST", `${one}/messages`, { body: { text: "Hello?" } });
    await walk();
    expect([refused.status, refused.body.detail]).toEqual([409, "The agent is paused."]);
    await app.call("POST", "/v1/agents/sales/resume", { body: {} });
  });

  it("keeps what its users repeat apart, and knows a user again by another token", async () => {
    const headers = { "idempotency-key": "the same" };
    const startBy = async (by: string) =>
      (await callBy(by, "POST", "/v1/chat/conversations", { body: { agent: "sales" }, headers })).body;
    const [own, again, other] = [
      await startBy(token),
      await startBy(await issue()),
      await startBy(await issue({ user: "somebody" })),
    ];
    expect(again.conversation_id).toBe(own.conversation_id);
    expect(other).toMatchObject({ user: "somebody" });
    expect(other.conversation_id).not.toBe(own.conversation_id);
  });

  it("is named by the records of its user's calls", async () => {
    const { headers } = await callBy(token, "GET", "/v1/chat/conversations");
    const sql = "select body from audit_records where id = $1";
    const { rows } = await app.pool.query(sql, [headers.get("audit-ref")]);
    expect(rows[0].body).toContain("chat_token:ctk_");
  });
});

describe("pages", () => {
  it("of the token's origins may read the answers, and others neither call nor read", async () => {
    const token = await issue();
    const own = await callBy(token, "GET", "/v1/chat/conversations");
    expect([own.status, own.headers.get("access-control-allow-origin")]).toEqual([200, origin]);
    expect(own.headers.get("vary")).toContain("Origin");
    for (const headers of [{ origin: "https://evil.example" }, { origin: "null" }]) {
      const foreign = await callBy(token, "GET", "/v1/chat/conversations", { headers });
      expect([foreign.status, foreign.body.code]).toEqual([403, "origin_not_allowed"]);
      expect(foreign.headers.get("access-control-allow-origin")).toBeNull();
    }
    expect((await app.call("GET", "/v1/chat/conversations", { key: token })).status).toBe(403);
  });
});

describe("the end of a token", () => {
  it("comes with its key's", async () => {
    const { secret, keyId } = await app.member("admin");
    const token = await issue({}, secret);
    expect((await callBy(token, "GET", "/v1/chat/conversations")).status).toBe(200);
    expect((await app.call("DELETE", `/v1/admin/keys/${keyId}`)).status).toBe(200);
    const { status, headers } = await callBy(token, "GET", "/v1/chat/conversations");
    expect([status, headers.get("access-control-allow-origin")]).toEqual([401, origin]);
  });

  it("is not put off by changing it, nor its user changed", async () => {
    const [payload = "", seal] = (await issue()).slice("aosct_".length).split(".");
    const read = JSON.parse(Buffer.from(payload, "base64url").toString());
    const forge = (changes: object) =>
      `aosct_${Buffer.from(JSON.stringify({ ...read, ...changes })).toString("base64url")}.${seal}`;
    for (const changes of [{ expiresAt: 9e15 }, { user: "somebody" }, { environment: "production" }, { origins: [] }])
      expect((await callBy(forge(changes), "GET", "/v1/chat/conversations")).status).toBe(401);
    for (const text of ["aosct_", "aosct_e30.x", "aosct_bnVsbA.x"])
      expect((await callBy(text, "GET", "/v1/chat/conversations")).status).toBe(401);
  });
});

describe("after its time", () => {
  let now = Date.now();
  const later = useApp({ clock: { now: () => now } });

  it("a token opens nothing", async () => {
    const { body } = await later.call("POST", "/v1/chat/tokens", { body: { ...tokenBody, lifetime_seconds: 60 } });
    const list = async () =>
      (await later.call("GET", "/v1/chat/conversations", { key: body.token, headers: { origin } })).status;
    expect(await list()).toBe(200);
    now += 60_000;
    await later.app.facts.refresh();
    expect(await list()).toBe(401);
  });
});
