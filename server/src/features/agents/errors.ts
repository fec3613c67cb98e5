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
  remedy:
    "Restore it (POST /v1/agents/{agent}/restore), or clone it under another name (POST /v1/agents/{agent}/clone).",
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

export const trainerNotPermitted = defineProblem({
  code: "trainer_not_permitted",
  status: 403,
  title: "Whoever started the training may not train any longer",
  cause:
    "The member who started it was removed, their role no longer includes `agents:write`, or the key by which they started it was revoked.",
  remedy: "Start the training again as somebody who may.",
  retryable: false,
});

export const noVersion = defineProblem({
  code: "no_version",
  status: 409,
  title: "The agent has no such version",
  cause: "The agent has no versions yet, or none with the given number.",
  remedy: "Freeze the draft as a version (`POST /v1/agents/{agent}/versions`), or name an existing one.",
  retryable: false,
});

export const canaryRunning = defineProblem({
  code: "canary_running",
  status: 409,
  title: "A canary of this agent is running",
  cause:
    "At most one canary of an agent runs in an environment, so that its tasks are compared with one other version.",
  remedy:
    "Promote or abort the canary that `detail` names with PATCH /v1/agents/{agent}/deployments/{deployment}, then start the new one.",
  retryable: false,
});

export const nothingLive = defineProblem({
  code: "nothing_live",
  status: 409,
  title: "No version is live that a canary could be compared with",
  cause: "A canary takes a share of the tasks of the live version, and the agent is not deployed in this environment.",
  remedy: "Deploy a version as a whole first: leave `mode` out.",
  retryable: false,
});

export const agentNotArchived = defineProblem({
  code: "agent_not_archived",
  status: 409,
  title: "The agent is not archived",
  cause: "Only an archived agent can be restored.",
  remedy: "No action is needed: the agent can be changed and deployed as it is.",
  retryable: false,
});

export const agentNotDeployed = defineProblem({
  code: "agent_not_deployed",
  status: 409,
  title: "The agent is not deployed here",
  cause: "The agent exists, but no version of it is deployed in the environment of the key.",
  remedy: "Deploy a version in this environment, or use a key of an environment in which the agent is deployed.",
  retryable: false,
});

export const agentInUse = defineProblem({
  code: "agent_in_use",
  status: 409,
  title: "Something uses the agent",
  cause:
    "Live workflows, running missions or chat channels in the environment of the key use the agent, and would fail without it. `dependents` lists those that the key may read.",
  remedy:
    "Let them use another agent first (GET /v1/agents/{agent}/dependents), or archive it all the same with `force: true`.",
  retryable: false,
});

export const toolInUse = defineProblem({
  code: "tool_in_use",
  status: 409,
  title: "Skills name the tool",
  cause: "A skill may only call tools of its agent, and those that `detail` names still name this one.",
  remedy: "Take it from these skills first, or pass `from_skills: true`.",
  retryable: false,
});
