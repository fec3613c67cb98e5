import { describe, expect, it } from "vitest";
import { useSharedApp } from "../../../../testing/shared-app.ts";
import { deployedAgent } from "../../testing.ts";
import { runningCanary } from "../canaries/canaries.fixture.ts";

const app = useSharedApp();
const rollback = (agent: string, body: object = {}) =>
  app.call("POST", `/v1/agents/${agent}/rollback`, { body: { reason: "worse", ...body } });
const ask = async (agent: string, body: object = {}): Promise<string> =>
  (await app.call("POST", `/v1/agents/${agent}/tasks`, { body: { task: "answer", question: "when?", ...body } })).body
    .task_id;
const versionOf = async (task: string): Promise<number> => (await app.call("GET", `/v1/tasks/${task}`)).body.version;

describe("rolling back", () => {
  it("goes further back each time, never to a version that a rollback left", async () => {
    await deployedAgent(app, "back", { versions: 3, deploy: [1, 2, 3] });
    expect((await rollback("back")).body).toMatchObject({ version: 2, kind: "rollback", state: "live" });
    expect((await rollback("back")).body.version).toBe(1);
    expect((await rollback("back")).body).toMatchObject({ status: 409, code: "nothing_to_roll_back" });
  });

  it("passes over a version that was left also after it was passed on the way", async () => {
    await deployedAgent(app, "around", { versions: 3, deploy: [1, 2] });
    await rollback("around");
    await app.call("POST", "/v1/agents/around/deployments", { body: { version: 3 } });
    expect((await rollback("around")).body.version).toBe(1);
  });

  it("goes to the version that is named, and says why where it cannot", async () => {
    await deployedAgent(app, "named", { versions: 4, deploy: [1, 2, 3] });
    expect((await rollback("named", { to: 1 })).body.version).toBe(1);
    expect((await rollback("named", { to: 4 })).body.detail).toBe(
      "Version 4 of named has never been live in development.",
    );
    expect((await rollback("named", { to: 1 })).body.detail).toBe(
      "Version 1 of named is the one that is live in development.",
    );
  });

  it("lets open tasks finish on their version, or moves the queued ones that nobody approved", async () => {
    await deployedAgent(app, "tasks", { versions: 2, deploy: [1, 2] });
    const [queued, waiting] = [await ask("tasks"), await ask("tasks", { require_approval: true })];
    expect((await rollback("tasks")).body.tasks).toEqual({ moved: 0, kept: 1 });
    await app.call("POST", "/v1/agents/tasks/deployments", { body: { version: 2 } });
    expect((await rollback("tasks", { open_tasks: "move" })).body.tasks).toEqual({ moved: 1, kept: 0 });
    expect([await versionOf(queued), await versionOf(waiting)]).toEqual([1, 2]);
  });

  it("moves no task whose run has begun: its steps were those of its version", async () => {
    await deployedAgent(app, "begun", { versions: 2, deploy: [1, 2] });
    const [begun, fresh] = [await ask("begun"), await ask("begun")];
    await app.pool.query("update tasks set started_at = now(), attempt = 1 where id = $1", [begun]);
    expect((await rollback("begun", { open_tasks: "move" })).body.tasks).toEqual({ moved: 1, kept: 1 });
    expect([await versionOf(begun), await versionOf(fresh)]).toEqual([2, 1]);
  });

  it("is an event that names both versions", async () => {
    await deployedAgent(app, "told", { versions: 2, deploy: [1, 2] });
    const { body } = await rollback("told");
    const { rows } = await app.pool.query(
      "select body::json as body from events where type = 'deployment.changed' and body like $1",
      [`%${body.deployment_id}%`],
    );
    expect(rows[0].body).toMatchObject({ agent: "told", version: 1, previous_version: 2, kind: "rollback" });
  });

  it("ends a canary, stays with the version beside it, and moves the canary's tasks", async () => {
    await runningCanary(app, "beside", { share: 99 });
    let customer = 0;
    const asked = async () => ask("beside", { options: { sticky_key: `customer ${customer}` } });
    let task = await asked();
    while ((await versionOf(task)) !== 2) {
      customer++;
      task = await asked();
    }
    const { status, body } = await rollback("beside", { open_tasks: "move" });
    expect([status, body.version, body.state]).toEqual([200, 1, "live"]);
    expect(body).toMatchObject({ ended_canary: expect.any(String), tasks: { moved: 1, kept: 0 } });
    expect(await versionOf(task)).toBe(1);
    expect(await versionOf(await asked())).toBe(1);
    expect((await rollback("beside")).body.code).toBe("nothing_to_roll_back");
  });

  it("to another version ends a canary as well, and moves the tasks of both", async () => {
    await deployedAgent(app, "both", { versions: 3, deploy: [1, 2] });
    await app.call("POST", "/v1/agents/both/deployments", { body: { version: 3, mode: "canary", share: 50 } });
    const tasks = await Promise.all(Array.from({ length: 20 }, () => ask("both")));
    expect(new Set(await Promise.all(tasks.map(versionOf)))).toEqual(new Set([2, 3]));
    const { body } = await rollback("both", { to: 1, open_tasks: "move" });
    expect(body).toMatchObject({ version: 1, ended_canary: expect.any(String), tasks: { moved: 20, kept: 0 } });
    expect(new Set(await Promise.all(tasks.map(versionOf)))).toEqual(new Set([1]));
  });
});
