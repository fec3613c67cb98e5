import { describe, expect, it } from "vitest";
import { useApp } from "../../../../testing/app.ts";
import { useWorkerProcess } from "../../../../testing/worker.ts";
import { underKillSwitch } from "../../../tasks/runs/testing.ts";
import { type Accepts, judgeTasks, runningCanary } from "../canaries/canaries.fixture.ts";
import { canarySweep } from "./decide-canary.ts";

const app = useApp();
const worker = useWorkerProcess(app);

async function sweep(): Promise<void> {
  await worker.refresh();
  await worker.sweeperWith([canarySweep]).sweep();
  expect(worker.faults).toEqual([]);
}

const canaryOf = (agent: string, rule: object) => runningCanary(app, agent, { share: 50, rule });
const judge = (agent: string, count: number, accepts: Accepts) => judgeTasks(app, agent, count, accepts);

const stateOf = async (path: string) => {
  const { data } = (await app.call("GET", path.replace(/\/[^/]+$/, ""))).body;
  return data.find((one: { deployment_id: string }) => path.endsWith(one.deployment_id));
};
const eventOf = async (type: string, id: string) => {
  const text = "select body::json as body from events where type = $1 and body like $2";
  return (await app.pool.query(text, [type, `%${id}%`])).rows.map(({ body }) => body);
};

/** Has the agent's own gate say what follows from its states. */
async function gateSays(agent: string, table: object): Promise<void> {
  await app.pool.query(
    `insert into gates (organization, environment, agent, definition, author) values ('default', 'development', $1, $2, 'test')
     on conflict (organization, environment, agent) do update set definition = excluded.definition`,
    [agent, JSON.stringify({ fail_closed: false, on_missing: null, table })],
  );
  await app.pool.query(
    "insert into fact_epochs (topic, epoch) values ('gates', 1) on conflict (topic) do update set epoch = fact_epochs.epoch + 1",
  );
}

describe("a canary", () => {
  it("that is worse aborts itself and says why", async () => {
    const path = await canaryOf("worse", {});
    await judge("worse", 150, (version, n) => n % 10 > (version === 2 ? 5 : 0));
    await sweep();
    const ended = await stateOf(path);
    expect(ended).toMatchObject({ state: "ended", outcome: "aborted", share: 0, ended_by: "system:sweeper" });
    expect(ended.reason).toMatch(/^The canary is worse by \d+\.\d points .* judged tasks were accepted on the canary/);
    const [event] = await eventOf("deployment.aborted", ended.deployment_id);
    expect(event).toMatchObject({ cause: "worse", evidence: ended.reason, by: "system:sweeper" });
    const { body } = await app.call("POST", "/v1/agents/worse/tasks", { body: { task: "answer", question: "?" } });
    const { rows } = await app.pool.query("select experiment from tasks where id = $1", [body.task_id]);
    expect(rows).toEqual([{ experiment: null }]);
  });

  it("that is no worse goes live by its rule", async () => {
    const path = await canaryOf("unchanged", { tolerance: 0.25, most_judged: 60 });
    await judge("unchanged", 200, (_version, n) => n % 10 > 0);
    await sweep();
    const ended = await stateOf(path);
    expect(ended).toMatchObject({ state: "ended", outcome: "promoted" });
    expect((await app.call("GET", "/v1/agents/unchanged")).body.deployment).toMatchObject({
      version: 2,
      deployment_id: ended.replaced_by,
    });
  });

  it("that nobody judged is held, and one that fails is aborted all the same", async () => {
    const path = await canaryOf("fails", { promote: "by_hand" });
    await judge("fails", 100, () => true);
    await app.pool.query("delete from trust_judgements where agent = 'fails'");
    await sweep();
    expect(await stateOf(path)).toMatchObject({ state: "canary" });
    await app.pool.query(
      `with failed as (update tasks set status = 'failed' where agent = 'fails' and version_number = 2 returning *)
       insert into trust_judgements (organization, environment, agent, skill, id, version_id, source, origin, outcome, observed_at, experiment)
       select organization, environment, agent, skill, id, version_id, 'run', 'volunteered', 0, now(), experiment from failed`,
    );
    await judge("fails", 50, () => true);
    await sweep();
    expect((await stateOf(path)).reason).toMatch(/^The canary fails more by/);
  });

  it("is promoted by nobody while the agent is paused or its time is not over", async () => {
    const rule = { tolerance: 0.25, most_judged: 60 };
    const paths = [await canaryOf("paused", rule), await canaryOf("early", { ...rule, least_hours: 2 })];
    await app.call("POST", "/v1/agents/paused/pause", { body: { reason: "a look" } });
    for (const agent of ["paused", "early"]) {
      if (agent === "paused") await app.call("POST", "/v1/agents/paused/resume", { body: {} });
      await judge(agent, 200, () => true);
      if (agent === "paused") await app.call("POST", "/v1/agents/paused/pause", { body: { reason: "a look" } });
    }
    await sweep();
    for (const path of paths) expect(await stateOf(path)).toMatchObject({ state: "canary" });
    await app.call("POST", "/v1/agents/paused/resume", { body: {} });
    await sweep();
    expect(await stateOf(paths[0] as string)).toMatchObject({ outcome: "promoted" });
    expect(await stateOf(paths[1] as string)).toMatchObject({ state: "canary" });
  });

  it("is promoted by nobody while a kill switch stands against its version", async () => {
    const path = await canaryOf("killed", { tolerance: 0.25, most_judged: 60 });
    await judge("killed", 200, () => true);
    const target = (await stateOf(path)).version_id;
    await underKillSwitch(app, worker, { kind: "version", target, mode: "drain" }, async () => {
      await sweep();
      expect(await stateOf(path)).toMatchObject({ state: "canary" });
    });
    await sweep();
    expect(await stateOf(path)).toMatchObject({ outcome: "promoted" });
  });

  it("waits for a person where its agent's own gate does, and is aborted where that refuses it", async () => {
    const path = await canaryOf("gated", { tolerance: 0.25, most_judged: 60 });
    await judge("gated", 200, () => true);
    await gateSays("gated", { missing: "require_approval" });
    await sweep();
    expect(await stateOf(path)).toMatchObject({ state: "canary" });
    await gateSays("gated", { missing: "deny" });
    await sweep();
    expect(await stateOf(path)).toMatchObject({
      outcome: "aborted",
      reason: "The evaluation gate refuses its version.",
    });
  });
});
