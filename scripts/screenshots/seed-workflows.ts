import { setTimeout } from "node:timers/promises";
import type { Service } from "./service.ts";

type Call = Service["call"];

/** Runs that wait for people, a draft with errors, a hook, and a mission under way. */
export async function workflows(call: Call): Promise<{ readonly run: string; readonly mission: string }> {
  await call("POST", "/v1/workflows", { source });
  await call("POST", "/v1/workflows/lead-intake/publish", { note: "Small leads go straight to their team." });
  await call("POST", "/v1/workflows", { source: draft });
  await call("POST", "/v1/hooks", { name: "shop", description: "The shop's forms." });
  const started = [];
  for (const lead_id of ["ld_1001", "ld_1002", "ld_1003"])
    started.push(await call<{ run_id: string }>("POST", "/v1/workflows/lead-intake/runs", { input: { lead_id } }));
  const [{ run_id: run }] = started as [{ run_id: string }];
  for (const { run_id } of started)
    await until(call, `/v1/workflows/lead-intake/runs/${run_id}`, ["waiting", "failed"]);
  return { run, mission: await mission(call) };
}

const source = `# What happens to a lead that comes in
workflow: lead-intake
description: Qualifies a lead, lets people decide about good ones, and routes it.
input:
  type: object
  required: [lead_id]
  properties:
    lead_id: { type: string, pattern: "^ld_[0-9]{4}$", description: The lead. }
triggers:
  - { event: lead.created, map: { lead_id: event.lead_id } }
  - { schedule: "0 7 * * MON-FRI", time_zone: Europe/Vienna, input: { lead_id: ld_1001 } }
steps:
  - id: qualify
    title: Qualify the lead
    agent: { name: sales, skill: qualify_lead, input: { lead_id: input.lead_id } }
    retry: { attempts: 2, backoff: 5s }
  - id: prepare
    parallel:
      join: all
      branches:
        summary:
          - id: summarize
            title: Summarize it
            agent: { name: sales, skill: summarize_lead, input: { lead_id: input.lead_id } }
        pause:
          - id: cool_down
            wait: { for: 1s }
  - id: decide
    title: Let people decide
    needs: [prepare]
    approval: { title: "'Take lead ' + input.lead_id", agent: sales, risk: medium, expires: 2d }
  - id: route
    title: Route it to a team
    agent: { name: sales, skill: route_lead, input: { lead_id: input.lead_id } }
output: { lead_id: input.lead_id }
limits: { cost_usd: 2.00, duration: 10d }
`;

const draft = `workflow: weekly-report
description: Counts the leads of a week.
steps:
  - id: count
    set: { leads: input.leads * 2 }
  - id: write
    agent: { name: sales, skill: write_report }
`;

async function mission(call: Call): Promise<string> {
  const leads = Array.from({ length: 8 }, (_, at) => ({ lead_id: `ld_${1101 + at}` }));
  const { mission_id } = await call<{ mission_id: string }>("POST", "/v1/missions", {
    goal: "Summarize the leads of the autumn fair, and qualify the three largest after approval, within two dollars.",
    measure: {
      skill: "summarize_lead",
      where: "output.employees >= 100",
      aggregate: "rate",
      target: 0.3,
      direction: "at_least",
    },
    agents: ["sales"],
    budget: { cost_usd: 2, tasks: 40 },
    autonomy: "within_limits",
    inputs: { leads },
  });
  const path = `/v1/missions/${mission_id}`;
  const { plan } = await call<{ plan: number }>("POST", `${path}/plan`, { steps: planSteps });
  await call("POST", `${path}/start`, { plan });
  await call("POST", `${path}/decisions`, {
    question: "Two of these leads are of one company. Should both be summarized?",
    options: [
      { id: "both", label: "Both" },
      { id: "one", label: "Only the larger one" },
    ],
  });
  await setTimeout(4_000);
  await call("POST", "/v1/missions", {
    goal: "Summarize every lead that nobody has answered for a week.",
    measure: { skill: "summarize_lead", aggregate: "count", target: 20, direction: "at_least" },
    agents: ["sales"],
    budget: { cost_usd: 1, tasks: 20 },
    autonomy: "propose",
  });
  return mission_id;
}

const planSteps = [
  {
    id: "summarize",
    title: "Summarize every lead",
    agent: "sales",
    skill: "summarize_lead",
    inputs: { each: "input.leads", at_most: 8, input: { lead_id: "item.lead_id" } },
  },
  {
    id: "qualify",
    title: "Qualify the three largest",
    agent: "sales",
    skill: "qualify_lead",
    inputs: {
      best: { of: "summarize", count: 3, by: "item.output.employees" },
      input: { lead_id: "item.input.lead_id" },
    },
    require_approval: true,
  },
  {
    id: "route",
    title: "Route the first",
    agent: "sales",
    skill: "route_lead",
    depends_on: ["qualify"],
    inputs: { input: { lead_id: "'ld_1101'" } },
  },
];

async function until(call: Call, path: string, statuses: readonly string[]): Promise<void> {
  for (;;) {
    const { status } = await call<{ status: string }>("GET", path);
    if (statuses.includes(status)) return;
    await setTimeout(150);
  }
}
