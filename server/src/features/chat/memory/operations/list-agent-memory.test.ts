import { expect, it } from "vitest";
import { useApp } from "../../../../testing/app.ts";
import { insertConversation } from "../../chat.fixture.ts";

const app = useApp();
const remember = async (body: object) =>
  (await app.call("POST", "/v1/chat/memories", { body })).body as { memory_id: string };
const idsOf = async (agent: string, options = {}) =>
  (await app.call("GET", `/v1/agents/${agent}/memory`, options)).body.data.map(
    ({ memory_id, scope }: { memory_id: string; scope: string }) => `${scope} ${memory_id}`,
  );

it("shows what an agent reads in its conversations, and forgets it with a record as proof", async () => {
  await app.call("POST", "/v1/agents", { body: { agent: "other", description: "Another." } });
  const mine = await insertConversation(app, { agent: "sales", end_user: "u-1" });
  const theirs = await insertConversation(app, { agent: "other", end_user: "u-2" });
  const here = await remember({ conversation_id: mine, text: "Wants a call back." });
  const ofUser = await remember({ user: "u-1", text: "Allergic to nuts." });
  await remember({ user: "u-2", text: "Writes to another agent." });
  const there = await remember({ conversation_id: theirs, text: "Elsewhere." });
  expect(await idsOf("sales")).toEqual([`user ${ofUser.memory_id}`, `conversation ${here.memory_id}`]);
  const { body: key } = await app.call("POST", "/v1/admin/keys", {
    body: { name: "narrow", role: "builder", agents: ["sales"] },
  });
  expect(await idsOf("sales", { key: key.key })).toEqual([`conversation ${here.memory_id}`]);
  expect((await app.call("DELETE", `/v1/agents/sales/memory/${there.memory_id}`, { body: {} })).status).toBe(404);
  const forgotten = await app.call("DELETE", `/v1/agents/sales/memory/${ofUser.memory_id}`, { body: {} });
  expect(forgotten.body).toMatchObject({ deleted: true, audit_ref: expect.stringMatching(/^aud_/) });
  expect(await idsOf("sales")).toEqual([`conversation ${here.memory_id}`]);
});
