import type { Static } from "typebox";
import type { AgentTools, ToolTest } from "./schemas.ts";

export const exampleTools: Static<typeof AgentTools> = {
  agent: "sales",
  version: null,
  tools: [
    {
      tool: "get_lead",
      definition: { name: "get_lead", kind: "record", base: "leads", effect: "read" },
      effect: "read",
      runnable: true,
      skills: ["qualify_lead"],
      permission: "allowed",
      reasons: [],
      approval: { mode: "never", approvers: 0, reasons: [] },
      risk: "low",
      credentials: null,
      last_used_at: "2026-11-20T09:30:00.000Z",
      last_failed_at: null,
      last_failure: null,
    },
  ],
};

export const exampleToolTest: ToolTest = {
  tool: "get_lead",
  version: null,
  skill: "qualify_lead",
  effect: "read",
  permission: "allowed",
  reasons: [],
  approval: { mode: "never", approvers: 0, reasons: [] },
  called: true,
  why_not: null,
  request: null,
  output: { id: "ld_1001", base: "leads", fields: { company: "Acme" } },
  failure: null,
  milliseconds: 4,
};
