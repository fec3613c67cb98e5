import { expect, it } from "vitest";
import { useSharedApp } from "../../../../testing/shared-app.ts";
import { insertConversation } from "../../chat.fixture.ts";

const app = useSharedApp();

it("changes what is given, keeps the rest, and tells those who follow the conversation", async () => {
  const id = await insertConversation(app, { title: "Old", labels: ["a"], context: '{"seats":40}' });
  const path = `/v1/chat/conversations/${id}`;
  const { headers } = await app.call("GET", path);
  const changed = await app.call("PATCH", path, {
    body: { title: null, context: { seats: 41 } },
    headers: { "if-match": headers.get("etag") as string },
  });
  expect(changed.status, changed.text).toBe(200);
  expect(changed.body).toMatchObject({ title: null, labels: ["a"], context: { seats: 41 }, revision: 2, sequence: 1 });
  const { rows } = await app.pool.query("select type, data from chat_events where conversation = $1", [id]);
  expect(rows).toHaveLength(1);
  expect(rows[0].type).toBe("chat.conversation.changed");
  expect(JSON.parse(rows[0].data).conversation).toEqual(changed.body);
  const stale = await app.call("PATCH", path, {
    body: { title: "New" },
    headers: { "if-match": headers.get("etag") as string },
  });
  expect(stale.status).toBe(412);
});

it("refuses a context that is too large to be read", async () => {
  const id = await insertConversation(app);
  const body = { context: { text: "x".repeat(17_000) } };
  const refused = await app.call("PATCH", `/v1/chat/conversations/${id}`, { body });
  expect(refused.status).toBe(422);
  expect(refused.body.errors).toEqual([expect.objectContaining({ pointer: "/context", code: "too_large" })]);
});
