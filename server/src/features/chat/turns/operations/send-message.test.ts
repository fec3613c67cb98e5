import { beforeAll, describe, expect, it } from "vitest";
import { useApp } from "../../../../testing/app.ts";
import { useWorkerProcess } from "../../../../testing/worker.ts";
import { underKillSwitch } from "../../../tasks/runs/testing.ts";
import { insertConversation } from "../../chat.fixture.ts";
import { answering, messagesOf, replied, send, startConversation, turnsOf } from "../turns.fixture.ts";

const app = useApp();
const machines = useWorkerProcess(app);

describe("POST /v1/chat/conversations/{conversation}/messages", () => {
  it("has the agent answer, by a task of its own", async () => {
    const worker = await machines.worker({ model: answering("It arrives on Tuesday.") });
    const conversation = await startConversation(app);
    const sent = await send(app, conversation, "Where is my order?");
    expect([sent.status, sent.body.state]).toEqual([202, "running"]);
    const reply = await replied(app, conversation);
    expect(reply).toMatchObject({ role: "agent", task_id: sent.body.task_id, turn_id: sent.body.turn_id });
    expect(reply.parts).toEqual([{ type: "text", text: "It arrives on Tuesday." }]);
    const task = await app.call("GET", `/v1/tasks/${sent.body.task_id}`);
    expect(task.body).toMatchObject({ task: "chat", conversation_id: conversation, status: "completed" });
    expect(reply.trust_score).toBe(task.body.trust_score);
    expect((await app.call("GET", `/v1/chat/conversations/${conversation}`)).body).toMatchObject({
      version: { number: 1 },
      busy: false,
      messages: 3,
    });
    await worker.stop(0);
  });

  it("answers messages one at a time, in their order", async () => {
    const conversation = await startConversation(app);
    const sent = [];
    for (const text of ["one", "two", "three"]) sent.push(await send(app, conversation, text));
    expect(sent.map(({ body }) => body.state)).toEqual(["running", "queued", "queued"]);
    const worker = await machines.worker({ model: answering() });
    await replied(app, conversation, "complete", 3);
    const messages = await messagesOf(app, conversation);
    expect(messages.filter(({ role }) => role === "agent").map(({ turn_id }) => turn_id)).toEqual(
      sent.map(({ body }) => body.turn_id),
    );
    await worker.stop(0);
  });

  it("answers with the reply to a caller that waits, and with its events to one that follows", async () => {
    const worker = await machines.worker({ model: answering("On Tuesday.") });
    const conversation = await startConversation(app);
    const headers = { prefer: "wait=20", "idempotency-key": "one" };
    const options = { headers };
    const waited = await send(app, conversation, "When?", {}, options);
    expect(waited.body.reply).toMatchObject({ status: "complete", parts: [{ type: "text", text: "On Tuesday." }] });
    const again = await send(app, conversation, "When?", {}, options);
    expect(again.body).toEqual(waited.body);
    const { text } = await send(app, conversation, "When?", {}, { headers: { accept: "text/event-stream" } });
    const names = [...text.matchAll(/^event: (.*)$/gm)].map(([, name]) => name);
    expect(names.slice(0, 2)).toEqual(["chat.message.created", "chat.turn.changed"]);
    expect(names).toEqual(expect.arrayContaining(["chat.part.delta", "chat.message.completed"]));
    expect(names.at(-1)).toBe("end");
    const first = await send(app, await startConversation(app), "Hi", {}, { headers: { accept: "text/event-stream" } });
    expect(first.text).toContain('"code":"disclosure"');
    await worker.stop(0);
  });

  it("takes none into a conversation that is closed", async () => {
    const conversation = await startConversation(app);
    await app.pool.query("update chat_conversations set state = 'closed' where id = $1", [conversation]);
    const { status, body } = await send(app, conversation, "Hello?");
    expect([status, body.code]).toEqual([409, "conversation_closed"]);
  });

  it("takes none for an agent that is deployed no more", async () => {
    const conversation = await insertConversation(app, { agent: "sales" }, "staging");
    const { status, body } = await send(app, conversation, "Hello?", {}, { environment: "staging" });
    expect([status, body.code]).toEqual([409, "agent_not_deployed"]);
  });

  it("refuses files that are not of the conversation, with their place", async () => {
    const { status, body } = await send(app, await startConversation(app), "See this.", { files: ["fil_1"] });
    expect([status, body.code, body.errors[0].pointer]).toEqual([422, "invalid_body", "/files/0"]);
  });

  it("lets nobody answer as a person who may not", async () => {
    const narrow = { name: "widget", role: "operator", scopes: ["chat:read", "chat:write"] };
    const { key } = (await app.call("POST", "/v1/admin/keys", { body: narrow })).body;
    const conversation = await startConversation(app);
    const { status, body } = await send(app, conversation, "I am Bob.", { as: "person" }, { key });
    expect([status, body.code]).toEqual([403, "insufficient_scope"]);
  });

  it("starts no turn while a person answers", async () => {
    const { secret, memberId } = await app.signedInMember("operator");
    const conversation = await startConversation(app);
    const told = await send(app, conversation, "Hello, I am Bob.", { as: "person" }, { key: secret });
    expect(told.body).toMatchObject({ state: "with_person", turn_id: null });
    expect((await send(app, conversation, "Hello!")).body).toMatchObject({ state: "with_person", task_id: null });
    expect(await turnsOf(app, conversation)).toEqual([]);
    const other = await app.signedInMember("operator");
    const late = await send(app, conversation, "I am Eve.", { as: "person" }, { key: other.secret });
    expect([late.status, late.body.code]).toEqual([409, "wrong_state"]);
    expect(late.body.detail).toContain(memberId);
  });
});

describe("the version that answers", () => {
  const versions = { pinned: "ver_00000000000000000000000042", live: "" };
  const pin = async (changes: object = {}) =>
    insertConversation(app, {
      version_id: versions.pinned,
      version_number: 42,
      last_message_at: new Date(),
      ...changes,
    });
  const versionOf = async (conversation: string) => {
    expect((await send(app, conversation, "Hello?")).status).toBe(202);
    return (await app.call("GET", `/v1/chat/conversations/${conversation}`)).body.version.number;
  };

  beforeAll(async () => {
    await app.pool.query(
      `insert into agent_versions (organization, agent, number, id, definition, author)
       select organization, agent, 42, $1, definition, author from agent_versions where agent = 'sales' and number = 1`,
      [versions.pinned],
    );
  });

  it("stays the one that the conversation began with, until it was idle", async () => {
    expect(await versionOf(await pin())).toBe(42);
    expect(await versionOf(await pin({ last_message_at: new Date(Date.now() - 2 * 86_400_000) }))).toBe(1);
  });

  it("is the live one where the other one was stopped or rolled back, which the user is told", async () => {
    await underKillSwitch(app, machines, { kind: "version", target: versions.pinned, mode: "stop" }, async () => {
      const conversation = await pin();
      expect(await versionOf(conversation)).toBe(1);
      expect((await messagesOf(app, conversation))[1]).toMatchObject({
        role: "system",
        parts: [{ type: "notice", code: "version_changed", text: "Another version of the AI agent answers now." }],
      });
    });
    await app.pool.query(
      `insert into deployments (organization, environment, id, agent, version_number, state, kind, note, author, created_at, labels, abandoned)
       select organization, environment, 'dep_42', agent, 42, 'replaced', kind, note, author, created_at, labels, true from deployments where agent = 'sales' limit 1`,
    );
    expect(await versionOf(await pin())).toBe(1);
  });

  it("is the live one where the other one failed its evaluation", async () => {
    const environment = "staging";
    await app.deploy(environment);
    await app.pool.query(
      `insert into gate_verdicts (organization, environment, version_id, verdict, expires_at)
       values ('default', $1, $2, 'failed', now() + interval '1 day')`,
      [environment, versions.pinned],
    );
    await app.verdict("open", environment);
    const pinned = { version_id: versions.pinned, version_number: 42, last_message_at: new Date() };
    const conversation = await insertConversation(app, pinned, environment);
    expect((await send(app, conversation, "Hello?", {}, { environment })).status).toBe(202);
    const { rows } = await app.pool.query("select version_number from chat_conversations where id = $1", [
      conversation,
    ]);
    expect(rows).toEqual([{ version_number: 1 }]);
  });
});
