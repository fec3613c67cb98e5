import { beforeAll, describe, expect, it, vi } from "vitest";
import { createReader } from "../../../../db/reader.ts";
import { systemClock } from "../../../../kernel/clock.ts";
import { createIds } from "../../../../kernel/ids.ts";
import type { SkillOutcome } from "../../../../kernel/skill-runner.ts";
import { useApp } from "../../../../testing/app.ts";
import { scriptedModel } from "../../../../testing/models.ts";
import { sealsOf } from "../../../../testing/tasks.ts";
import { useWorkerProcess } from "../../../../testing/worker.ts";
import { skillsThat } from "../../testing.ts";
import { compareSides } from "../rules.ts";
import {
  claimShadowRun,
  endShadowRun,
  giveBackShadowRun,
  type HeldShadowRun,
  renewShadowRun,
  skipShadowRun,
} from "../store.ts";
import { createShadowJob, type ShadowJobOptions, shadowSweep } from "./shadow-job.ts";

// Runs of a shadow, driven job by job: no worker takes wake-ups from the queue.

const app = useApp();
const process = useWorkerProcess(app);
let runTask: (task: string) => Promise<void>;
let made = 0;

beforeAll(() => {
  process.say(scriptedModel(() => ({ text: JSON.stringify({ answer: "yes" }) })));
  runTask = process.handed();
});

const done = async (method: string, path: string, body: object, headers = {}) => {
  const answered = await app.call(method, path, { body, headers });
  if (answered.status >= 300) throw new Error(`${method} ${path} answered ${answered.status}: ${answered.text}`);
  return answered;
};

const startShadow = async (agent: string, budget: object): Promise<string> => {
  const body = { version: 2, mode: "shadow", budget };
  return (await done("POST", `/v1/agents/${agent}/deployments`, body)).body.deployment_id;
};
const endShadow = (agent: string, deployment: string) =>
  done("PATCH", `/v1/agents/${agent}/deployments/${deployment}`, { action: "abort", reason: "Seen enough." });

const definition = (description: string) => ({
  description,
  model: { provider: "builtin" },
  skills: [
    {
      name: "say",
      instructions: "Say yes.",
      input: { type: "object", properties: { text: { type: "string" } } },
      output: { type: "object", properties: { answer: { type: "string" } } },
    },
  ],
});

/** An agent with version 2 in shadow of version 1, and a task of it that has ended and that the shadow has not begun. */
async function endedTask({ budget = {} }: { readonly budget?: object } = {}) {
  const agent = `shadowed-${++made}`;
  const { headers } = await done("POST", "/v1/agents", { agent, ...definition("Says.") });
  await done("POST", `/v1/agents/${agent}/versions`, {});
  await done("PATCH", `/v1/agents/${agent}`, definition("Says more."), { "if-match": headers.get("etag") });
  await done("POST", `/v1/agents/${agent}/versions`, {});
  await done("POST", `/v1/agents/${agent}/deployments`, { version: 1 });
  const deployment = await startShadow(agent, budget);
  await process.refresh();
  const task: string = (await done("POST", `/v1/agents/${agent}/tasks`, { task: "say", text: "Is it?" })).body.task_id;
  await runTask(task);
  return { agent, deployment, task };
}

const rowsOf = async (task: string) =>
  (await app.pool.query("select * from shadow_runs where task_id = $1 order by id", [task])).rows;
const lapse = (task: string) =>
  app.pool.query("update shadow_runs set lease_until = now() - interval '1 minute' where task_id = $1", [task]);

async function jobOf(run: (request: { signal: AbortSignal }) => Promise<SkillOutcome>, options: ShadowJobOptions = {}) {
  const { inside, skills } = process;
  const parts = { db: createReader(app.pool), inside, seals: await sealsOf(app), newId: createIds(systemClock) };
  const job = createShadowJob({ ...parts, skills: { ...skills, run } }, options);
  return (task: string, more: object = {}) =>
    job({ organization: "default", environment: "development", task, ...more });
}
const says = skillsThat(() => ({ answer: "yes" })).run as () => Promise<SkillOutcome>;
const breaks = () => Promise.reject(new Error("broke off"));
const never = () => new Promise<SkillOutcome>(() => undefined);

/** Looks once, and answers what the wake-up of a task says, if there is one. */
async function sweep(task: string): Promise<Record<string, unknown> | undefined> {
  await app.pool.query("delete from graphile_worker._private_jobs");
  await shadowSweep.run({ db: createReader(app.pool) } as never);
  const woken = await app.pool.query("select payload from graphile_worker._private_jobs where key = $1", [
    `shadow ${task}`,
  ]);
  return woken.rows[0]?.payload;
}

describe("a run that nobody works on", () => {
  it("is carried out after it was given back, though it is the last one that the budget allows", async () => {
    const { task, deployment } = await endedTask({ budget: { tasks: 1 } });
    await expect((await jobOf(breaks))(task)).rejects.toThrow("broke off");
    await lapse(task);
    const woken = await sweep(task);
    expect(woken).toMatchObject({ task, deployment });
    await (await jobOf(says))(task, woken);
    expect(await rowsOf(task)).toMatchObject([{ state: "compared", deployment_id: deployment }]);
  });

  it("ends with its shadow, holds none of the budget any more and wakes nobody", async () => {
    const { agent, task, deployment } = await endedTask();
    await expect((await jobOf(breaks))(task)).rejects.toThrow("broke off");
    await lapse(task);
    await endShadow(agent, deployment);
    expect(await sweep(task)).toBeUndefined();
    expect(await rowsOf(task)).toMatchObject([
      { state: "skipped", reason: "shadow_ended", cost_usd: 0, lease_until: null, finished_at: expect.any(Date) },
    ]);
  });

  it("is not taken up by the agent's next shadow", async () => {
    const { agent, task, deployment } = await endedTask();
    await expect((await jobOf(breaks))(task)).rejects.toThrow("broke off");
    await lapse(task);
    const woken = await sweep(task);
    await endShadow(agent, deployment);
    await startShadow(agent, {});
    await (await jobOf(says))(task, woken);
    await sweep(task);
    expect(await rowsOf(task)).toMatchObject([{ deployment_id: deployment, state: "skipped", reason: "shadow_ended" }]);
  });

  it("ends when its task is not what was recorded any more", async () => {
    const { task } = await endedTask();
    await expect((await jobOf(breaks))(task)).rejects.toThrow("broke off");
    await lapse(task);
    await app.pool.query("update tasks set output = '{}' where id = $1", [task]);
    await (await jobOf(says))(task, await sweep(task));
    expect(await rowsOf(task)).toMatchObject([{ state: "skipped", reason: "task_unusable", cost_usd: 0 }]);
  });

  it("ends when three workers were lost with it", async () => {
    const { task } = await endedTask();
    void (await jobOf(never))(task);
    await vi.waitFor(async () => expect(await rowsOf(task)).toHaveLength(1));
    await lapse(task);
    await app.pool.query("update shadow_runs set tries = 3 where task_id = $1", [task]);
    expect(await sweep(task)).toBeUndefined();
    expect(await rowsOf(task)).toMatchObject([{ state: "skipped", reason: "worker_lost", cost_usd: 0 }]);
  });

  it("is woken though more than a look takes up belong to shadows that have ended", async () => {
    const { agent, task, deployment } = await endedTask();
    await expect((await jobOf(breaks))(task)).rejects.toThrow("broke off");
    await app.pool.query("update shadow_runs set lease_until = now() where task_id = $1", [task]);
    await app.pool.query(
      `insert into shadow_runs (organization, environment, id, deployment_id, agent, task_id, skill, version_id, state, tries, lease_until, created_at)
       select 'default', 'development', 'shr_lost_' || n, 'dep_gone', $1, 'tsk_lost_' || n, 'say', 'ver_gone', 'running', 1, now() - interval '1 hour', now()
       from generate_series(1, 250) n`,
      [agent],
    );
    expect(await sweep(task)).toMatchObject({ task, deployment });
    for (let look = 0; look < 2; look++) await sweep(task);
    const open = "select from shadow_runs where deployment_id = 'dep_gone' and state = 'running'";
    expect((await app.pool.query(open)).rowCount).toBe(0);
  });
});

describe("a worker that stalled longer than its lease", () => {
  /** A run that a first worker has begun, and a second one has taken up since. */
  async function takenOver(first: () => Promise<SkillOutcome>) {
    const { task } = await endedTask();
    const stalled = (await jobOf(first))(task);
    await vi.waitFor(async () => expect(await rowsOf(task)).toHaveLength(1));
    await lapse(task);
    void (await jobOf(never))(task);
    await vi.waitFor(async () => expect((await rowsOf(task))[0]).toMatchObject({ tries: 2 }));
    return { task, stalled };
  }
  const usage = { steps: 1, tokens: 1, costUsd: 0.5, ms: 1 };

  it.each([
    ["give it back", () => breaks()],
    ["end it", () => says()],
    [
      "skip it",
      async () => ({ kind: "failed" as const, failure: { code: "provider_unavailable", detail: "arranged" }, usage }),
    ],
  ])("cannot %s: another one has the run", async (_what, finish) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const { task, stalled } = await takenOver(() => promise.then(finish));
    const before = await rowsOf(task);
    resolve();
    await stalled.catch(() => undefined);
    expect(await rowsOf(task)).toEqual(before);
  });

  it("holds the run by its claim only, which the next claim ends", async () => {
    const { agent, deployment, task } = await endedTask();
    const db = createReader(app.pool);
    const scope = { organization: "default", environment: "development" } as const;
    const at = { ...scope, task, deployment, agent, version: "ver_2", skill: "say", limitUsd: 0.1, liveUsd: 0 };
    const claim = async () => (await claimShadowRun(db, at, createIds(systemClock)("shr"))) as HeldShadowRun;
    const first = await claim();
    await lapse(task);
    const second = await claim();
    expect([first.id, first.attempt, second.attempt]).toEqual([second.id, 1, 2]);
    const before = await rowsOf(task);
    const side = { status: "completed" as const, output: null, failure: null, calls: [] };
    const comparison = compareSides(side, side);
    expect(await renewShadowRun(db, first)).toBe(false);
    await giveBackShadowRun(db, first, new Error("broke off"));
    await skipShadowRun(db, first, { reason: "time_limit" });
    await endShadowRun(db, first, { live: side, shadow: side, comparison, liveUsd: 1, usd: 1, liveMs: 1, ms: 1 });
    expect(await rowsOf(task)).toEqual(before);
    expect(await renewShadowRun(db, second)).toBe(true);
  });

  it("does not renew the other one's lease, and stops", async () => {
    const stopped = ({ signal }: { signal: AbortSignal }) =>
      new Promise<SkillOutcome>((_resolve, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason));
      });
    const { task } = await endedTask();
    const stalled = (await jobOf(stopped, { renewMs: 20 }))(task);
    await vi.waitFor(async () => expect(await rowsOf(task)).toHaveLength(1));
    const taken =
      "update shadow_runs set attempt = attempt + 1, tries = 2, lease_until = '2100-01-01' where task_id = $1";
    await app.pool.query(taken, [task]);
    const before = await rowsOf(task);
    await stalled;
    expect(await rowsOf(task)).toEqual(before);
  });
});
