import { expect, it } from "vitest";
import { useSharedApp } from "../../../../testing/shared-app.ts";
import { insertConversation } from "../../chat.fixture.ts";
import { send, startConversation, turnsOf } from "../turns.fixture.ts";

const app = useSharedApp();
const stop = (conversation: string) => app.call("POST", `/v1/chat/conversations/${conversation}/stop`, { body: {} });

it("cancels what no worker has begun, and is content where nothing runs", async () => {
  const conversation = await startConversation(app);
  const { body } = await send(app, conversation, "Hello?");
  expect((await stop(conversation)).body).toMatchObject({ conversation_id: conversation, busy: false });
  expect((await app.call("GET", `/v1/tasks/${body.task_id}`)).body.status).toBe("cancelled");
  expect(await turnsOf(app, conversation)).toMatchObject([{ state: "stopped", failure: { code: "cancelled" } }]);
  expect((await stop(conversation)).status).toBe(200);
});

it("has nothing to stop in a conversation that is closed", async () => {
  const { status, body } = await stop(await insertConversation(app, { state: "closed" }));
  expect([status, body.code]).toEqual([409, "conversation_closed"]);
});
