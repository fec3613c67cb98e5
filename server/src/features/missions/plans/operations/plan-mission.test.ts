import { expect, it } from "vitest";
import { missionBody } from "../../../../../test/arrangements/missions.ts";
import { startWireServer } from "../../../../runtime/models/providers/testing.ts";
import { useApp } from "../../../../testing/app.ts";
import { deployOutreach, missionOf } from "../../missions/missions.fixture.ts";

const app = useApp();
const made = async (body: object = missionBody) =>
  (await app.call("POST", "/v1/missions", { body })).body.mission_id as string;
const plan = async (mission: string, body: object = {}) => app.call("POST", `/v1/missions/${mission}/plan`, { body });
const step = (more: object) => ({
  id: "qualify",
  agent: "sales",
  skill: "qualify_lead",
  inputs: { input: { lead_id: "'ld_1001'" } },
  ...more,
});

it("estimates each step from past tasks of its skill, and says what is left open", async () => {
  const { status, body } = await plan(await made({ ...missionBody, inputs: { ...missionBody.inputs, note: "" } }));
  expect(status).toBe(201);
  expect(body).toMatchObject({
    plan: 1,
    origin: "template",
    findings: [],
    steps: [{ id: "qualify_lead", tasks: 2, cost_usd: { value: 0, low: 0, high: 0.4 }, evidence: { tasks: 0 } }],
    total: { tasks: 2, cost_usd: { high: 0.4 } },
    leaves_open: [expect.stringContaining("no past tasks of qualify_lead"), "The input note is not used."],
  });
});

it("finds what keeps a plan from being accepted: agents, budget, expressions, inputs, circles", async () => {
  const mission = await made({ ...missionBody, budget: { cost_usd: 0.1, tasks: 1 } });
  const { body } = await plan(mission, {
    steps: [
      step({ id: "a", agent: "support" }),
      step({ id: "b", inputs: { each: "input.leads", input: { lead: "item" } } }),
      step({ id: "c", inputs: { best: { of: "a", count: 2, by: "item.output.x" }, input: { lead_id: "item.input" } } }),
    ],
  });
  const found = body.findings.map(({ pointer, code }: { pointer: string; code: string }) => `${pointer} ${code}`);
  expect(found).toEqual(
    expect.arrayContaining([
      "/steps/0/agent agent_not_allowed",
      "/steps/2/inputs/best/of no_list",
      "/steps/1 missing",
      "/total/tasks over_budget",
    ]),
  );
  const started = await app.call("POST", `/v1/missions/${mission}/start`, { body: {} });
  expect([started.status, started.body.code]).toEqual([409, "plan_not_acceptable"]);
  const accepted = await app.call("POST", `/v1/missions/${mission}/plans/7/accept`, { body: {} });
  expect([accepted.status, accepted.body.code]).toEqual([409, "plan_not_acceptable"]);
});

it("takes the steps of a template, and clones a mission with its plan on other inputs", async () => {
  const mission = await made();
  expect((await plan(mission, { template: "each-of-a-list" })).body).toMatchObject({ steps: [{ tasks: 2 }] });
  expect((await plan(mission, { template: "none" })).body.errors).toMatchObject([{ pointer: "/template" }]);
  expect((await plan(mission, { template: "none", steps: [step({})] })).status).toBe(422);
  const inputs = { leads: ["ld_1001", "ld_1002", "ld_1003"] };
  const { body } = await app.call("POST", `/v1/missions/${mission}/clone`, { body: { inputs } });
  expect(body).toMatchObject({ cloned_from: mission, proposed_plan: { plan: 1, total: { tasks: 3 } } });
});

it("has a connected model write the plan, corrected once, and never beyond the mission's agents", async () => {
  const answers: string[] = [];
  const asked: string[] = [];
  const server = await startWireServer(({ body }) => {
    asked.push(JSON.stringify(body));
    const message = { role: "assistant", content: answers.shift() ?? "" };
    const usage = { prompt_tokens: 90, completion_tokens: 10, total_tokens: 100 };
    return {
      json: {
        id: "1",
        created: 1,
        model: "any",
        choices: [{ index: 0, message, finish_reason: "stop" }],
        usage,
      },
    };
  });
  const connection = {
    name: "planner",
    kind: "openai-compatible",
    base_url: server.url,
    secret: "sk-test-0123456789abcdef",
  };
  await app.call("POST", "/v1/admin/connections", { body: connection });
  await deployOutreach(app, "leads", {
    provider: "openai-compatible",
    name: "llama",
    connection: "planner",
    settings: { base_url: server.url },
  });
  const mission = await made(missionOf(3, 1, { cost_usd: 1, tasks: 9 }));
  const written = (agent: string) => JSON.stringify({ steps: [step({ id: "mail", agent, skill: "write_mail" })] });
  answers.push(written("sales"), `Here it is:\n\`\`\`json\n${written("outreach")}\n\`\`\``);
  const { body } = await plan(mission);
  expect(body).toMatchObject({ origin: "model", findings: [], steps: [{ id: "mail", agent: "outreach", tasks: 1 }] });
  expect(asked).toHaveLength(2);
  expect(asked[1]).toContain("sales may not work on it");
  answers.push("No.", "No.");
  expect((await plan(mission)).body).toMatchObject({ plan: 2, origin: "template" });
  await server.close();
});
