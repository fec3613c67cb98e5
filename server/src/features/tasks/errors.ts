import { defineProblem } from "../../kernel/errors.ts";

export const agentNotDeployed = defineProblem({
  code: "agent_not_deployed",
  status: 409,
  title: "The agent is not deployed here",
  cause: "The agent exists, but no version of it is deployed in the environment of the key.",
  remedy: "Deploy a version of the agent in this environment, or use a key of an environment in which it is deployed.",
  retryable: false,
});

export const resultNotIntact = defineProblem({
  code: "result_not_intact",
  status: 500,
  title: "The result is not what was recorded",
  cause:
    "What a task ended with, or what a step answered, is sealed by the service and committed to in the audit log. What stands in the database does not fit its seal: " +
    "it was changed there, or restored under another AOS_SECRET_KEY.",
  remedy:
    "Find out who can write to the database. Restore the row from a backup from after the task ended; the proof of the record in `result_ref` shows which result is the true one. " +
    "Without a backup, dispatch the work again.",
  retryable: false,
});
