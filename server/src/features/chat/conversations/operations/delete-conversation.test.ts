import { afterEach, expect, it } from "vitest";
import { createReader } from "../../../../db/reader.ts";
import { useApp } from "../../../../testing/app.ts";
import { useWorkerProcess } from "../../../../testing/worker.ts";
import { insertConversation, newId } from "../../chat.fixture.ts";
import { insertExchange } from "../conversation.fixture.ts";
import { markerWord, tablesHolding } from "../erasure.fixture.ts";
import { eraseSweep } from "./erase-conversation.ts";

// A word that is planted wherever a conversation can carry it is in no table once the conversation is erased.

const app = useApp();
const worker = useWorkerProcess(app);
const word = markerWord;
const holding = (): Promise<string[]> => tablesHolding(app);

const call = async (method: string, path: string, body?: object) => {
  const answered = await app.call(method, path, {
    headers: method === "GET" ? {} : { "idempotency-key": crypto.randomUUID() },
    ...(body && { body }),
  });
  expect(answered.status, `${method} ${path} ${answered.text}`).toBeLessThan(300);
  return answered.body;
};

/** A conversation in which all that can carry the word does. */
async function planted(): Promise<{ id: string; task: string }> {
  const said = `I was at the ${word}.`;
  const started = await call("POST", "/v1/chat/conversations", {
    agent: "sales",
    user: word,
    title: word,
    labels: [word],
    context: { place: word },
    external_key: word,
    history: [{ role: "user", text: said }],
  });
  const id = started.conversation_id;
  const { message, reply, task } = await insertExchange(app, id, { text: said, reply: `What is the ${word}?` });
  await call("POST", "/v1/chat/memories", { conversation_id: id, text: said });
  await call("POST", "/v1/chat/memories", {
    user: "u-1",
    text: said,
    conversation_id: id,
    source_message_id: message.id,
  });
  const feedback = { accepted: false, correction: said, comment: said };
  await call("POST", `/v1/chat/conversations/${id}/messages/${reply.id}/feedback`, feedback);
  await plantInTask(id, task);
  return { id, task };
}

/** What runs, searches, approvals and people's files leave behind. */
async function plantInTask(id: string, task: string): Promise<void> {
  const text = JSON.stringify({ query: word });
  const scope = [app.scope.organization, app.scope.environment];
  await app.pool.query(
    `insert into steps (organization, environment, id, task_id, attempt, number, kind, name, state, input, output, asked)
     values ($1, $2, $3, $4, 1, 1, 'tool', 'search', 'finished', $5, $5, $5)`,
    [...scope, newId("stp"), task, text],
  );
  await app.pool.query(
    "update approvals set arguments = $2, title = $3, summary = $3, reason = $3 where task_id = $1",
    [task, text, word],
  );
  await app.pool.query("insert into task_redactions values ($1, $2, $3, 'p', $4)", [...scope, task, Buffer.from(word)]);
  await app.pool.query(
    `insert into knowledge_questions (organization, environment, id, base, query, asked_by, agent, at, best_score, coverage, answered, results)
     values ($1, $2, $3, 'kb', $4, 'x', 'sales', now(), 0, 0, false, 0)`,
    [...scope, newId("qst"), word],
  );
  await app.pool.query(
    `insert into chat_files (organization, environment, conversation, id, name, media_type, size, sha256, content, text, audit_ref, created_at)
     values ($1, $2, $3, $4, $5, 'text/plain', 1, 'x', $6, $5, 'aud_', now())`,
    [...scope, id, newId("fil"), word, Buffer.from(word)],
  );
}

afterEach(async () => {
  await app.call("PATCH", "/v1/admin/settings", { body: { settings: { chat: null } }, headers: await settingsTag() });
});
const settingsTag = async () => ({
  "if-match": (await app.call("GET", "/v1/admin/settings")).headers.get("etag") as string,
});

it("erases a conversation from every table at once, and keeps the skeletons of its tasks", async () => {
  const { id, task } = await planted();
  expect(await holding()).toEqual(
    expect.arrayContaining([
      "chat_events",
      "chat_files",
      "chat_memories",
      "chat_messages",
      "idempotency_keys",
      "tasks",
    ]),
  );
  const deleted = await call("DELETE", `/v1/chat/conversations/${id}?erase=now`, {});
  expect(deleted).toMatchObject({ conversation_id: id, state: "closed", erased: true, erase_at: null, forks: [] });
  expect(await holding()).toEqual([]);
  expect((await app.call("GET", `/v1/chat/conversations/${id}`)).status).toBe(404);
  const result = await app.call("GET", `/v1/tasks/${task}/result`);
  expect(result.body).toMatchObject({ status: "completed", final: true, output: null, result_ref: null });
  const steps = await app.call("GET", `/v1/tasks/${task}/steps`);
  expect(steps.body.data[0]).toMatchObject({ name: "search", input: {}, output: null, failure: null });
  const salts = await app.pool.query("select from audit_salts where subject = $1", [id]);
  expect(salts.rowCount).toBe(0);
});

it("closes a conversation at once and erases it when its retention is over", async () => {
  const body = { settings: { chat: { retention_days: 2 } } };
  await app.call("PATCH", "/v1/admin/settings", { body, headers: await settingsTag() });
  const { id } = await planted();
  const fork = (await call("POST", `/v1/chat/conversations/${id}/fork`, {})).conversation_id;
  const deleted = await call("DELETE", `/v1/chat/conversations/${id}`, {});
  expect(deleted).toMatchObject({ erased: false, forks: [fork] });
  expect(Date.parse(deleted.erase_at) - Date.now()).toBeGreaterThan(47 * 3_600_000);
  const read = await call("GET", `/v1/chat/conversations/${id}`);
  expect(read).toMatchObject({ state: "closed", erase_at: deleted.erase_at });
  const sweep = (now: number) =>
    eraseSweep.run({
      db: createReader(app.pool),
      inside: worker.inside,
      now,
      facts: app.app.facts,
      port: app.app.port,
    });
  await sweep(Date.now());
  expect((await app.call("GET", `/v1/chat/conversations/${id}`)).status).toBe(200);
  await app.pool.query("update chat_conversations set erase_at = now() where id = $1", [id]);
  await sweep(Date.now() + 1_000);
  expect((await app.call("GET", `/v1/chat/conversations/${id}`)).status).toBe(404);
  await call("DELETE", `/v1/chat/conversations/${fork}?erase=now`, {});
  expect(await holding()).toEqual([]);
});

it("stops what goes on in a conversation that is closed", async () => {
  const id = await insertConversation(app);
  const { task, reply } = await insertExchange(app, id, { text: "Hello", reply: "Hell" });
  await app.pool.query("update tasks set status = 'queued', finished_at = null where id = $1", [task]);
  await app.pool.query("update chat_turns set state = 'running' where conversation = $1", [id]);
  await app.pool.query("update chat_messages set status = 'streaming' where id = $1", [reply.id]);
  await call("DELETE", `/v1/chat/conversations/${id}`, {});
  expect((await app.call("GET", `/v1/tasks/${task}`)).body.status).toBe("cancelled");
  const read = await call("GET", `/v1/chat/conversations/${id}`);
  expect(read).toMatchObject({ busy: false, waiting: 0 });
});
