import { defineProblem } from "../../kernel/errors.ts";

export const agentNotDeployed = defineProblem({
  code: "agent_not_deployed",
  status: 409,
  title: "The agent is not deployed here",
  cause: "The agent exists, but no version of it is deployed in the environment of the key.",
  remedy: "Deploy a version in this environment, or use a key of an environment in which the agent is deployed.",
  retryable: false,
});

export const inputIsBound = defineProblem({
  code: "input_is_bound",
  status: 409,
  title: "The input cannot be changed",
  cause: "The input is under approval: people decide about exactly the input that the task was dispatched with.",
  remedy: "Change the input only when a reviewer requested changes; otherwise cancel the task and dispatch it again.",
  retryable: false,
});
