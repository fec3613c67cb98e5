import { expect, it } from "vitest";
import { useSharedApp } from "../../../../testing/shared-app.ts";

const app = useSharedApp();
const start = (body: object, key = "admin") =>
  app.call("POST", "/v1/chat/conversations", { body: { agent: "sales", ...body }, key });

it("starts a conversation with the disclosure in its language and an imported history", async () => {
  const history = [
    { role: "user", text: "Hello!\nIs Amber Looms a good lead for us, do you think so?" },
    { role: "assistant", text: "It is." },
  ];
  const { status, body, headers } = await start({ user: "u-1", language: "de-AT", context: { seats: 40 }, history });
  expect(status).toBe(201);
  expect(body).toMatchObject({
    agent: "sales",
    user: "u-1",
    channel: "api",
    title: "Hello!",
    state: "open",
    context: { seats: 40 },
    messages: 2,
    sequence: 2,
    busy: false,
    waiting: 0,
    version: null,
    revision: 1,
    handler: { kind: "agent", id: "sales", since: null },
    disclosure: { text: "Sie schreiben mit einem KI-Agenten.", delivered_at: null },
  });
  expect(headers.get("location")).toBe(`/v1/chat/conversations/${body.conversation_id}`);
  const { rows } = await app.pool.query(
    "select number, role, author_name, body, imported, generated, status from chat_messages where conversation = $1 order by number",
    [body.conversation_id],
  );
  const common = { imported: true, status: "complete" };
  expect(rows).toEqual([
    { ...common, number: 1, role: "user", author_name: "u-1", body: history[0]?.text, generated: false },
    { ...common, number: 2, role: "agent", author_name: "Assistant", body: "It is.", generated: true },
  ]);
});

it("returns the conversation of the same external key, also to calls at once, but to no other user", async () => {
  const body = { external_key: "thread-1", user: "u-1" };
  const all = await Promise.all([start(body), start(body), start(body, "operator")]);
  expect(new Set(all.map((one) => one.body.conversation_id)).size).toBe(1);
  const other = await start({ ...body, user: "u-2" });
  expect(other.status).toBe(409);
  expect(other.body.code).toBe("external_key_in_use");
});

it("refuses an agent that does not exist or is not deployed", async () => {
  const unknown = await start({ agent: "nobody" });
  expect(unknown.status).toBe(422);
  expect(unknown.body.errors).toEqual([expect.objectContaining({ pointer: "/agent", code: "unknown_agent" })]);
  const staging = await app.call("POST", "/v1/chat/conversations", {
    body: { agent: "sales" },
    environment: "staging",
  });
  expect(staging.status).toBe(409);
  expect(staging.body.code).toBe("agent_not_deployed");
});
