import { beforeAll, describe, expect, it } from "vitest";
import { scheduleSweep } from "../../src/features/schedules/sweep.ts";
import {
  approveBy,
  type Cast,
  castIn,
  must,
  type Person,
  payingAgent,
  strictEnvironments,
} from "../../src/testing/actors.ts";
import { useApp } from "../../src/testing/app.ts";
import { useWorkerProcess } from "../../src/testing/worker.ts";
import { accountNamedIn, passings, withdrawals } from "./named.fixture.ts";
import { botKey } from "./triggers.fixture.ts";

const app = useApp({ role: "api" });
const process = useWorkerProcess(app);
beforeAll(async () => {
  await process.worker();
});

type By = Pick<Person, "secret">;
const work = { task: "settle", input: { amount: 240 }, schedule: "* * * * *" };

async function scheduled(agent: string, by: By, more: object = {}): Promise<string> {
  return (await must(app, 201, by, "POST", `/v1/agents/${agent}/schedules`, { ...work, ...more })).schedule_id;
}

/** Makes a schedule due and lets it dispatch; the task, if it made one. */
async function fired(schedule: string): Promise<string | undefined> {
  await process.refresh();
  const at = new Date(Math.floor(Date.now() / 60_000) * 60_000);
  await app.pool.query("update agent_schedules set next_at = $2 where id = $1 and next_at is not null", [schedule, at]);
  await process.sweeperWith([scheduleSweep]).sweep();
  const { rows } = await app.pool.query("select id from tasks where $1 = any(labels)", [`schedule:${schedule}`]);
  return rows[0]?.id;
}

async function arranged(environment: Cast["environment"]) {
  const cast = await castIn(app, environment);
  return { ...cast, agent: await payingAgent(app, cast) };
}

it.each(strictEnvironments)(
  "a schedule's maker does not approve what it dispatches, nor who issued the key by which it was made, in %s",
  async (environment) => {
    const { alice, bob, agent } = await arranged(environment);
    const task = (await fired(await scheduled(agent, await botKey(app, alice)))) as string;
    expect(await approveBy(app, alice, task)).toBe("four_eyes");
    expect(await approveBy(app, bob, task)).toBe("approved");
  },
);

it.each(strictEnvironments)(
  "a schedule's earlier maker does not approve what is left of theirs, in %s",
  async (environment) => {
    const { alice, bob, carol, agent } = await arranged(environment);
    const schedule = await scheduled(agent, alice);
    await must(app, 200, bob, "PATCH", `/v1/agents/${agent}/schedules/${schedule}`, { note: "Bob's." });
    const task = (await fired(schedule)) as string;
    for (const decider of [alice, bob]) expect(await approveBy(app, decider, task)).toBe("four_eyes");
    expect(await approveBy(app, carol, task)).toBe("approved");
  },
);

it.each(strictEnvironments)(
  "a schedule whose maker was removed stops, and goes on once taken over, in %s",
  async (at) => {
    const { alice, bob, carol, agent } = await arranged(at);
    const schedule = await scheduled(agent, alice);
    await must(app, 200, bob, "PUT", `/v1/admin/members/${alice.memberId}`, { role: null });
    expect(await fired(schedule)).toBeUndefined();
    const read = async () => (await must(app, 200, bob, "GET", `/v1/agents/${agent}/schedules`)).data[0];
    expect(await read()).toMatchObject({ next_at: null, stopped_reason: expect.stringContaining("owner was removed") });
    const told = await app.pool.query("select body::json as body from events where type = 'automation.stopped'");
    expect(told.rows.map(({ body }) => body.object)).toContain(`schedule:${schedule}`);
    await must(app, 200, bob, "POST", "/v1/governance/take-overs", { object: `schedule:${schedule}` });
    expect(await read()).toMatchObject({ runs_as: bob.memberId, stopped_reason: null });
    const task = (await fired(schedule)) as string;
    expect(await approveBy(app, bob, task)).toBe("four_eyes");
    expect(await approveBy(app, carol, task)).toBe("approved");
  },
);

describe.each(strictEnvironments)("a schedule with an account that somebody named, in %s", (at) => {
  it.each(withdrawals)("stops and says so: %s", async (_why, withdraw) => {
    const { agent, bob, ...cast } = await arranged(at);
    const { account, memberId, namer } = await accountNamedIn(app, { bob, ...cast });
    const schedule = await scheduled(agent, namer, { as: account });
    await withdraw(app, { account: memberId, namer, environment: at, by: bob });
    expect(await fired(schedule)).toBeUndefined();
    const { data } = await must(app, 200, bob, "GET", `/v1/agents/${agent}/schedules`);
    expect(data[0]).toMatchObject({ next_at: null, stopped_reason: expect.stringContaining("Stopped: ") });
  });

  it.each(passings)("goes on: %s", async (_why, pass) => {
    const { agent, bob, ...cast } = await arranged(at);
    const { account, memberId, namer } = await accountNamedIn(app, { bob, ...cast });
    const schedule = await scheduled(agent, namer, { as: account });
    await pass(app, { account: memberId, namer, environment: at, by: bob });
    expect(await fired(schedule)).toMatch(/^tsk_/);
  });
});
