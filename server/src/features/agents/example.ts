import type { Agent } from "./schemas.ts";

/** An agent for the description and the documentation. */
export const exampleAgent: Agent = {
  agent: "sales",
  description: "Qualifies and prepares inbound leads.",
  owner: "mbr_01jd8x0000000000000000000e",
  labels: ["sample"],
  status: "deployed",
  deployment: {
    deployment_id: "dep_01jd8x0000000000000000000f",
    version: 1,
    version_id: "ver_01jd8x0000000000000000000c",
    since: "2026-11-20T09:00:00.000Z",
  },
  definition: {
    description: "Qualifies and prepares inbound leads.",
    model: { provider: "builtin" },
    knowledge: ["leads"],
    tools: [{ name: "get_lead", kind: "record", base: "leads", effect: "read" }],
    skills: [
      {
        name: "qualify_lead",
        input: { type: "object", required: ["lead_id"], properties: { lead_id: { type: "string", pattern: "^ld_", maxLength: 64 } } },
        output: {
          type: "object",
          properties: { qualified: { type: "boolean" }, reason: { type: "string", maxLength: 2000, pattern: "^[^\\u0000]*$" } },
        },
        tools: ["get_lead"],
        subject: "lead_id",
        impact: { money: 0, data: "personal", reversible: true, external: false },
        limits: { steps: 12, seconds: 120, tokens: 20000, cost_usd: 0.2 },
      },
    ],
  },
  revision: 1,
  created_at: "2026-11-20T09:00:00.000Z",
  updated_at: "2026-11-20T09:00:00.000Z",
};
