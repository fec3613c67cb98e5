import type { WorkflowDefinition } from "@aos/workflow";
import type { Finding, Workflow, WorkflowRelease, WorkflowSummary, WorkflowVersionSummary } from "./schemas.ts";

export const exampleDefinition: WorkflowDefinition = {
  workflow: "refund",
  description: "Judges a request for a refund, asks people above an amount, and pays.",
  input: {
    type: "object",
    required: ["order_id", "message"],
    properties: {
      order_id: { type: "string", pattern: "^or_", maxLength: 64 },
      message: { type: "string", pattern: "^[^\\u0000]*$", maxLength: 2000 },
    },
  },
  steps: [
    { id: "judge", agent: { name: "support", skill: "judge_refund", input: { message: "input.message" } } },
    {
      id: "ask",
      when: "steps.judge.output.amount > 100.0",
      approval: { title: "'Refund ' + input.order_id", risk: "high", expires: "2d" },
    },
    {
      id: "pay",
      tool: {
        agent: "support",
        name: "issue_refund",
        arguments: { order: "input.order_id", amount: "steps.judge.output.amount" },
      },
    },
  ],
  output: { refunded: "steps.pay.output.amount" },
};

export const exampleSummary: WorkflowSummary = {
  name: "refund",
  description: "Judges a request for a refund, asks people above an amount, and pays.",
  owner: "mbr_01jd8x0000000000000000000e",
  status: "live",
  live_version: 2,
  latest_version: 2,
  paused: false,
  success_rate: { rate: 0.96, low: 0.911, high: 0.986, runs: 125 },
  last_run: { run_id: "wfr_01jd8x0000000000000000000f", status: "waiting", created_at: "2026-11-20T09:30:00.000Z" },
  revision: 4,
  created_at: "2026-11-18T09:00:00.000Z",
  updated_at: "2026-11-20T09:00:00.000Z",
};

export const exampleWorkflow: Workflow = {
  ...exampleSummary,
  draft: exampleDefinition,
  version: null,
  findings: [],
  pause: null,
  archived: null,
};

export const exampleDraft: Workflow = {
  ...exampleWorkflow,
  status: "draft",
  live_version: null,
  latest_version: null,
  success_rate: null,
  last_run: null,
  revision: 1,
};

export const exampleVersion: WorkflowVersionSummary = {
  workflow: "refund",
  number: 2,
  version_id: "wfv_01jd8x0000000000000000000c",
  digest: "5f0c1d6c6e1b2a3948576a6b7c8d9e0f112233445566778899aabbccddeeff00",
  note: "Asks people above 100 dollars.",
  author: "mbr_01jd8x0000000000000000000e",
  created_at: "2026-11-20T09:00:00.000Z",
  live: true,
};

export const exampleRelease: WorkflowRelease = {
  ...exampleVersion,
  definition: exampleDefinition,
  pinned: {},
  release_id: "wrl_01jd8x0000000000000000000d",
  kind: "publish",
  previous_version: 1,
  findings: [],
};

export const exampleFinding: Finding = {
  severity: "error",
  pointer: "/steps/0/agent",
  code: "not_there",
  detail: "There is no agent support. Did you mean suport?",
};
