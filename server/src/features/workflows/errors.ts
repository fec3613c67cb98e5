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

export const workflowExists = defineProblem({
  code: "workflow_exists",
  status: 409,
  title: "A workflow with this name exists",
  cause:
    "Names of workflows are unique in an organization, across environments, and remain taken after archiving because runs and audit trail use the name.",
  remedy: "Change the draft of the existing workflow with PUT /v1/workflows/{workflow}, or choose another name.",
  retryable: false,
});

export const workflowArchived = defineProblem({
  code: "workflow_archived",
  status: 409,
  title: "The workflow is archived",
  cause:
    "An archived workflow is kept for its runs and its audit trail only: its draft cannot be changed, and nothing of it is published.",
  remedy:
    "Create a new workflow from its draft: POST /v1/workflows with what GET /v1/workflows/{workflow} shows, under another name.",
  retryable: false,
});

export const workflowHasErrors = defineProblem({
  code: "workflow_has_errors",
  status: 409,
  title: "The workflow has errors",
  cause:
    "What was to be published has errors as the environment of the key stands: `errors` lists each with its place, in the text with line and column.",
  remedy:
    "Correct the draft where `errors` says, or deploy and publish what it calls in this environment, then publish it.",
  retryable: false,
});

export const alreadyLive = defineProblem({
  code: "workflow_already_live",
  status: 409,
  title: "This is live already",
  cause: "The version that is live in the environment of the key says what was to be published.",
  remedy: "No action is needed, or change the draft first.",
  retryable: false,
});
