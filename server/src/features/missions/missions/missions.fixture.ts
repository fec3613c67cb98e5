import { expect } from "vitest";
import type { TestApp } from "../../../testing/app.ts";
import { type ScriptedTurn, scriptedModel, shownResults } from "../../../testing/models.ts";
import { eventually } from "../../../testing/tasks.ts";

// An agent that judges leads and writes to them, leads as a customer list, and steps of a mission's life.

const lead = { lead_id: { type: "string", pattern: "^ld_" } };

/** Looking a lead up costs a cent; writing needs approval if the mission says so. */
export const outreach = {
  agent: "outreach",
  description: "Judges leads and writes to them.",
  model: { provider: "builtin" },
  knowledge: ["leads"],
  tools: [
    { name: "get_lead", kind: "record", base: "leads", effect: "read", cost_usd: 0.01 },
    {
      name: "send_mail",
      kind: "http",
      effect: "write",
      impact: { reversible: true },
      arguments: { type: "object", properties: { to: { type: "string" } } },
      request: { method: "POST", url: "https://mail.example.com/send" },
    },
  ],
  skills: [
    {
      name: "qualify_lead",
      input: { type: "object", required: ["lead_id", "minutes"], properties: { ...lead, minutes: { type: "number" } } },
      output: {
        type: "object",
        required: ["qualified", "score"],
        properties: { qualified: { type: "boolean" }, score: { type: "number" } },
      },
      tools: ["get_lead"],
      impact: { reversible: true },
      limits: { cost_usd: 0.02 },
    },
    {
      name: "write_mail",
      input: { type: "object", required: ["lead_id"], properties: lead, additionalProperties: false },
      output: { type: "object", required: ["subject"], properties: { subject: { type: "string" } } },
      tools: ["send_mail"],
      impact: { reversible: true },
      limits: { cost_usd: 0.01 },
    },
  ],
};

export async function deployOutreach(app: TestApp, base = "leads", model: object = outreach.model): Promise<void> {
  const tools = outreach.tools.map((tool) => ("base" in tool ? { ...tool, base } : tool));
  for (const [path, body] of [
    ["/v1/agents", { ...outreach, model, knowledge: [base], tools }],
    ["/v1/agents/outreach/versions", {}],
    ["/v1/agents/outreach/deployments", { version: 1 }],
  ] as const) {
    const answered = await app.call("POST", path, { body });
    expect(answered.status, answered.text).toBeLessThan(300);
  }
}

/** Looks the lead up and judges it by its minutes; writes a mail; or gives an output that the skill refuses. */
export const outreachModel = (fails: () => boolean = () => false) =>
  scriptedModel((_turn, given): ScriptedTurn => {
    const user = given.prompt.find(({ role }) => role === "user");
    const part = Array.isArray(user?.content) ? user.content[0] : undefined;
    const input =
      part?.type === "text" ? (JSON.parse(part.text) as { lead_id: string; minutes?: number }) : { lead_id: "" };
    if (fails()) return { text: "{}" };
    if (input.minutes === undefined) return { text: JSON.stringify({ subject: `For ${input.lead_id}` }) };
    if (!("get_lead" in shownResults(given)))
      return { calls: [{ tool: "get_lead", input: { lead_id: input.lead_id } }] };
    return { text: JSON.stringify({ qualified: input.minutes > 5, score: input.minutes / 100 }) };
  });

/** Leads with made-up minutes on the website, more for later ones. */
export const leads = (count: number) =>
  Array.from({ length: count }, (_none, at) => ({ lead_id: `ld_${1001 + at}`, minutes: at }));

export const missionOf = (count: number, best: number, budget: object) => ({
  goal: `Qualify ${count} leads and write to the best ${best}.`,
  measure: { skill: "write_mail", where: "feedback.accepted == true", aggregate: "count", target: best },
  agents: ["outreach"],
  budget,
  autonomy: "approve_writes",
  inputs: { leads: leads(count) },
});

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
type Body = any;

export async function ok(app: TestApp, method: string, path: string, body?: object): Promise<Body> {
  const answered = await app.call(method, path, { ...(body && { body }) });
  expect(answered.status, answered.text).toBeLessThan(300);
  return answered.body;
}

export const readMission = (app: TestApp, mission: string): Promise<Body> => ok(app, "GET", `/v1/missions/${mission}`);

export const untilStatus = async (app: TestApp, mission: string, status: string): Promise<Body> => {
  await eventually(async () => expect(await readMission(app, mission)).toMatchObject({ status }));
  return readMission(app, mission);
};

export async function tasksOf(app: TestApp, mission: string, step: string): Promise<Body[]> {
  return (await ok(app, "GET", `/v1/missions/${mission}/tasks?step=${step}&limit=100`)).data.reverse();
}
