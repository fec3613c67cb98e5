import { Type } from "typebox";
import { defineOperation, exempt, governs } from "../../../../kernel/operation.ts";
import { AgentName, DraftValidation } from "../../schemas.ts";
import { findAgent, seenAgent } from "../store.ts";
import { validateDraft as check } from "../validation.ts";

export const validateDraft = defineOperation({
  id: "agents.validateDraft",
  method: "POST",
  path: "/v1/agents/{agent}/validate",
  summary: "Validate a draft",
  description:
    "Checks the draft as freezing and deploying would in the environment of the key: its rules, tools that this release cannot run, knowledge bases and connections that are missing. Reports what active policies and the " +
    "declared risk would deny or send to reviewers, and the expected cost of tasks of each skill. Changes nothing.",
  params: Type.Object({ agent: AgentName }),
  output: DraftValidation,
  example: {
    params: { agent: "sales" },
    output: {
      agent: "sales",
      revision: 3,
      valid: true,
      findings: [],
      checked_at: "2026-11-23T09:00:00.000Z",
      verdicts: [
        {
          action: "task.dispatch",
          skill: "qualify_lead",
          tool: null,
          verdict: "allow",
          reasons: [],
          policies: [],
        },
      ],
      costs: [
        {
          skill: "qualify_lead",
          basis: "past_tasks",
          tasks: 120,
          mean_usd: 0.012,
          low: 0.011,
          high: 0.013,
          p90_usd: 0.02,
          mean_seconds: 3.4,
        },
      ],
    },
  },
  permission: "agents:read",
  load: (ctx, { agent }) => findAgent(ctx, agent),
  gate: exempt("makes no agent act"),
  decides: exempt("validates and stores nothing"),
  compliance: governs("agent.read", seenAgent),
  audit: ({ params }) => `agent:${params.agent}`,
  handle: (ctx, { loaded }) => check(ctx, loaded),
});
