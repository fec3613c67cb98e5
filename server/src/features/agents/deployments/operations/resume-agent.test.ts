import { describe, expect, it } from "vitest";
import { useSharedApp } from "../../../../testing/shared-app.ts";
import { deployedAgent } from "../../testing.ts";

const app = useSharedApp();
const resume = (agent: string) => app.call("POST", `/v1/agents/${agent}/resume`, { body: { note: "mended" } });

describe("resuming an agent", () => {
  it("lets it take work again and wakes what was queued", async () => {
    await deployedAgent(app, "again", { versions: 1, deploy: [1] });
    const queued = await app.call("POST", "/v1/agents/again/tasks", { body: { task: "answer", question: "when?" } });
    await app.pool.query("delete from graphile_worker._private_jobs");
    await app.call("POST", "/v1/agents/again/pause", { body: { reason: "a look" } });
    const { status, body } = await resume("again");
    expect([status, body.paused]).toEqual([200, null]);
    const { rows } = await app.pool.query("select payload->>'task' as task from graphile_worker._private_jobs");
    expect(rows).toEqual([{ task: queued.body.task_id }]);
    const next = await app.call("POST", "/v1/agents/again/tasks", { body: { task: "answer", question: "and now?" } });
    expect(next.status).toBe(202);
  });

  it("is refused with not_paused where it works", async () => {
    expect((await resume("sales")).body).toMatchObject({ status: 409, code: "not_paused" });
  });
});
