import { expect, it } from "vitest";
import { useSharedApp } from "../../../../testing/shared-app.ts";
import { insertConversation, insertMessage } from "../../chat.fixture.ts";
import { insertTurn, send } from "../turns.fixture.ts";

const app = useSharedApp();

/** A conversation in which one message was answered. Answers both ids. */
async function answered(changes: object = {}, environment: "development" | "staging" = "development") {
  const conversation = await insertConversation(app, changes, environment);
  const asked = await insertMessage(app, conversation, "When?", { environment });
  const turn = await insertTurn(app, conversation, asked.id, environment);
  const { id } = await insertMessage(app, conversation, "Soon.", { environment, role: "agent", author: "sales", turn });
  await app.pool.query("update chat_turns set reply = $2 where id = $1", [turn, id]);
  const path = `/v1/chat/conversations/${conversation}/messages/${id}/regenerate`;
  return { conversation, asked, again: () => app.call("POST", path, { environment }) };
}
const codeOf = ({ status, body }: { status: number; body: { code?: string } }) => [status, body.code];

it("asks the agent the same again, as if nothing had been answered", async () => {
  const { conversation, asked, again } = await answered();
  const { status, body } = await again();
  expect([status, body]).toMatchObject([202, { state: "running", message_id: asked.id }]);
  const task = await app.call("GET", `/v1/tasks/${body.task_id}`);
  expect(task.body.input).toEqual({ message: "When?", conversation, after: 1 });
  expect(codeOf(await again())).toEqual([409, "conversation_busy"]);
});

it("leaves replies alone that are not the latest", async () => {
  const { conversation, again } = await answered();
  await send(app, conversation, "And then?");
  await app.call("POST", `/v1/chat/conversations/${conversation}/stop`, { body: {} });
  expect(codeOf(await again())).toEqual([409, "not_the_latest_reply"]);
});

it("answers nothing that its author took back", async () => {
  const { conversation, asked, again } = await answered();
  const path = `/v1/chat/conversations/${conversation}/messages/${asked.id}`;
  expect((await app.call("DELETE", path)).status).toBe(200);
  expect(codeOf(await again())).toEqual([409, "not_the_latest_reply"]);
});

it("is refused in a conversation that is closed, and where the agent is not deployed", async () => {
  expect(codeOf(await (await answered({ state: "closed" })).again())).toEqual([409, "conversation_closed"]);
  expect(codeOf(await (await answered({}, "staging")).again())).toEqual([409, "agent_not_deployed"]);
});
