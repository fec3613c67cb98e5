import { expect, it } from "vitest";
import { useApp } from "../../../testing/app.ts";
import { useWorkerProcess } from "../../../testing/worker.ts";
import { answering, replied } from "../turns/turns.fixture.ts";
import { markerWord, tablesHolding } from "./erasure.fixture.ts";

// A word that a conversation carried wherever it went, answered by an agent under a policy, is in no table once the conversation is erased.

const app = useApp();
const machines = useWorkerProcess(app);
const word = markerWord;
const holding = (): Promise<string[]> => tablesHolding(app);

it("leaves nothing of a conversation that an agent answered", async () => {
  const call = async (method: string, path: string, body?: object) => {
    const answered = await app.call(method, `/v1/chat${path}`, {
      headers: method === "GET" ? {} : { "idempotency-key": crypto.randomUUID() },
      ...(body && { body }),
    });
    expect(answered.status, `${method} ${path} ${answered.text}`).toBeLessThan(300);
    return answered.body;
  };
  await app.policy({
    effect: "deny",
    scope: { actions: ["chat.message"] },
    reason_code: "long",
    when: "has(input.message) && input.message == 'forbidden'",
  });
  await machines.refresh();
  const text = `Tell me of the ${word}.`;
  const started = await call("POST", "/conversations", { agent: "sales", user: word, context: { place: word } });
  const path = `/conversations/${started.conversation_id}`;
  const file = await call("POST", `${path}/files`, { name: `${word}.txt`, text });
  const sent = await call("POST", `${path}/messages`, { text, files: [file.file_id] });
  await call("POST", `${path}/messages`, { text: `And when does the ${word} open?` });
  const worker = await machines.worker({ model: answering(`The ${word} is closed.`) });
  await replied(app, started.conversation_id, "complete", 2);
  await worker.stop(0);
  const titled = await call("GET", path);
  expect(titled.title).toBe(text);
  await call("POST", `${path}/compact`, { keep: 0 });
  await call("PATCH", path, { labels: [word] });
  await call("POST", "/memories", {
    user: "u-1",
    text,
    conversation_id: started.conversation_id,
    source_message_id: sent.message_id,
  });
  const held = await holding();
  expect(held).toEqual(
    expect.arrayContaining(["audit_records", "chat_messages", "idempotency_keys", "steps", "tasks"]),
  );
  const deleted = await call("DELETE", `${path}?erase=now`, {});
  expect(deleted.erased).toBe(true);
  expect(await holding()).toEqual([]);
  const { body } = await app.call("GET", `/v1/tasks/${sent.task_id}`);
  expect(body).toMatchObject({ status: "completed", input: {}, output: null });
});
