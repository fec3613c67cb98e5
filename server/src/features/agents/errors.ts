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

export const alreadyLive = defineProblem({
  code: "already_live",
  status: 409,
  title: "The version is already live",
  cause: "This version is already deployed in the environment of the key.",
  remedy: "No action is needed, or deploy another version.",
  retryable: false,
});

export const notRunnable = defineProblem({
  code: "not_runnable",
  status: 409,
  title: "This release cannot run the version",
  cause: "The version uses models or tools that this release does not support. It is refused before it goes live.",
  remedy: "Freeze a version without what `errors` lists, and deploy that one.",
  retryable: false,
});

export const dependenciesMissing = defineProblem({
  code: "dependencies_missing",
  status: 409,
  title: "The environment lacks what the version uses",
  cause:
    "Knowledge bases and connections belong to an environment, but versions belong to the organization. This version uses some that do not exist here; `errors` lists each with its position in the definition.",
  remedy:
    "Create what is missing in this environment: knowledge bases with POST /v1/knowledge/bases, connections with POST /v1/admin/connections. Or deploy a version that does not use them.",
  retryable: false,
});

export const nothingToRollBack = defineProblem({
  code: "nothing_to_roll_back",
  status: 409,
  title: "There is no version to go back to",
  cause:
    "A rollback restores the last version that was live here and was not rolled back itself. There is none, or the agent is not deployed in this environment.",
  remedy:
    "See GET /v1/agents/{agent}/deployments: name an earlier version with `to`, or deploy one with POST /v1/agents/{agent}/deployments.",
  retryable: false,
});

export const notPaused = defineProblem({
  code: "not_paused",
  status: 409,
  title: "The agent is not paused",
  cause: "The agent is running in the environment of the key; there is nothing to resume.",
  remedy:
    "No action is needed. If a kill switch stops it, release that with DELETE /v1/governance/kill-switch/{kill_switch}.",
  retryable: false,
});

export const tooFewExamples = defineProblem({
  code: "too_few_examples",
  status: 409,
  title: "Too few examples",
  cause: "Training holds out part of the examples to measure the result and needs at least ten examples in all.",
  remedy:
    "Add examples, name a dataset, or collect corrections through feedback on tasks; for a provider's model these count only with `feedback: true`.",
  retryable: false,
});

export const trainingInProgress = defineProblem({
  code: "training_in_progress",
  status: 409,
  title: "The skill is already being trained",
  cause: "Another training job for the same skill is in progress in the environment of the key.",
  remedy: "Wait until it ends, or cancel it.",
  retryable: true,
});

export const noVersion = defineProblem({
  code: "no_version",
  status: 409,
  title: "The agent has no such version",
  cause: "The agent has no versions yet, or none with the given number.",
  remedy: "Freeze the draft as a version (`POST /v1/agents/{agent}/versions`), or name an existing one.",
  retryable: false,
});
