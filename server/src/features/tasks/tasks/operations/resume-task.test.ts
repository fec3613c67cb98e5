import { expect, it } from "vitest";
import { useSharedApp } from "../../../../testing/shared-app.ts";
import { eventsOf } from "../../../../testing/tasks.ts";

const app = useSharedApp();

const resume = (task: string) => app.call("POST", `/v1/tasks/${task}/resume`, { key: "operator", body: {} });

it("lets a task go on that somebody else paused, and refuses one that is not paused", async () => {
  const { task_id } = await app.dispatch({ require_approval: false });
  expect((await resume(task_id)).body).toMatchObject({ code: "wrong_state" });
  await app.call("POST", `/v1/tasks/${task_id}/pause`, { body: {} });
  expect((await resume(task_id)).body).toMatchObject({ status: "queued", held_by: null });
  expect((await eventsOf(app, task_id)).at(-1)).toBe("task.resumed");
});
