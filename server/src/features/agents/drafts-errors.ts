import { defineProblem } from "../../kernel/errors.ts";

export const agentExists = defineProblem({
  code: "agent_exists",
  status: 409,
  title: "An agent with this name exists",
  cause:
    "Names of agents are unique in an organization, across environments, and remain taken after an agent is archived because its audit trail uses the name.",
  remedy: "Change the draft of the existing agent with PATCH /v1/agents/{agent}, or choose another name.",
  retryable: false,
});

export const agentArchived = defineProblem({
  code: "agent_archived",
  status: 409,
  title: "The agent is archived",
  cause:
    "An archived agent is kept for its audit trail only: it accepts no tasks, and its draft and versions cannot be changed, frozen or deployed.",
  remedy: "Create a new agent from it: POST /v1/agents with `from`.",
  retryable: false,
});

export const agentDeployedElsewhere = defineProblem({
  code: "agent_deployed_elsewhere",
  status: 409,
  title: "The agent is live in another environment",
  cause:
    "Archiving ends the deployment in the environment of the key only, but an archived agent accepts no tasks anywhere.",
  remedy: "End its deployments in the other environments first, then archive it with a key of the last one.",
  retryable: false,
});

export const draftIncomplete = defineProblem({
  code: "draft_incomplete",
  status: 409,
  title: "The draft is incomplete",
  cause:
    "A version needs at least one skill, HTTP tools with a request, and the possible impact of every tool that writes.",
  remedy: "Complete the draft where `errors` says, then freeze it.",
  retryable: false,
});

export const nothingChanged = defineProblem({
  code: "nothing_changed",
  status: 409,
  title: "The draft equals the newest version",
  cause: "The draft has not changed since the newest version, which `version` names.",
  remedy: "Use that version, or change the draft first.",
  retryable: false,
});
