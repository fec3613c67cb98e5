import { beforeAll, expect, it } from "vitest";
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
import { scriptedModel } from "../../src/testing/models.ts";
import { eventually } from "../../src/testing/tasks.ts";
import { useWorkerProcess } from "../../src/testing/worker.ts";

const app = useApp({ role: "api" });
const process = useWorkerProcess(app);

beforeAll(async () => {
  await process.worker({ model: scriptedModel(() => ({ text: "{}" })) });
});

interface Arranged extends Cast {
  readonly agent: string;
}

async function arranged(environment: Cast["environment"]): Promise<Arranged> {
  const cast = await castIn(app, environment);
  const agent = await payingAgent(app, cast);
  await process.refresh();
  return { ...cast, agent };
}

const step = (agent: string, id = "settle", more: object = {}) => ({
  id,
  agent,
  skill: "settle",
  inputs: { input: { amount: "input.amount" } },
  ...more,
});

async function create(by: Person, agent: string): Promise<string> {
  const measure = { skill: "settle", where: "status == 'completed'", aggregate: "count", target: 1 };
  const budget = { cost_usd: 5, tasks: 10 };
  const body = { goal: "Settle it.", measure, agents: [agent], budget, autonomy: "within_limits" };
  return (await must(app, 201, by, "POST", "/v1/missions", { ...body, inputs: { amount: 240 } })).mission_id;
}

const plan = (by: Person, mission: string, body: object) =>
  must(app, 201, by, "POST", `/v1/missions/${mission}/plan`, body);
const start = (by: Person, mission: string) => must(app, 202, by, "POST", `/v1/missions/${mission}/start`, {});
const read = (by: Person, mission: string) => must(app, 200, by, "GET", `/v1/missions/${mission}`);

/** The task of a mission's step that waits for people. */
const waiting = (mission: string, at = "settle"): Promise<string> =>
  eventually(async () => {
    const { rows } = await app.pool.query<{ id: string }>(
      `select t.id from tasks t join workflow_runs r on r.id = t.run_id
       where r.mission = $1 and t.run_step like $2 and t.status = 'awaiting_approval' order by t.id desc limit 1`,
      [mission, `${at}%`],
    );
    expect(rows).toHaveLength(1);
    return rows[0]?.id as string;
  });

/** The first persons are refused, the last one approves. */
async function onlyLastApproves(task: string, ...persons: readonly Person[]): Promise<void> {
  const said = [];
  for (const person of persons) said.push(await approveBy(app, person, task));
  expect(said).toEqual([...persons.slice(1).map(() => "four_eyes"), "approved"]);
}

it.each(strictEnvironments)(
  "the author of the plan of another's mission does not approve its task, in %s",
  async (at) => {
    const { agent, alice, bob, carol } = await arranged(at);
    const mission = await create(alice, agent);
    await plan(bob, mission, { steps: [{ ...step(agent), inputs: { input: { amount: "9000" } } }] });
    await start(alice, mission);
    await onlyLastApproves(await waiting(mission), bob, alice, carol);
  },
);

it.each(strictEnvironments)("the giver of a mission's inputs does not approve its task, in %s", async (at) => {
  const { agent, alice, bob, carol } = await arranged(at);
  const mission = await create(alice, agent);
  await must(app, 200, bob, "PATCH", `/v1/missions/${mission}`, { inputs: { amount: 9000 } });
  await plan(alice, mission, { steps: [step(agent)] });
  await start(alice, mission);
  await onlyLastApproves(await waiting(mission), bob, alice, carol);
});

it.each(strictEnvironments)("the author of a mission's template does not approve its task, in %s", async (at) => {
  const { agent, alice, bob, carol } = await arranged(at);
  const template = { name: `weekly-${at}-${agent}`, steps: [step(agent)] };
  await must(app, 201, bob, "POST", "/v1/missions/templates", template);
  const mission = await create(alice, agent);
  await plan(alice, mission, { template: template.name });
  await start(alice, mission);
  await onlyLastApproves(await waiting(mission), bob, alice, carol);
});

it.each(strictEnvironments)("the deciders of a mission do not approve tasks of its clone, in %s", async (at) => {
  const { agent, alice, bob, carol } = await arranged(at);
  const mission = await create(bob, agent);
  await plan(bob, mission, { steps: [step(agent)] });
  const clone = await must(app, 201, alice, "POST", `/v1/missions/${mission}/clone`, {});
  await start(alice, clone.mission_id);
  await onlyLastApproves(await waiting(clone.mission_id), bob, alice, carol);
});

/** Starts a mission of two steps, the second after the first. */
async function twoSteps(by: Person, agent: string): Promise<string> {
  const mission = await create(by, agent);
  await plan(by, mission, { steps: [step(agent), step(agent, "then", { depends_on: ["settle"] })] });
  await start(by, mission);
  return mission;
}

it.each(strictEnvironments)("whoever answers a mission's question does not approve what follows, in %s", async (at) => {
  const { agent, alice, bob, carol } = await arranged(at);
  const mission = await twoSteps(alice, agent);
  const first = await waiting(mission);
  const asked = { question: "Go on?", blocks: true };
  const { decision_id } = await must(app, 201, alice, "POST", `/v1/missions/${mission}/decisions`, asked);
  await must(app, 200, bob, "POST", `/v1/missions/${mission}/decisions/${decision_id}`, { answer: "yes" });
  expect(await approveBy(app, carol, first)).toBe("approved");
  await onlyLastApproves(await waiting(mission, "then"), bob, alice, carol);
});

it.each(strictEnvironments)(
  "whoever started a mission before somebody else did does not approve, in %s",
  async (at) => {
    const { agent, alice, bob, carol } = await arranged(at);
    const mission = await twoSteps(alice, agent);
    const first = await waiting(mission);
    await must(app, 200, alice, "POST", `/v1/missions/${mission}/pause`, {});
    await start(bob, mission);
    expect(await approveBy(app, carol, first)).toBe("approved");
    const next = await waiting(mission, "then");
    expect((await app.pool.query("select principal from tasks where id = $1", [next])).rows).toEqual([
      { principal: bob.memberId },
    ]);
    await onlyLastApproves(next, alice, bob, carol);
  },
);

it.each(strictEnvironments)("whoever adds a task to a mission does not approve it, in %s", async (at) => {
  const { agent, alice, bob, carol } = await arranged(at);
  const mission = await twoSteps(alice, agent);
  const task = { agent, skill: "settle", input: { amount: 9000 } };
  await must(app, 202, bob, "POST", `/v1/missions/${mission}/tasks`, task);
  await onlyLastApproves(await waiting(mission, "by_hand"), bob, carol);
});

const verbs = ["reject", "cancel"] as const;

it.each(strictEnvironments.flatMap((at) => verbs.map((verb) => [verb, at] as const)))(
  "whoever would %s a mission's task puts no words of theirs into its plans and events, in %s",
  async (verb, at) => {
    const { agent, alice, bob } = await arranged(at);
    const mission = await twoSteps(alice, agent);
    const task = await waiting(mission);
    const { digest } = await must(app, 200, bob, "GET", `/v1/approvals/${task}`);
    const reason = "240 to 4711";
    if (verb === "reject") await must(app, 200, bob, "POST", `/v1/approvals/${task}/reject`, { reason, digest });
    else await must(app, 202, bob, "POST", `/v1/tasks/${task}/cancel`, { reason });
    const blocked = await eventually(async () => {
      const shown = await read(alice, mission);
      expect(shown.status).toBe("blocked");
      return shown;
    });
    expect(JSON.stringify(blocked)).not.toContain("4711");
    const { rows } = await app.pool.query("select body from events where body::text like $1", [`%${mission}%`]);
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toContain("4711");
  },
);

it.each(strictEnvironments)(
  "a mission whose starter was removed is not planned again but blocks and says so, in %s",
  async (at) => {
    const { agent, alice, bob, carol } = await arranged(at);
    const mission = await twoSteps(alice, agent);
    await waiting(mission);
    await app.pool.query("update members set removed_at = now() - interval '1 second' where id = $1", [alice.memberId]);
    const fails = `update workflow_steps s set status = 'failed' from workflow_runs r where r.id = s.run_id and r.mission = $1 and s.step = 'settle'`;
    await app.pool.query(fails, [mission]);
    const run =
      "update workflow_runs set status = 'failed', finished_at = now() where mission = $1 returning id, organization";
    const [ended] = (await app.pool.query(run, [mission])).rows;
    const { settleMission } = await import("../../src/features/missions/missions/operations/settle-mission.ts");
    await process.inside(settleMission, { ...app.scope, environment: at }, { mission, run: ended.id });
    const blocked = await read(bob, mission);
    expect(blocked).toMatchObject({ status: "blocked", next_decision: { kind: "failure" } });
    expect(blocked.next_decision.question).toMatch(/owner was removed.*Whoever may run missions can start it again/);
    await start(bob, mission);
    const task = await eventually(async () => {
      const { rows } = await app.pool.query(
        "select t.id from tasks t join workflow_runs r on r.id = t.run_id where r.mission = $1 and r.finished_at is null",
        [mission],
      );
      expect(rows).toHaveLength(1);
      return rows[0].id as string;
    });
    const { rows } = await app.pool.query("select principal, deciders from tasks where id = $1", [task]);
    expect(rows[0].principal).toBe(bob.memberId);
    expect(rows[0].deciders.map(({ id }: { id: string }) => id)).toContain(alice.memberId);
    await onlyLastApproves(task, bob, carol);
  },
);
