import { defineProblem } from "../../kernel/errors.ts";

export const agentNotLive = defineProblem({
  code: "agent_not_live",
  status: 409,
  title: "The step's agent is not deployed here",
  cause: "A step of the workflow calls an agent that has no deployed version in this environment.",
  remedy: "Deploy a version of the agent (POST /v1/agents/{agent}/deploy), then retry the run from the step.",
  retryable: false,
});

export const invalidCall = defineProblem({
  code: "invalid_call",
  status: 409,
  title: "The step's call does not fit its agent",
  cause:
    "The deployed version of the agent has no such skill or tool, or does not take the input that the step came to.",
  remedy: "Publish a version of the workflow that fits the agent, or retry the run from the step with another input.",
  retryable: false,
});
