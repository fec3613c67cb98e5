import { defineProblem } from "../../kernel/errors.ts";

export const agentExists = defineProblem({
  code: "agent_exists",
  status: 409,
  title: "There is an agent of this name",
  cause:
    "Names of agents are unique in an organization, over all environments and also after an agent was archived: its audit trail keeps the name.",
  remedy: "Change the draft of the agent that is there with PATCH /v1/agents/{agent}, or choose another name.",
  retryable: false,
});

export const agentArchived = defineProblem({
  code: "agent_archived",
  status: 409,
  title: "The agent is archived",
  cause:
    "An archived agent is kept for its audit trail and takes no work: its draft does not change, and no version is frozen or deployed.",
  remedy: "Make a new agent from it: POST /v1/agents with `from`.",
  retryable: false,
});

export const agentDeployedElsewhere = defineProblem({
  code: "agent_deployed_elsewhere",
  status: 409,
  title: "The agent is live in another environment",
  cause:
    "Archiving ends the deployment in the environment of the key only, and an archived agent takes no work anywhere.",
  remedy:
    "Archive the agent with a key of the environment in which it is live last; elsewhere roll it out of service first.",
  retryable: false,
});

export const draftIncomplete = defineProblem({
  code: "draft_incomplete",
  status: 409,
  title: "The draft lacks something that a version needs",
  cause:
    "A draft may be unfinished, a version may not: it has a skill, its HTTP tools say what they call, and tools that write say what they could do at worst.",
  remedy: "Complete the draft at the places that `errors` names, and freeze it then.",
  retryable: false,
});

export const nothingChanged = defineProblem({
  code: "nothing_changed",
  status: 409,
  title: "The draft is the same as the newest version",
  cause:
    "A version is frozen to hold what is new; this draft says exactly what the newest version says, which `version` names.",
  remedy: "Use the version that is there, or change the draft first.",
  retryable: false,
});
