import { defineProblem } from "../../kernel/errors.ts";

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
