import { expect, it } from "vitest";
import { useApp } from "../../../../testing/app.ts";

const app = useApp();

it("lists the tasks of the agent in the path, with the filters of the list of tasks", async () => {
  const { task_id } = await app.dispatch({ labels: ["mine"] });
  await app.dispatch();
  const list = async (query: string) => (await app.call("GET", `/v1/agents/sales/tasks?${query}`)).body;
  expect((await list("limit=1")).has_more).toBe(true);
  expect((await list("label=mine")).data.map((task: { task_id: string }) => task.task_id)).toEqual([task_id]);
  const other = await app.call("GET", "/v1/agents/sales/tasks?agent=other");
  expect(other.status).toBe(400);
});
