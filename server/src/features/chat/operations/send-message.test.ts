import { describe, expect, it } from "vitest";
import { useApp } from "../../../testing/app.ts";
import { useWorkerProcess } from "../../../testing/worker.ts";
import { answering, messagesOf, replied, send, startConversation } from "../turns.fixture.ts";

const app = useApp();
const machines = useWorkerProcess(app);

describe("POST /v1/chat/conversations/{conversation}/messages", () => {
  it("has the agent answer, by a task of its own", async () => {
    const worker = await machines.worker({ model: answering("It arrives on Tuesday.") });
    const conversation = await startConversation(app);
    const sent = await send(app, conversation, "Where is my order?");
    expect([sent.status, sent.body.state]).toEqual([202, "running"]);
    const reply = await replied(app, conversation);
    expect(reply).toMatchObject({ role: "agent", task_id: sent.body.task_id, turn_id: sent.body.turn_id });
    expect(reply.parts).toEqual([{ type: "text", text: "It arrives on Tuesday." }]);
    const task = await app.call("GET", `/v1/tasks/${sent.body.task_id}`);
    expect(task.body).toMatchObject({ task: "chat", conversation_id: conversation, status: "completed" });
    expect(reply.trust_score).toBe(task.body.trust_score);
    expect((await app.call("GET", `/v1/chat/conversations/${conversation}`)).body).toMatchObject({
      version: { number: 1 },
      busy: false,
      messages: 2,
    });
    await worker.stop(0);
  });

  it("answers messages one at a time, in their order", async () => {
    const conversation = await startConversation(app);
    const sent = [];
    for (const text of ["one", "two", "three"]) sent.push(await send(app, conversation, text));
    expect(sent.map(({ body }) => body.state)).toEqual(["running", "queued", "queued"]);
    const worker = await machines.worker({ model: answering() });
    await replied(app, conversation, "complete", 3);
    const messages = await messagesOf(app, conversation);
    expect(messages.filter(({ role }) => role === "agent").map(({ turn_id }) => turn_id)).toEqual(
      sent.map(({ body }) => body.turn_id),
    );
    await worker.stop(0);
  });
});
