import { beforeAll, describe, expect, it, vi } from "vitest";
import { createReader } from "../../../db/reader.ts";
import { systemClock } from "../../../kernel/clock.ts";
import { createIds } from "../../../kernel/ids.ts";
import { useApp } from "../../../testing/app.ts";
import { scriptedModel } from "../../../testing/models.ts";
import { type Receiver, startReceiver } from "../../../testing/receiver.ts";
import { sealsOf } from "../../../testing/tasks.ts";
import { useWorkerProcess } from "../../../testing/worker.ts";
import { createShadowJob } from "./jobs/shadow-job.ts";

// A version in shadow, from its deployment to what it would have done.

const app = useApp();
const process = useWorkerProcess(app);

let shop: Receiver;
let made = 0;

/** Says what the skill's instructions tell of: which amount, and whether it is paid. */
const model = scriptedModel((turn, { prompt }) => {
  const [, amount, pays] = /amount (\d+) (pays|says)/.exec(JSON.stringify(prompt)) ?? [];
  if (pays === "pays" && turn === 1) return { calls: [{ tool: "pay", input: { amount: Number(amount) } }] };
  return { text: JSON.stringify({ amount: Number(amount) }) };
});

const definition = (instructions: string, limits: object = {}) => ({
  model: { provider: "openai", name: "sample-model" },
  tools: [
    {
      name: "pay",
      kind: "http",
      effect: "write",
      request: { method: "POST", url: `${shop.url}/pay`, body: { amount: "{amount}" } },
      arguments: { type: "object", required: ["amount"], properties: { amount: { type: "integer" } } },
      impact: { reversible: true },
    },
  ],
  skills: [
    {
      name: "refund",
      instructions,
      limits,
      tools: ["pay"],
      input: { type: "object", required: ["order"], properties: { order: { type: "string" } } },
      output: { type: "object", properties: { amount: { type: "integer" } } },
    },
  ],
});

const done = async (method: string, path: string, body: object, headers = {}) => {
  const answered = await app.call(method, path, { body, headers });
  if (answered.status >= 300) throw new Error(`${method} ${path} answered ${answered.status}: ${answered.text}`);
  return answered;
};

/** An agent whose version 1 is live and whose version 2 runs in shadow. */
async function shadowed(live: string, shadow: string, more: object = {}, limits: object = {}) {
  const agent = `shadowed-${++made}`;
  const { headers } = await done("POST", "/v1/agents", { agent, description: "Refunds.", ...definition(live) });
  await done("POST", `/v1/agents/${agent}/versions`, {});
  await done(
    "PATCH",
    `/v1/agents/${agent}`,
    { ...definition(shadow, limits), description: "Refunds again." },
    { "if-match": headers.get("etag") },
  );
  await done("POST", `/v1/agents/${agent}/versions`, {});
  await done("POST", `/v1/agents/${agent}/deployments`, { version: 1 });
  const { body } = await done("POST", `/v1/agents/${agent}/deployments`, { version: 2, mode: "shadow", ...more });
  await process.refresh();
  return { agent, deployment: body.deployment_id as string };
}

const dispatch = async (agent: string): Promise<string> =>
  (await done("POST", `/v1/agents/${agent}/tasks`, { task: "refund", order: "or_1" })).body.task_id;
const summary = async (deployment: string) => (await app.call("GET", `/v1/evaluations/shadows/${deployment}`)).body;
const runs = async (deployment: string) =>
  (await app.call("GET", `/v1/evaluations/shadows/${deployment}/runs`)).body.data;

beforeAll(async () => {
  const connection = { name: "openai", kind: "openai", secret: "sk-test-0123456789abcdef" };
  await done("POST", "/v1/admin/connections", connection);
  shop = await startReceiver(() => ({ status: 200, body: "{}" }));
  await process.worker({ model });
  return () => shop.close();
});

describe("a version in shadow", () => {
  it("carries out what the live version has done, and tells where they differ, and what both cost", async () => {
    const { agent, deployment } = await shadowed("amount 10 says", "amount 12 says");
    const task = await dispatch(agent);
    await vi.waitFor(async () => expect(await summary(deployment)).toMatchObject({ compared: 1 }), 20_000);
    expect(await summary(deployment)).toMatchObject({
      state: "shadow",
      share: 100,
      compared: 1,
      same: { share: 0 },
      up_to_a_write: 0,
      differences: [{ pointer: "/output/amount", runs: 1 }],
      budget: { used_tasks: 1, tasks: 1_000 },
    });
    const [run] = await runs(deployment);
    expect(run).toMatchObject({ task_id: task, same: false, up_to: "end", live: { output: { amount: 10 } } });
    expect(run.shadow.output).toEqual({ amount: 12 });
    expect(run.seconds.live).toBeGreaterThan(0);
    expect((await app.call("GET", `/v1/tasks?agent=${agent}`)).body.data.length).toBe(1);
  });

  it("proposes writes that are withheld, and is compared up to the first of them", async () => {
    const { agent, deployment } = await shadowed("amount 10 says", "amount 10 pays");
    await dispatch(agent);
    await vi.waitFor(async () => expect(await summary(deployment)).toMatchObject({ compared: 1 }), 20_000);
    const [run] = await runs(deployment);
    expect(run).toMatchObject({ up_to: "write", differences: [{ pointer: "/write/tool", live: null, shadow: "pay" }] });
    expect(run.shadow.calls).toEqual([{ tool: "pay", effect: "write", arguments: { amount: 10 } }]);
    expect(shop.received).toEqual([]);
  });

  it("ends when its budget is used up, and says so", async () => {
    const { agent, deployment } = await shadowed("amount 1 says", "amount 1 says", { budget: { tasks: 2 } });
    for (let n = 0; n < 4; n++) {
      await dispatch(agent);
      await vi.waitFor(async () => {
        const { compared, state } = await summary(deployment);
        expect(state === "ended" || compared === n + 1).toBe(true);
      }, 20_000);
      await process.refresh();
    }
    expect(await summary(deployment)).toMatchObject({
      state: "ended",
      reason: "It has used up its 2 tasks.",
      compared: 2,
      same: { share: 1 },
    });
    const events = await app.pool.query("select body from events where type = 'deployment.shadow_ended'");
    expect(JSON.parse(events.rows.at(-1).body)).toMatchObject({
      agent,
      deployment_id: deployment,
      by: "system:worker",
    });
  });

  it.each([
    ["money", { cost_usd: 0.1 }, 1],
    ["tasks", { tasks: 2 }, 2],
  ])("keeps runs at the same moment within its budget: %s", async (_unit, budget, most) => {
    const limits = { cost_usd: 0.06 };
    const { agent, deployment } = await shadowed("amount 1 says", "amount 1 says", { share: 1, budget }, limits);
    const tasks = await Promise.all(Array.from({ length: 6 }, () => dispatch(agent)));
    await vi.waitFor(async () => {
      const { data } = (await app.call("GET", `/v1/tasks?agent=${agent}&status=completed`)).body;
      expect(data).toHaveLength(tasks.length);
    }, 20_000);
    await app.pool.query("delete from shadow_runs where deployment_id = $1", [deployment]);
    let begun = 0;
    const { promise: over, resolve } = Promise.withResolvers<void>();
    const usage = { steps: 1, tokens: 1, costUsd: 0.05, ms: 1 };
    const run = async () => {
      begun++;
      await over;
      return { kind: "completed" as const, output: { amount: 1 }, usage, features: {} as never };
    };
    const parts = { db: createReader(app.pool), inside: process.inside, seals: await sealsOf(app) };
    const job = createShadowJob({ ...parts, skills: { ...process.skills, run }, newId: createIds(systemClock) });
    const at = { organization: "default", environment: "development" };
    const first = job({ ...at, task: tasks[0] });
    await vi.waitFor(() => expect(begun).toBe(1));
    const others = Promise.all(tasks.slice(1).map((task) => job({ ...at, task })));
    await vi.waitFor(async () => {
      const skipped = (await runs(deployment)).filter(({ state }: { state: string }) => state === "skipped").length;
      expect(begun + skipped === tasks.length || (await summary(deployment)).state === "ended").toBe(true);
    });
    resolve();
    await Promise.all([first, others]);
    expect(begun).toBeLessThanOrEqual(most);
    expect((await summary(deployment)).budget.used_tasks).toBe(begun);
  });

  it("tries a task again that broke off, and leaves it out after forty times in a row", async () => {
    const { agent, deployment } = await shadowed("amount 1 says", "amount 1 says", { share: 1 });
    const task = await dispatch(agent);
    await vi.waitFor(async () => {
      expect((await app.call("GET", `/v1/tasks/${task}`)).body.status).toBe("completed");
    }, 20_000);
    await app.pool.query("delete from shadow_runs where task_id = $1", [task]);
    const skills = { ...process.skills, run: () => Promise.reject(new Error("broke off")) };
    const newId = createIds(systemClock);
    const { inside } = process;
    const job = createShadowJob({ db: createReader(app.pool), inside, seals: await sealsOf(app), skills, newId });
    const states: string[] = [];
    for (const faults of [0, 1, 39]) {
      await app.pool.query("update shadow_runs set faults = $2, lease_until = now() where task_id = $1", [
        task,
        faults,
      ]);
      await expect(job({ organization: "default", environment: "development", task })).rejects.toThrow("broke off");
      const [only] = await runs(deployment);
      states.push(only.state);
    }
    expect(states).toEqual(["running", "running", "skipped"]);
    expect(await summary(deployment)).toMatchObject({ skipped: [{ reason: "internal_error", runs: 1 }] });
  });

  it("ends by hand, or when another version goes live", async () => {
    const one = await shadowed("amount 1 says", "amount 1 says");
    const path = `/v1/agents/${one.agent}/deployments/${one.deployment}`;
    expect((await app.call("PATCH", path, { body: { action: "promote", reason: "x" } })).body.errors[0].code).toBe(
      "not_for_shadow",
    );
    const { body } = await done("PATCH", path, { action: "abort", reason: "Seen enough." });
    expect(body).toMatchObject({ state: "ended", outcome: "ended", reason: "Seen enough." });
    const other = await shadowed("amount 1 says", "amount 1 says");
    await done("POST", `/v1/agents/${other.agent}/deployments`, { version: 2 });
    expect(await summary(other.deployment)).toMatchObject({ state: "ended", reason: "Version 2 was deployed." });
  });
});

it("a shadow's members belong to a shadow only, and a canary leaves the live version a share", async () => {
  const { agent } = await shadowed("amount 1 says", "amount 1 says");
  const faults = async (body: object) =>
    (await app.call("POST", `/v1/agents/${agent}/deployments`, { body: { version: 2, ...body } })).body.errors?.map(
      ({ pointer, code }: { pointer: string; code: string }) => `${pointer} ${code}`,
    );
  expect(await faults({ budget: { tasks: 1 } })).toEqual(["/budget not_for_whole"]);
  expect(await faults({ mode: "shadow", rule: {} })).toEqual(["/rule not_for_shadow"]);
  expect(await faults({ mode: "canary", share: 100 })).toEqual(["/share too_large"]);
  const again = await app.call("POST", `/v1/agents/${agent}/deployments`, { body: { version: 2, mode: "shadow" } });
  expect([again.status, again.body.code]).toEqual([409, "canary_running"]);
});
