import { expect, it } from "vitest";
import { useSharedApp } from "../../../../testing/shared-app.ts";
import { add, published, triggersOf } from "../triggers.fixture.ts";

const app = useSharedApp();

it("removes a trigger that was added, and answers wrong_state for one of the live version", async () => {
  const name = await published(app, { triggers: [{ event: "task.failed" }] });
  const { trigger_id } = (await add(app, name, { event: "task.completed" })).body;
  const remove = (id: string) => app.call("DELETE", `/v1/workflows/${name}/triggers/${id}`, { body: {} });
  expect((await remove(trigger_id)).body).toEqual({ trigger_id, removed: true });
  const [left] = await triggersOf(app, name);
  const refused = await remove(left.trigger_id);
  expect([refused.status, refused.body.code]).toEqual([409, "wrong_state"]);
});
