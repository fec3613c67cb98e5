import { expect, it } from "vitest";
import { useSharedApp } from "../../../../testing/shared-app.ts";
import { eventsOf } from "../../../../testing/tasks.ts";

const app = useSharedApp();

const pause = (task: string, body: object = {}) =>
  app.call("POST", `/v1/tasks/${task}/pause`, { key: "operator", body });

it("keeps the state of the task, and says in held_by who paused it, since when and why, besides what people are asked", async () => {
  const { task_id } = await app.dispatch();
  const { status, body } = await pause(task_id, { reason: "The price list is wrong." });
  expect(body.paused).toMatchObject({ reason: "The price list is wrong." });
  expect([status, body.status, body.held_by.kind]).toEqual([200, "awaiting_approval", "approval"]);
  expect(body.held_by.text).toContain("Then: Paused by Test operator: The price list is wrong.");
  const { task_id: queued } = await app.dispatch({ require_approval: false });
  expect((await pause(queued)).body.held_by).toMatchObject({ kind: "pause", source: queued, lifted_by: "tasks:write" });
  expect((await eventsOf(app, queued)).at(-1)).toBe("task.paused");
  const approval = await app.call("GET", `/v1/approvals/${task_id}`);
  expect(approval.body.held_by).toMatchObject({ kind: "pause", source: task_id });
});

it("refuses a task that has ended, and one that answers in a conversation", async () => {
  const { task_id } = await app.dispatch();
  await app.pool.query("update tasks set conversation = 'cnv_1' where id = $1", [task_id]);
  expect((await pause(task_id)).body).toMatchObject({ code: "wrong_state" });
  const { task_id: ended } = await app.dispatch();
  await app.call("POST", `/v1/tasks/${ended}/cancel`, { body: {} });
  expect((await pause(ended)).body).toMatchObject({ code: "wrong_state" });
});

it("is over where a task that was paused and cancelled is tried again", async () => {
  const { task_id } = await app.dispatch();
  await pause(task_id);
  expect((await app.call("POST", `/v1/tasks/${task_id}/cancel`, { body: {} })).body).toMatchObject({
    status: "cancelled",
    held_by: null,
  });
  const retried = await app.call("POST", `/v1/tasks/${task_id}/retry`, { body: { from: "start" } });
  expect(retried.text).not.toContain("Paused by");
});
