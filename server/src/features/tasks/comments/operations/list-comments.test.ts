import { expect, it } from "vitest";
import { useSharedApp } from "../../../../testing/shared-app.ts";

const app = useSharedApp();

it("lists the comments on a task, the oldest first, page by page", async () => {
  const { task_id } = await app.dispatch();
  const path = `/v1/tasks/${task_id}/comments`;
  const made = [];
  for (const body of [{ text: "First." }, { text: "Second.", for_agent: false }, { text: "Third." }])
    made.push((await app.call("POST", path, { body })).body);
  const first = await app.call("GET", `${path}?limit=2`, { key: "viewer" });
  expect([first.body.data, first.body.has_more]).toEqual([made.slice(0, 2), true]);
  expect((await app.call("GET", `${path}?limit=2&cursor=${first.body.next_cursor}`)).body.data).toEqual(made.slice(2));
});
