import { defineProblem } from "../../kernel/errors.ts";

export const agentNotDeployed = defineProblem({
  code: "agent_not_deployed",
  status: 409,
  title: "The agent is not deployed here",
  cause: "The agent exists, but no version of it is deployed in the environment of the key.",
  remedy: "Deploy a version in this environment, or use a key of an environment in which the agent is deployed.",
  retryable: false,
});
