import type { WorkflowDefinition } from "@aos/workflow";
import type { Finding } from "./checks-schemas.ts";

export const exampleDefinition: WorkflowDefinition = {
  workflow: "refund",
  input: { type: "object", required: ["message"], properties: { message: { type: "string" } } },
  steps: [
    { id: "judge", agent: { name: "support", skill: "judge_refund", input: { message: "input.message" } } },
    {
      id: "pay",
      tool: { agent: "support", name: "issue_refund", arguments: { amount: "steps.judge.output.amount" } },
    },
  ],
};

export const exampleFinding: Finding = {
  severity: "error",
  pointer: "/steps/0/agent",
  code: "not_there",
  detail: "There is no agent support. Did you mean suport?",
};
