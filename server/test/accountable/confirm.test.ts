import { beforeAll, expect, it } from "vitest";
import { scheduleSweep } from "../../src/features/schedules/sweep.ts";
import { approveBy, type Cast, castIn, must, payingAgent, strictEnvironments } from "../../src/testing/actors.ts";
import { useApp } from "../../src/testing/app.ts";
import { eventually } from "../../src/testing/tasks.ts";
import { useWorkerProcess } from "../../src/testing/worker.ts";
import { confirmBy, contentCalls } from "./content.fixture.ts";
import { asked, forgetWorkflow, hear, hookOf, payingWorkflow, send, triggerOf } from "./triggers.fixture.ts";

// Rule B of decision 0064: with one look of a second person, two people suffice. Of a dataset: content.test.ts.

const app = useApp({ role: "api" });
const process = useWorkerProcess(app);
const { ask, patch, release } = contentCalls(app, process);
beforeAll(async () => {
  await process.worker();
});

/** Content that Alice decided alone. Of what acts later Carol is the owner, who always counts as asking, and who has decided nothing of it. */
interface Decided {
  readonly object: string;
  /** Who confirms it. */
  readonly confirmer?: "carol";
  /** Has an agent act on it; the task, which waits for people. */
  ask(): Promise<string>;
}

const https = "https://pay.example.com";

const kinds: Readonly<Record<string, (cast: Cast) => Promise<Decided>>> = {
  "version of an agent": async (cast) => {
    const agent = await payingAgent(app, cast);
    await patch(agent, cast.alice, { instructions: "Pay at once." });
    await release(agent, cast, { frozen: cast.alice, deployed: cast.alice });
    return { object: `agent:${agent}@2`, ask: () => ask(agent, cast.bob) };
  },
  connection: async (cast) => {
    const name = `bank-${cast.environment}`;
    const connection = { name, kind: "http", secret: "a-secret-of-the-bank", base_url: https };
    await must(app, 201, cast.alice, "POST", "/v1/admin/connections", connection);
    const agent = await payingAgent(app, cast, `${https}/pay`, name);
    return { object: `connection:${name}`, ask: () => ask(agent, cast.bob) };
  },
  schedule: async (cast) => {
    const agent = await payingAgent(app, cast);
    const work = { task: "settle", input: { amount: 240 }, schedule: "0 0 1 1 *", overlap: "cancel_previous" };
    const { schedule_id: id } = await must(app, 201, cast.alice, "POST", `/v1/agents/${agent}/schedules`, work);
    await must(app, 200, cast.carol, "POST", "/v1/governance/take-overs", { object: `schedule:${id}` });
    return { object: `schedule:${id}`, confirmer: "carol", ask: () => fired(id) };
  },
  trigger: async (cast) => {
    const agent = await payingAgent(app, cast);
    const hook = await hookOf(app, cast.bob);
    const triggers = [{ hook: hook.name, map: { amount: "event.amount" } }];
    const workflow = await payingWorkflow(app, cast.alice, { agent, triggers });
    await forgetWorkflow(app, workflow);
    const object = `trigger:${(await triggerOf(app, cast, workflow)).trigger_id}`;
    await must(app, 200, cast.carol, "POST", "/v1/governance/take-overs", { object });
    let before: string | null = null;
    const heard = async () => {
      await send(app, hook, { amount: 240 });
      await hear(app, process);
      before = await asked(app, workflow, before);
      return before;
    };
    return { object, confirmer: "carol", ask: heard };
  },
  "version of a workflow": async (cast) => {
    const agent = await payingAgent(app, cast);
    const workflow = await payingWorkflow(app, cast.alice, { agent, triggers: [], amount: "240.0" });
    let before: string | null = null;
    const run = async () => {
      await must(app, 202, cast.bob, "POST", `/v1/workflows/${workflow}/runs`, { input: {} });
      before = await asked(app, workflow, before);
      return before;
    };
    return { object: `workflow:${workflow}@1`, ask: run };
  },
};

/** Makes a schedule due and lets it dispatch; the task. */
async function fired(schedule: string): Promise<string> {
  const label = `schedule:${schedule}`;
  const tasks = async () => (await app.pool.query("select id from tasks where $1 = any(labels)", [label])).rows;
  const before = await tasks();
  await process.refresh();
  const minute = Math.floor(Date.now() / 60_000) - 10 + before.length;
  await app.pool.query("update agent_schedules set next_at = $2 where id = $1", [schedule, new Date(minute * 60_000)]);
  await process.sweeperWith([scheduleSweep]).sweep();
  return eventually(async () => {
    const made = (await tasks()).find(({ id }) => before.every((one) => one.id !== id));
    expect(made).toBeDefined();
    return made?.id;
  });
}

const all = (["staging", ...strictEnvironments] as const).flatMap((at) =>
  Object.entries(kinds).map(([kind, decide]) => ({ kind, decide, at })),
);

it.each(all)(
  "whoever decided a $kind approves what it does once a second person has confirmed it, and not before, in $at",
  async ({ decide, at }) => {
    const cast = await castIn(app, at);
    const { object, confirmer = "bob", ask: askNow } = await decide(cast);
    expect(await approveBy(app, cast.alice, await askNow())).toBe("four_eyes");
    await confirmBy(app, cast[confirmer], object);
    await process.refresh();
    expect(await approveBy(app, cast.alice, await askNow())).toBe("approved");
  },
);
