import { expect, it } from "vitest";
import { useSharedApp } from "../../../../testing/shared-app.ts";
import { insertConversation, insertMessage, newId } from "../../chat.fixture.ts";

const app = useSharedApp();
const fork = (id: string, body: object = {}) => app.call("POST", `/v1/chat/conversations/${id}/fork`, { body });

it("goes on from a message with copies of its own, files among them", async () => {
  const id = await insertConversation(app, { end_user: "u-1", title: "Looms", context: '{"seats":40}' });
  const file = newId("fil");
  await app.pool.query(
    `insert into chat_files (organization, environment, conversation, id, name, media_type, size, sha256, content, audit_ref, created_at)
     values ('default', 'development', $1, $2, 'order.txt', 'text/plain', 1, 'x', 'x', 'aud_', now())`,
    [id, file],
  );
  const text = { type: "text", text: "See the file." } as const;
  const part = { type: "file", file_id: file, name: "order.txt", media_type: "text/plain", size: 1 } as const;
  await insertMessage(app, id, "", { parts: [text, part], author_name: "Ada" });
  const approval = { type: "approval", approval_id: "apr_1", state: "pending", summary: "", approve_url: "" } as const;
  const reply = await insertMessage(app, id, "", { role: "agent", parts: [{ ...text, text: "Read." }, approval] });
  await insertMessage(app, id, "Later.");
  const { status, body, text: raw } = await fork(id, { message_id: reply.id });
  expect(status, raw).toBe(201);
  expect(body).toMatchObject({ user: "u-1", title: "Looms", context: { seats: 40 }, messages: 2 });
  expect(body.forked_from).toEqual({ conversation_id: id, message_id: reply.id });
  const copies = (await app.call("GET", `/v1/chat/conversations/${body.conversation_id}/messages?order=oldest`)).body
    .data;
  expect(copies.map((one: { imported: boolean }) => one.imported)).toEqual([true, true]);
  expect(copies[1].parts).toEqual([{ type: "text", text: "Read." }]);
  const copiedFile = copies[0].parts[1].file_id;
  expect(copiedFile).not.toBe(file);
  const { rows } = await app.pool.query("select conversation from chat_files where id = $1", [copiedFile]);
  expect(rows).toEqual([{ conversation: body.conversation_id }]);
});

it("refuses a message of another conversation, an empty conversation and a key that is taken", async () => {
  const id = await insertConversation(app);
  const other = await insertMessage(app, await insertConversation(app, { external_key: "taken" }), "Elsewhere");
  expect((await fork(id)).body.code).toBe("wrong_state");
  expect((await fork(id, { message_id: other.id })).body.code).toBe("wrong_state");
  await insertMessage(app, id, "Hello");
  expect((await fork(id, { external_key: "taken" })).body.code).toBe("external_key_in_use");
});
