import { defineProblem } from "../../kernel/errors.ts";

export const alreadyLive = defineProblem({
  code: "already_live",
  status: 409,
  title: "The version is live already",
  cause: "The environment of the key runs exactly this version; deploying it again would change nothing.",
  remedy: "Deploy another version, or go on: what you want is in place.",
  retryable: false,
});

export const notRunnable = defineProblem({
  code: "not_runnable",
  status: 409,
  title: "This release cannot run the version",
  cause:
    "A version may name models and tools that a later release runs. It is refused before it goes live, so that nothing that is deployed is silently unable to work.",
  remedy: "Freeze a version that does without what `errors` names, and deploy that one.",
  retryable: false,
});

export const namesMissing = defineProblem({
  code: "names_missing",
  status: 409,
  title: "The version names what the environment does not have",
  cause:
    "Knowledge bases and connections belong to an environment, versions of agents to the organization. The version would go live without something that it works with; `errors` names each with its place in the definition.",
  remedy:
    "Add what is missing in this environment: knowledge bases by POST /v1/knowledge/bases, connections by POST /v1/admin/connections. Or deploy a version that does without.",
  retryable: false,
});

export const nothingToRollBack = defineProblem({
  code: "nothing_to_roll_back",
  status: 409,
  title: "There is no version to go back to",
  cause:
    "A rollback restores the last version that was live here before the present one and that no rollback has left. There is none, or the agent is not deployed in this environment.",
  remedy:
    "Look at GET /v1/agents/{agent}/deployments, name a version that was live here with `to`, or deploy one with POST /v1/agents/{agent}/deployments.",
  retryable: false,
});

export const notPaused = defineProblem({
  code: "not_paused",
  status: 409,
  title: "The agent is not paused",
  cause: "The agent takes work in the environment of the key; there is nothing to resume.",
  remedy:
    "Nothing: it works. A stop (kill switch) is released by itself, with DELETE /v1/governance/kill-switch/{kill_switch}.",
  retryable: false,
});
