import { expect, it } from "vitest";
import { useSharedApp } from "../../../../testing/shared-app.ts";
import { insertConversation } from "../../chat.fixture.ts";
import { insertExchange } from "../conversation.fixture.ts";

const app = useSharedApp();
const word = "quaggamuseum";
const path = (id: string, message: string) => `/v1/chat/conversations/${id}/messages/${message}`;

it("takes a message out of the conversation, its task and its events, and keeps its place", async () => {
  const id = await insertConversation(app, { title: `I like the ${word}` });
  const text = `I like the ${word}`;
  const { message, task } = await insertExchange(app, id, { text, reply: "Good." });
  const { status, body } = await app.call("DELETE", path(id, message.id));
  expect(status).toBe(200);
  expect(body).toMatchObject({ status: "retracted", parts: [], number: 1 });
  for (const table of ["chat_conversations", "chat_messages", "chat_events", "tasks"]) {
    const { rowCount } = await app.pool.query(`select from ${table} t where t::text like $1`, [`%${word}%`]);
    expect(rowCount, table).toBe(0);
  }
  const read = await app.call("GET", `/v1/tasks/${task}`);
  expect(read.body).toMatchObject({ status: "completed", input: {}, output: null, title: null });
  const { rows } = await app.pool.query("select type from chat_events where conversation = $1 order by sequence", [id]);
  expect(rows.map(({ type }) => type)).toEqual([
    "chat.message.created",
    "chat.message.created",
    "chat.message.changed",
  ]);
  expect((await app.call("DELETE", path(id, message.id))).body.status).toBe("retracted");
});

it("lets others than the author retract only with chat:manage, and nobody while the turn goes on", async () => {
  const id = await insertConversation(app);
  const { message, reply } = await insertExchange(app, id, { text: "Hello", reply: "Hello." });
  const other = await app.call("DELETE", path(id, reply.id), { key: "operator" });
  expect([other.status, other.body.missing_scope]).toEqual([403, "chat:manage"]);
  await app.pool.query("update chat_turns set state = 'running' where conversation = $1", [id]);
  const early = await app.call("DELETE", path(id, message.id));
  expect([early.status, early.body.code]).toEqual([409, "wrong_state"]);
});
