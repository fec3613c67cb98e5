import { beforeAll, expect, it } from "vitest";
import { useApp } from "../../../testing/app.ts";
import { deployOutreach, leads, missionOf, ok, outreach } from "../missions/missions.fixture.ts";

const app = useApp();
beforeAll(() => deployOutreach(app));

const qualifying = (agent: string, count: number) => [
  {
    id: "qualify",
    agent,
    skill: "qualify_lead",
    inputs: { each: "input.leads", input: { lead_id: "item.lead_id", minutes: "item.minutes" }, at_most: count },
  },
];

async function planned(agent: string, count = 2, usd = 1) {
  const body = {
    ...missionOf(count, 1, { cost_usd: usd, tasks: 20 }),
    agents: [agent],
    inputs: { leads: leads(count) },
  };
  const { mission_id } = await ok(app, "POST", "/v1/missions", body);
  const plan = await ok(app, "POST", `/v1/missions/${mission_id}/plan`, { steps: qualifying(agent, count) });
  return { mission: mission_id as string, plan };
}

/** Tasks of the skill that completed at these costs, and others that people rejected before they ran. */
async function pastTasks(costs: readonly number[], rejected: number): Promise<void> {
  const items = leads(costs.length + rejected).map((lead) => ({ agent: "outreach", task: "qualify_lead", ...lead }));
  const { results } = await ok(app, "POST", "/v1/tasks/batch", { items });
  for (const [at, { body }] of results.entries()) {
    const cost = costs[at];
    await app.pool.query(
      `update tasks set status = $2, cost_usd = $3, started_at = case when $2 = 'completed' then now() end, finished_at = now()
       where id = $1`,
      [body.task_id, cost === undefined ? "rejected" : "completed", cost ?? 0],
    );
  }
}

it("expects the limit of a skill of which neither past tasks nor the model's cost are known, and says so", async () => {
  const connection = {
    kind: "openai-compatible",
    base_url: "https://models.example.com/v1",
    secret: "sk-test-012345678",
  };
  await ok(app, "POST", "/v1/admin/connections", { name: "paid", ...connection });
  const model = {
    provider: "openai-compatible",
    name: "m",
    connection: "paid",
    settings: { base_url: connection.base_url },
  };
  await ok(app, "POST", "/v1/agents", { ...outreach, agent: "costly", model });
  await ok(app, "POST", "/v1/agents/costly/versions", {});
  await ok(app, "POST", "/v1/agents/costly/deployments", { version: 1 });
  const { plan } = await planned("costly", 2, 0.03);
  expect(plan).toMatchObject({
    steps: [{ cost_usd: { value: 0.04, low: 0, high: 0.04 } }],
    findings: [{ code: "over_budget", pointer: "/total/cost_usd" }],
  });
  expect(plan.leaves_open).toContain(
    "What qualify costs and how often it succeeds: there are no past tasks of qualify_lead here. Its limit is taken for its cost.",
  );
});

it("expects the price of its tools before a skill of the built-in model has past tasks, and not its limit", async () => {
  const { plan } = await planned("outreach", 2, 0.03);
  expect(plan).toMatchObject({
    steps: [{ cost_usd: { value: 0.02, low: 0, high: 0.04 }, evidence: { tasks: 0 } }],
    findings: [{ code: "near_budget", severity: "warning" }],
  });
  expect(plan.leaves_open).toContainEqual(
    expect.stringMatching(/no past tasks of qualify_lead here\. One call of each of its tools is taken/),
  );
});

it("expects what tasks that ran cost, also for what is left of a plan that was accepted before", async () => {
  const { mission } = await planned("outreach", 4);
  await ok(app, "POST", `/v1/missions/${mission}/plans/1/accept`, {});
  await pastTasks([0.004, 0.008], 2);
  const { plan } = await planned("outreach", 4);
  expect(plan.steps[0]).toMatchObject({ cost_usd: { value: 0.024 }, evidence: { tasks: 4, succeeded: 2 } });
  const { forecast_usd, by_step } = await ok(app, "GET", `/v1/missions/${mission}/budget`);
  expect({ forecast: forecast_usd.value, planned: by_step[0].planned_usd }).toEqual({ forecast: 0.024, planned: 0.04 });
});
