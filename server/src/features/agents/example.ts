import { joinBundle } from "./definitions/schemas.ts";
import type { Agent, AgentVersion, DefinitionDiff, Deployment } from "./schemas.ts";

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
  paused: null,
  definition: {
    description: "Qualifies and prepares inbound leads.",
    model: { provider: "builtin" },
    knowledge: ["leads"],
    tools: [{ name: "get_lead", kind: "record", base: "leads", effect: "read" }],
    skills: [
      {
        name: "qualify_lead",
        input: {
          type: "object",
          required: ["lead_id"],
          properties: { lead_id: { type: "string", pattern: "^ld_", maxLength: 64 } },
        },
        output: {
          type: "object",
          properties: {
            qualified: { type: "boolean" },
            reason: { type: "string", maxLength: 2000, pattern: "^[^\\u0000]*$" },
          },
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

export const exampleBundle = joinBundle(exampleAgent.agent, exampleAgent.labels, exampleAgent.definition);

export const exampleVersion: AgentVersion = {
  version: 1,
  version_id: "ver_01jd8x0000000000000000000c",
  agent: "sales",
  digest: "5f0c1d6c6e1b2a3948576a6b7c8d9e0f112233445566778899aabbccddeeff00",
  note: "Names the rule that decided.",
  author: "mbr_01jd8x0000000000000000000e",
  created_at: "2026-11-20T09:00:00.000Z",
  based_on: null,
  training: null,
  verdict: { state: "open", reasons: ["no scorer is worse than before"], expires_at: "2026-12-20T09:00:00.000Z" },
  deployed: true,
};

export const exampleDiff: DefinitionDiff = {
  summary: "description changed",
  identical: false,
  before_digest: "5f0c1d6c6e1b2a3948576a6b7c8d9e0f112233445566778899aabbccddeeff00",
  after_digest: "00ffeeddccbbaa998877665544332211f0e9d8c7b6a594837261504f3e2d1c0b",
  effect: { overall: "none", skills: { qualify_lead: "none" } },
  changes: [
    {
      pointer: "/description",
      path: ["description"],
      kind: "changed",
      before: "Qualifies leads.",
      after: "Qualifies and prepares inbound leads.",
      effect: "none",
    },
  ],
};

export const exampleDeployment: Deployment = {
  deployment_id: "dep_01jd8x0000000000000000000f",
  agent: "sales",
  environment: "development",
  version: 1,
  version_id: exampleVersion.version_id,
  state: "live",
  mode: "whole",
  share: 100,
  rule: null,
  budget: null,
  outcome: null,
  stopped_reason: null,
  reason: null,
  compared_with: null,
  revision: 1,
  kind: "deploy",
  note: "Names the rule that decided.",
  gate: { verdict: "allow", reasons: ["open: sales ver_01jd8x0000000000000000000c"] },
  abandoned: false,
  author: "mbr_01jd8x0000000000000000000e",
  created_at: "2026-11-20T09:00:00.000Z",
  ended_at: null,
  ended_by: null,
  replaced_by: null,
  health: { gate: "open", open_tasks: 3, completed_24h: 120, failed_24h: 1 },
};

export const exampleCanary: Deployment = {
  ...exampleDeployment,
  deployment_id: "dep_01jd8x0000000000000000000g",
  version: 2,
  version_id: "ver_01jd8x0000000000000000000d",
  state: "canary",
  mode: "canary",
  share: 10,
  rule: { promote: "by_rule", tolerance: 0.05, most_judged: 1000, least_hours: 0, on_limit: "hold" },
  budget: null,
  note: "Reads the budget from the lead's mail.",
  compared_with: exampleDeployment.deployment_id,
};
