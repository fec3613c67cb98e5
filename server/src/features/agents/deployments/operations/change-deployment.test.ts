import { describe, expect, it } from "vitest";
import { useSharedApp } from "../../../../testing/shared-app.ts";
import { deployedAgent } from "../../testing.ts";
import { runningCanary } from "../canaries/canaries.fixture.ts";

const app = useSharedApp();

async function canaryOf(agent: string, body: object = {}) {
  const path = await runningCanary(app, agent, body);
  const { data } = (await app.call("GET", `/v1/agents/${agent}/deployments?state=canary`)).body;
  return { canary: data[0], path };
}

const ask = async (agent: string, options: object = {}): Promise<{ version: number; task: string }> => {
  const body = { task: "answer", question: "when?", options };
  const task = (await app.call("POST", `/v1/agents/${agent}/tasks`, { body })).body.task_id;
  return { task, version: (await app.call("GET", `/v1/tasks/${task}`)).body.version };
};
const eventsOf = async (type: string, id: string) => {
  const text = "select body::json as body from events where type = $1 and body like $2";
  return (await app.pool.query(text, [type, `%${id}%`])).rows.map(({ body }) => body);
};
const shares = async (agent: string) => {
  const { data } = (await app.call("GET", `/v1/agents/${agent}/deployments?state=live,canary`)).body;
  return Object.fromEntries(data.map((one: { state: string; share: number }) => [one.state, one.share]));
};

describe("a canary", () => {
  it("takes its share of tasks beside the live version, and tells so", async () => {
    const { canary } = await canaryOf("shared", { share: 50, rule: { tolerance: 0.03 } });
    expect(canary).toMatchObject({ state: "canary", share: 50, rule: { tolerance: 0.03, most_judged: 1000 } });
    expect(await shares("shared")).toEqual({ live: 50, canary: 50 });
    const versions = new Set(
      (await Promise.all(Array.from({ length: 30 }, () => ask("shared")))).map((t) => t.version),
    );
    expect(versions).toEqual(new Set([1, 2]));
    const { rows } = await app.pool.query("select distinct experiment from tasks where agent = 'shared'");
    expect(rows).toEqual([{ experiment: canary.deployment_id }]);
    expect(await eventsOf("deployment.started", canary.deployment_id)).toMatchObject([
      { agent: "shared", mode: "canary", version: 2, live_version: 1, share: 50 },
    ]);
  });

  it("keeps who has a sticky key on one version, and on the canary when its share grows", async () => {
    const { path } = await canaryOf("sticky", { share: 30 });
    const keys = Array.from({ length: 12 }, (_, i) => ({ sticky_key: `customer ${i}` }));
    const drawn = async () => Promise.all(keys.map(async (key) => (await ask("sticky", key)).version));
    const before = await drawn();
    expect(await drawn()).toEqual(before);
    expect((await app.call("PATCH", path, { body: { share: 80 } })).body).toMatchObject({ share: 80, state: "canary" });
    const after = await drawn();
    expect(after.filter((version, i) => version === 1 && before[i] === 2)).toEqual([]);
    expect(after.filter((version) => version === 2).length).toBeGreaterThan(before.filter((v) => v === 2).length);
  });

  it("is not promoted where the environment lost what its version names: dependencies_missing", async () => {
    const { path } = await canaryOf("bereft");
    await app.pool.query(
      `update agent_versions set definition = definition || '{"knowledge":["gone"]}' where agent = 'bereft' and number = 2`,
    );
    const { status, body } = await app.call("PATCH", path, { body: { action: "promote", reason: "does well" } });
    expect([status, body.code, body.errors[0].pointer]).toEqual([409, "dependencies_missing", "/knowledge/0"]);
  });

  it("goes live when it is promoted, as by a deployment", async () => {
    const { canary, path } = await canaryOf("promoted");
    const { body } = await app.call("PATCH", path, { body: { action: "promote", reason: "does well" } });
    expect(body).toMatchObject({ state: "ended", outcome: "promoted", reason: "does well", replaced_by: body.live });
    expect((await app.call("GET", "/v1/agents/promoted")).body.deployment).toMatchObject({
      version: 2,
      deployment_id: body.live,
    });
    expect(await eventsOf("deployment.changed", body.live)).toMatchObject([
      { version: 2, previous_version: 1, kind: "promote" },
    ]);
    expect((await ask("promoted")).version).toBe(2);
    expect((await app.call("POST", "/v1/agents/promoted/rollback", { body: { reason: "worse" } })).body.version).toBe(
      1,
    );
    expect((await app.call("PATCH", path, { body: { share: 20 } })).body).toMatchObject({
      status: 409,
      code: "wrong_state",
    });
    expect(canary.revision).toBe(1);
  });

  it("draws no task any more when it is aborted, and its queued tasks move where that is asked", async () => {
    const { canary, path } = await canaryOf("aborted", { share: 99 });
    let customer = 0;
    const asked = () => ask("aborted", { sticky_key: `customer ${customer}` });
    let drawn = await asked();
    while (drawn.version !== 2) {
      customer++;
      drawn = await asked();
    }
    const abort = { action: "abort", reason: "guesses dates", open_tasks: "move" };
    const { body } = await app.call("PATCH", path, { body: abort });
    expect(body).toMatchObject({ state: "ended", outcome: "aborted", tasks: { moved: 1, kept: 0 } });
    expect((await app.call("GET", `/v1/tasks/${drawn.task}`)).body.version).toBe(1);
    expect((await asked()).version).toBe(1);
    expect(await eventsOf("deployment.aborted", canary.deployment_id)).toMatchObject([
      { cause: "by_hand", reason: "guesses dates", version: 2, evidence: null },
    ]);
    expect(await shares("aborted")).toEqual({ live: 100 });
  });

  it("ends with a rollback, another deployment and archiving, which say so", async () => {
    const { canary } = await canaryOf("ended");
    const path = "/v1/agents/ended/deployments";
    const whole = await app.call("POST", path, { body: { version: 3 } });
    expect(whole.body).toMatchObject({ version: 3, ended_canary: canary.deployment_id });
    const again = (await app.call("POST", path, { body: { version: 2, mode: "canary" } })).body.deployment_id;
    const back = await app.call("POST", "/v1/agents/ended/rollback", { body: { reason: "wrong", to: 1 } });
    expect(back.body).toMatchObject({ version: 1, ended_canary: again });
    const last = (await app.call("POST", path, { body: { version: 2, mode: "canary" } })).body.deployment_id;
    await app.call("DELETE", "/v1/agents/ended", { body: { reason: "gone" } });
    expect(await eventsOf("deployment.aborted", last)).toMatchObject([{ cause: "archived" }]);
  });

  it("is changed by the revision that was read, if one is named", async () => {
    const { path } = await canaryOf("based");
    const headers = { "if-match": '"1-json"' };
    expect((await app.call("PATCH", path, { body: { share: 20 }, headers })).status).toBe(200);
    expect((await app.call("PATCH", path, { body: { share: 30 }, headers })).status).toBe(412);
  });

  it("has to be told one thing at a time", async () => {
    const { path } = await canaryOf("reported");
    for (const body of [
      {},
      { share: 5, action: "abort", reason: "x" },
      { action: "abort" },
      { share: 5, open_tasks: "move" },
    ])
      expect((await app.call("PATCH", path, { body })).status).toBe(422);
  });
});

describe("a canary is refused", () => {
  it("where another runs already, and where nothing is live", async () => {
    await canaryOf("twice");
    const body = { version: 3, mode: "canary" };
    expect((await app.call("POST", "/v1/agents/twice/deployments", { body })).body.code).toBe("canary_running");
    await deployedAgent(app, "bare", { versions: 1 });
    const bare = { version: 1, mode: "canary" };
    expect((await app.call("POST", "/v1/agents/bare/deployments", { body: bare })).body.code).toBe("nothing_live");
  });
});
