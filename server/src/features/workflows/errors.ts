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

export const expressionFailed = defineProblem({
  code: "expression_failed",
  status: 409,
  title: "An expression of the step came to nothing",
  cause: "An expression in the input of the step's call reads what is not there, or mixes types.",
  remedy: "Publish a version of the workflow whose expression fits, or retry the run from the step with another input.",
  retryable: false,
});

export const workflowNotThere = defineProblem({
  code: "workflow_not_there",
  status: 409,
  title: "The step's workflow is not there",
  cause: "The workflow that the step starts has no such version, or none that is live in this environment.",
  remedy: "Publish the workflow that the step starts, then retry the run from the step.",
  retryable: false,
});

export const tooDeep = defineProblem({
  code: "too_deep",
  status: 409,
  title: "Workflows are nested too deep",
  cause: "A run of a workflow started another, and so on, more than 10 deep.",
  remedy: "Use a loop in place of a workflow that starts itself.",
  retryable: false,
});

export const costLimit = defineProblem({
  code: "cost_limit",
  status: 409,
  title: "The run has used up its budget",
  cause: "What the run has cost and what its steps may still cost leave nothing within limits.cost_usd.",
  remedy: "Publish a version of the workflow with a higher limit, then retry the run from the step.",
  retryable: false,
});

export const costReserved = defineProblem({
  code: "cost_reserved",
  status: 409,
  title: "The rest of the run's budget is reserved",
  cause: "Other steps of the run that are under way may still cost all that is left within limits.cost_usd.",
  remedy: "Nothing: the step begins once one of them has ended.",
  retryable: true,
});
