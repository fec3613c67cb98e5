import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createReader } from "../../../db/reader.ts";
import { useApp } from "../../../testing/app.ts";
import { type ScriptedTurn, scriptedModel, shownResults } from "../../../testing/models.ts";
import { approve, eventually, taskRow } from "../../../testing/tasks.ts";
import { useWorkerProcess } from "../../../testing/worker.ts";
import { changeFacts, underPolicy } from "../../tasks/runs/testing.ts";
import { lookAfterTurns } from "./jobs/settle.ts";
import { lastUserText, messagesOf, replied, send, startConversation, turnsOf } from "./turns.fixture.ts";

const app = useApp();
const machines = useWorkerProcess(app);

const received: unknown[] = [];
const target = createServer((request, response) => {
  request.on("data", () => undefined);
  request.on("end", () => {
    received.push(request.url);
    response.writeHead(200, { "content-type": "application/json" }).end('{"sent":true}');
  });
});

/** Does what the user's message says: mails, asks, waits for ever, breaks, or answers. */
function obedient(given: Parameters<typeof shownResults>[0]): ScriptedTurn {
  const text = lastUserText(given);
  const { send_mail: sent, ask } = shownResults(given);
  if (text.includes("mail") && sent === undefined) return { calls: [{ tool: "send_mail", input: { to: "bob" } }] };
  if (text.includes("ask") && ask === undefined)
    return { calls: [{ tool: "ask", input: { question: "Which plan?" } }] };
  if (text.includes("for ever")) return { stream: new ReadableStream() };
  return { text: sent ? "Sent." : ask ? `You said ${JSON.stringify(ask)}.` : "It is on its way." };
}
const worker = () => machines.worker({ model: scriptedModel((_turn, given) => obedient(given)) });

beforeAll(() => new Promise<void>((resolve) => target.listen(0, "127.0.0.1", resolve)));
afterAll(() => void target.close());
beforeEach(() => {
  const { port } = target.address() as AddressInfo;
  const tool = {
    name: "send_mail",
    kind: "http",
    effect: "write",
    request: { method: "POST", url: `http://127.0.0.1:${port}/mail`, body: { to: "{to}" } },
    arguments: { type: "object", required: ["to"], properties: { to: { type: "string" } } },
  };
  return changeFacts(
    app,
    machines,
    "agents",
    `update agent_versions set definition = definition || jsonb_build_object('model', '{"provider":"openai","name":"sample-model"}'::jsonb,
       'tools', jsonb_build_array(definition -> 'tools' -> 0, $1::jsonb)) where agent = 'sales'`,
    [JSON.stringify(tool)],
  );
});
afterEach(async () => {
  received.length = 0;
  await app.pool.query("delete from graphile_worker._private_jobs");
});

const stop = (conversation: string, body: object = {}) =>
  app.call("POST", `/v1/chat/conversations/${conversation}/stop`, { body });

describe("a turn of a conversation", () => {
  it("waits for people before it writes, holds no other up, and says what they decided", async () => {
    const running = await worker();
    const conversation = await startConversation(app);
    const { body: mail } = await send(app, conversation, "mail bob");
    const waiting = await replied(app, conversation, "waiting");
    expect(waiting.parts).toMatchObject([
      ...[
        { type: "tool_call", state: "waiting" },
        { type: "approval", state: "pending" },
      ],
    ]);
    expect(received).toEqual([]);
    expect((await send(app, conversation, "hello")).body.state).toBe("running");
    expect((await replied(app, conversation, "complete", 2)).parts).toEqual([
      { type: "text", text: "It is on its way." },
    ]);
    await approve(app, mail.task_id);
    const done = await eventually(async () => {
      const message = (await messagesOf(app, conversation)).find(({ turn_id }) => turn_id === mail.turn_id);
      expect(message?.status).toBe("complete");
      return message;
    });
    expect(done?.parts).toEqual([
      expect.objectContaining({ type: "tool_call", tool: "send_mail", state: "completed", arguments: { to: "bob" } }),
      expect.objectContaining({ type: "approval", state: "approved" }),
      { type: "text", text: "Sent." },
    ]);
    expect(received).toEqual(["/mail"]);
    await running.stop(20_000);
  });

  it("says so where people reject what it wants to do", async () => {
    const running = await worker();
    const conversation = await startConversation(app);
    const { body: mail } = await send(app, conversation, "mail bob");
    await replied(app, conversation, "waiting");
    const { secret } = await app.signedInMember("approver");
    const { digest } = (await app.call("GET", `/v1/approvals/${mail.task_id}`, { key: secret })).body;
    const body = { digest, reason: "Not to him." };
    expect((await app.call("POST", `/v1/approvals/${mail.task_id}/reject`, { key: secret, body })).status).toBe(200);
    const reply = await replied(app, conversation, "failed");
    expect(reply.parts).toMatchObject([
      { type: "tool_call", state: "cancelled" },
      { type: "approval", state: "rejected" },
      { type: "notice", code: "rejected" },
    ]);
    expect(JSON.stringify(reply.parts)).not.toContain("Not to him");
    expect(await turnsOf(app, conversation)).toMatchObject([{ state: "blocked" }]);
    await running.stop(20_000);
  });

  it("asks, and takes the next message as the answer", async () => {
    const running = await worker();
    const conversation = await startConversation(app);
    await send(app, conversation, "ask me");
    const asking = await replied(app, conversation, "waiting");
    expect(asking.parts.at(-1)).toMatchObject({ type: "notice", code: "question", text: "Which plan?" });
    const answered = await send(app, conversation, "The plan for teams.");
    expect(answered.body).toMatchObject({ state: "answered", turn_id: asking.turn_id });
    const reply = await replied(app, conversation);
    expect(reply.parts.at(-1)).toMatchObject({ type: "text", text: expect.stringContaining("The plan for teams.") });
    expect(await turnsOf(app, conversation)).toHaveLength(1);
    await running.stop(20_000);
  });

  it("gives its question up where somebody else answers from then on", async () => {
    const running = await worker();
    const conversation = await startConversation(app);
    await send(app, conversation, "ask me");
    await replied(app, conversation, "waiting");
    const { secret } = await app.member("operator");
    for (const what of ["take", "return"]) {
      const path = `/v1/chat/conversations/${conversation}/${what}`;
      expect((await app.call("POST", path, { body: {}, key: secret })).status).toBe(200);
    }
    expect((await send(app, conversation, "Where is my order?")).body.state).toBe("running");
    expect((await replied(app, conversation, "complete", 2)).parts).toEqual([
      { type: "text", text: "It is on its way." },
    ]);
    expect((await turnsOf(app, conversation)).map(({ state }) => state)).toEqual(["stopped", "completed"]);
    await running.stop(20_000);
  });

  it("is stopped for real, with what waits in line", async () => {
    const running = await worker();
    const conversation = await startConversation(app);
    const { body: first } = await send(app, conversation, "answer for ever");
    await send(app, conversation, "and then?");
    await eventually(async () => expect((await taskRow(app, first.task_id)).status).toBe("running"));
    expect((await stop(conversation)).body).toMatchObject({ busy: false, waiting: 0 });
    expect(await taskRow(app, first.task_id)).toMatchObject({ status: "cancelled", lease_owner: null });
    expect((await turnsOf(app, conversation)).map(({ state }) => state)).toEqual(["stopped", "stopped"]);
    const said = (await messagesOf(app, conversation)).filter(({ role }) => role !== "system");
    expect(said.map(({ role, status }) => `${role} ${status}`)).toEqual([
      "user complete",
      "user complete",
      "agent stopped",
    ]);
    expect((await send(app, conversation, "hello")).body.state).toBe("running");
    await replied(app, conversation, "complete", 2);
    await running.stop(20_000);
  });

  it("gives way to a message that interrupts, and to none that would rather be refused", async () => {
    const running = await worker();
    const conversation = await startConversation(app);
    const { body: first } = await send(app, conversation, "answer for ever");
    await eventually(async () => expect((await taskRow(app, first.task_id)).status).toBe("running"));
    const refused = await send(app, conversation, "hello", { when_busy: "reject" });
    expect([refused.status, refused.body.code, refused.headers.get("retry-after")]).toEqual([
      409,
      "conversation_busy",
      "2",
    ]);
    expect((await send(app, conversation, "hello", { when_busy: "interrupt" })).body.state).toBe("running");
    expect((await taskRow(app, first.task_id)).status).toBe("cancelled");
    await replied(app, conversation, "complete", 2);
    expect((await turnsOf(app, conversation)).map(({ state }) => state)).toEqual(["stopped", "completed"]);
    await running.stop(20_000);
  });

  it("keeps what waits for approval when the reply is stopped, by default", async () => {
    const running = await worker();
    const conversation = await startConversation(app);
    await send(app, conversation, "mail bob");
    await replied(app, conversation, "waiting");
    await stop(conversation);
    expect((await replied(app, conversation, "waiting")).parts.at(-1)).toMatchObject({ state: "pending" });
    await stop(conversation, { approvals: "cancel" });
    expect((await replied(app, conversation, "stopped")).parts).toMatchObject([
      { type: "tool_call", state: "cancelled" },
      { state: "cancelled" },
      { type: "notice", code: "stopped" },
    ]);
    await running.stop(20_000);
  });

  it("is written again, in the place of the reply before", async () => {
    const running = await worker();
    const conversation = await startConversation(app);
    await send(app, conversation, "hello");
    const first = await replied(app, conversation);
    const again = `/v1/chat/conversations/${conversation}/messages/${first.message_id}/regenerate`;
    expect((await app.call("POST", again)).body).toMatchObject({ state: "running" });
    const second = await replied(app, conversation, "complete", 2);
    expect(second.replaces).toBe(first.message_id);
    const replaced = (await messagesOf(app, conversation)).find(({ message_id }) => message_id === first.message_id);
    expect(replaced).toMatchObject({ replaced_by: second.message_id });
    const late = await app.call("POST", again);
    expect([late.status, late.body.code]).toEqual([409, "not_the_latest_reply"]);
    await running.stop(20_000);
  });

  it("that failed goes on in its place when its task is tried again", async () => {
    const failing = await machines.worker({
      model: scriptedModel(() => {
        throw new Error("the model is gone");
      }),
    });
    const conversation = await startConversation(app);
    const { body: sent } = await send(app, conversation, "hello");
    const failed = await replied(app, conversation, "failed");
    expect(failed.parts).toMatchObject([{ type: "notice", code: "failed" }]);
    expect(await turnsOf(app, conversation)).toMatchObject([{ state: "failed" }]);
    await failing.stop(20_000);
    const running = await worker();
    expect((await app.call("POST", `/v1/tasks/${sent.task_id}/retry`, { body: {} })).status).toBe(202);
    const reply = await replied(app, conversation);
    expect(reply).toMatchObject({ message_id: failed.message_id, parts: [{ type: "text" }] });
    expect(await turnsOf(app, conversation)).toMatchObject([{ state: "completed", failure: null }]);
    await running.stop(20_000);
  });

  it("is blocked with a notice where a policy denies it once its turn comes", async () => {
    const conversation = await startConversation(app);
    for (const text of ["one", "two"]) await send(app, conversation, text);
    await underPolicy(app, machines, { scope: { actions: ["chat.message"] }, effect: "deny" }, async () => {
      expect((await send(app, conversation, "three")).body.code).toBe("policy_blocked");
      const running = await worker();
      await eventually(async () =>
        expect(await turnsOf(app, conversation)).toMatchObject([
          { state: "completed" },
          { state: "blocked", failure: { code: "policy_blocked" } },
        ]),
      );
      await running.stop(20_000);
    });
  });

  it("is not begun for who may not send messages any more", async () => {
    const { key, key_id } = (await app.call("POST", "/v1/admin/keys", { body: { name: "gone", role: "operator" } }))
      .body;
    const conversation = await startConversation(app);
    for (const text of ["one", "two"]) expect((await send(app, conversation, text, {}, { key })).status).toBe(202);
    expect((await app.call("DELETE", `/v1/admin/keys/${key_id}`)).status).toBe(200);
    const running = await worker();
    await eventually(async () =>
      expect((await turnsOf(app, conversation))[1]).toMatchObject({
        state: "blocked",
        failure: { code: "turn_not_permitted" },
      }),
    );
    await running.stop(20_000);
  });

  it("has a reply of the agent that answered, also where another one answers by then", async () => {
    const conversation = await startConversation(app);
    const { body } = await send(app, conversation, "hello");
    await app.pool.query("update chat_conversations set agent = 'support' where id = $1", [conversation]);
    const completed = "update tasks set status = 'completed', output = '{\"text\":\"Hello.\"}' where id = $1";
    await app.pool.query(completed, [body.task_id]);
    const running = await worker();
    await lookAfterTurns(createReader(app.pool), Date.now() + 10_000);
    expect((await replied(app, conversation)).author).toMatchObject({ id: "sales", name: "sales" });
    await running.stop(20_000);
  });

  it("goes on with several messages in line where the worker was killed between the end of a turn and the next", async () => {
    const conversation = await startConversation(app);
    for (const text of ["one", "two", "three"]) await send(app, conversation, text);
    const completed = "update tasks set status = 'completed', output = '{\"text\":\"One.\"}' where conversation = $1";
    await app.pool.query(completed, [conversation]);
    await app.pool.query("update chat_turns set state = 'completed' where conversation = $1 and state = 'running'", [
      conversation,
    ]);
    await app.pool.query("delete from graphile_worker._private_jobs");
    const running = await worker();
    await lookAfterTurns(createReader(app.pool), Date.now() + 10_000);
    await eventually(async () =>
      expect((await turnsOf(app, conversation)).map(({ state }) => state)).toEqual(Array(3).fill("completed")),
    );
    await running.stop(20_000);
  });

  it("is found by a sweep when its wake-up was lost", async () => {
    const conversation = await startConversation(app);
    for (const text of ["one", "two"]) await send(app, conversation, text);
    const running = await machines.worker({
      model: scriptedModel((_turn, given) => obedient(given)),
      jobs: { settle_chat_turn: () => Promise.resolve() },
    });
    await eventually(async () =>
      expect((await app.pool.query("select status from tasks where conversation = $1", [conversation])).rows).toEqual([
        { status: "completed" },
      ]),
    );
    await running.stop(20_000);
    const next = await worker();
    await lookAfterTurns(createReader(app.pool), Date.now());
    expect(await turnsOf(app, conversation)).toMatchObject([{ state: "running" }, { state: "queued" }]);
    await lookAfterTurns(createReader(app.pool), Date.now() + 10_000);
    await replied(app, conversation, "complete", 2);
    await next.stop(20_000);
  });
});
