import { describe, expect, it } from "vitest";
import { useSharedApp } from "../../../../testing/shared-app.ts";

const app = useSharedApp();

describe("policies on reading and cancelling a task", () => {
  it("see the labels of its agent", async () => {
    const { task_id } = await app.dispatch();
    const when = 'has(agent.labels) && "confined" in agent.labels';
    await app.policy({ scope: { actions: ["task.read", "task.cancel"] }, when, effect: "deny" });
    expect((await app.call("GET", `/v1/tasks/${task_id}`)).body).toMatchObject({ task_id });
    await app.pool.query("update agents set labels = '{confined}' where name = 'sales'");
    await app.pool.query(
      "insert into fact_epochs (topic, epoch) values ('agents', 1) on conflict (topic) do update set epoch = fact_epochs.epoch + 1",
    );
    await app.app.facts.refresh();
    const read = await app.call("GET", `/v1/tasks/${task_id}`);
    const cancelled = await app.call("POST", `/v1/tasks/${task_id}/cancel`, { body: {} });
    expect([read, cancelled].map(({ status, body }) => [status, body.code])).toEqual([
      [403, "policy_blocked"],
      [403, "policy_blocked"],
    ]);
  });
});
