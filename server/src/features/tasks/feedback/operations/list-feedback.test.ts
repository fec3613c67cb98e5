import { expect, it } from "vitest";
import { useApp } from "../../../../testing/app.ts";

const app = useApp();

it("shows what was said of a task as it was answered, newest first, page by page", async () => {
  const { task_id } = await app.dispatch();
  await app.pool.query(
    `update tasks set status = 'completed', output = '{"qualified":true}', finished_at = now() where id = $1`,
    [task_id],
  );
  const path = `/v1/tasks/${task_id}/feedback`;
  const said: unknown[] = [];
  for (const body of [
    { rating: 2, comment: "Not quite." },
    { accepted: true },
    { correction: { qualified: false }, use_for_training: false },
  ]) {
    said.unshift((await app.call("POST", path, { key: "evaluator", body })).body);
  }
  const whole = await app.call("GET", path, { key: "viewer" });
  expect(whole.body).toEqual({ data: said, has_more: false, next_cursor: null });
  const first = await app.call("GET", `${path}?limit=2`);
  expect([first.body.data, first.body.has_more]).toEqual([said.slice(0, 2), true]);
  expect((await app.call("GET", `${path}?limit=2&cursor=${first.body.next_cursor}`)).body.data).toEqual(said.slice(2));
});

it("is empty for a task of which nobody said anything, and of another task it shows nothing", async () => {
  const { task_id } = await app.dispatch();
  expect((await app.call("GET", `/v1/tasks/${task_id}/feedback`)).body.data).toEqual([]);
});
