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

export const runNotPermitted = defineProblem({
  code: "run_not_permitted",
  status: 403,
  title: "Who started the run may not do this any more",
  cause:
    "A step acts on behalf of who started its run, and is checked when it begins: they were removed, their key was revoked or has expired, or their role, scopes or agents changed.",
  remedy: "Have somebody who may run the workflow start it again, or retry the run from the step.",
  retryable: false,
});
