import { expect, it } from "vitest";
import { useApp } from "../../../testing/app.ts";
import { insertConversation } from "../chat.fixture.ts";
import { insertExchange } from "../conversation.fixture.ts";

const app = useApp();

it("takes what is said of a reply as feedback on its task", async () => {
  const id = await insertConversation(app);
  const { message, reply, task } = await insertExchange(app, id, { text: "Where is it?", reply: "In Bonn." });
  const rate = (of: string, body: object) =>
    app.call("POST", `/v1/chat/conversations/${id}/messages/${of}/feedback`, { body, key: "operator" });
  const rated = await rate(reply.id, { accepted: false, correction: "In Berlin." });
  expect(rated.status, rated.text).toBe(201);
  expect(rated.body).toMatchObject({ task_id: task, outcome: 0, correction: { text: "In Berlin." } });
  const { body } = await app.call("GET", `/v1/tasks/${task}/feedback`);
  expect(body.data).toHaveLength(1);
  const { rows } = await app.pool.query("select skill, outcome from trust_judgements where id = $1", [task]);
  expect(rows).toEqual([{ skill: "chat", outcome: 0 }]);
  const own = await rate(message.id, { accepted: true });
  expect([own.status, own.body.code]).toEqual([409, "wrong_state"]);
});
