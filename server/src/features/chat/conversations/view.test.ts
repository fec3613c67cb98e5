import { expect, it } from "vitest";
import { useApp } from "../../../testing/app.ts";
import { useWorkerProcess } from "../../../testing/worker.ts";
import { underKillSwitch, underPause } from "../../tasks/runs/testing.ts";
import { send, startConversation } from "../turns/turns.fixture.ts";

const app = useApp();
const worker = useWorkerProcess(app);

/** What holds a conversation, the same at the object and in the list. */
async function heldBy(conversation: string) {
  const { held_by } = (await app.call("GET", `/v1/chat/conversations/${conversation}`)).body;
  const { data } = (await app.call("GET", "/v1/chat/conversations?limit=100")).body;
  const listed = data.find(({ conversation_id }: { conversation_id: string }) => conversation_id === conversation);
  expect(listed.held_by).toEqual(held_by);
  return held_by;
}

it("a conversation that nothing holds says so", async () => {
  expect(await heldBy(await startConversation(app))).toBeNull();
});

it("a conversation that was handed to people says who takes it, until somebody does", async () => {
  const id = await startConversation(app);
  await app.call("POST", `/v1/chat/conversations/${id}/handoff`, { body: { to: "person", reason: "A discount." } });
  expect(await heldBy(id)).toMatchObject({
    kind: "question",
    source: id,
    text: "Waits for a person to take it: A discount.",
    since: expect.any(String),
    lifted_by: "chat:answer",
    url: `http://127.0.0.1:4000/conversations/${id}`,
  });
  await app.call("POST", `/v1/chat/conversations/${id}/take`, { body: {} });
  expect(await heldBy(id)).toBeNull();
});

it("a conversation names the pause or kill switch that refuses its next message, and that in which a message waits", async () => {
  const id = await startConversation(app);
  await underPause(app, worker, "drain", async () => {
    expect(await heldBy(id)).toMatchObject({ kind: "pause", source: "sales", lifted_by: "agents:pause" });
  });
  await underKillSwitch(app, worker, { kind: "agent", target: "sales", mode: "pause" }, async (stop) => {
    expect(await heldBy(id)).toBeNull(); // a message is taken, and waits
    expect((await send(app, id, "Hello?")).status).toBeLessThan(300);
    expect(await heldBy(id)).toMatchObject({ kind: "kill_switch", source: stop });
  });
});

it("a conversation whose turn asks for approval says where people decide", async () => {
  const id = await startConversation(app);
  const { body } = await send(app, id, "Hello?");
  await app.policy({ when: "true", scope: { actions: ["task.run"] }, effect: "require_approval" });
  await worker.refresh();
  await worker.handed()(body.task_id);
  const { approval_id } = (await app.call("GET", `/v1/approvals/${body.task_id}`)).body;
  expect(await heldBy(id)).toMatchObject({ kind: "approval", source: approval_id, lifted_by: "approvals:decide" });
});
