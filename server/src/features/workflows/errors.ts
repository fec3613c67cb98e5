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

export const workflowNotLive = defineProblem({
  code: "workflow_not_live",
  status: 409,
  title: "The workflow has no live version here",
  cause: "A run was asked for of a workflow that has not been published in this environment.",
  remedy: "Publish a version (POST /v1/workflows/{workflow}/publish), then repeat the call.",
  retryable: false,
});

export const runAlreadyOpen = defineProblem({
  code: "run_already_open",
  status: 409,
  title: "A run with this business key is open",
  cause: "The workflow allows one open run per business key, and the run `run_id` has this one.",
  remedy: "Wait until that run is over, or cancel it.",
  retryable: true,
});

export const concurrencyFull = defineProblem({
  code: "concurrency_full",
  status: 409,
  title: "As many runs as the workflow allows are open",
  cause:
    "`concurrency` of the workflow bounds how many runs with one key go on at once, and says `reject` where that is reached.",
  remedy: "Wait until one of `runs` is over, cancel one, or publish a version with another `concurrency`.",
  retryable: true,
});
