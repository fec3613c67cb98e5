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

export const workflowNotLive = defineProblem({
  code: "workflow_not_live",
  status: 409,
  title: "The workflow has no live version here",
  cause: "A run was asked for of a workflow that has not been published in this environment.",
  remedy: "Publish a version (POST /v1/workflows/{workflow}/publish), then repeat the call.",
  retryable: false,
});

export const runAlreadyOpen = defineProblem({
  code: "run_already_open",
  status: 409,
  title: "A run with this business key is open",
  cause: "The workflow allows one open run per business key, and the run `run_id` has this one.",
  remedy: "Wait until that run is over, or cancel it.",
  retryable: true,
});

export const concurrencyFull = defineProblem({
  code: "concurrency_full",
  status: 409,
  title: "As many runs as the workflow allows are open",
  cause:
    "`concurrency` of the workflow bounds how many runs with one key go on at once, and says `reject` where that is reached.",
  remedy: "Wait until one of `runs` is over, cancel one, or publish a version with another `concurrency`.",
  retryable: true,
});

export const writesNotAcknowledged = defineProblem({
  code: "writes_not_acknowledged",
  status: 409,
  title: "Steps that have written would write again",
  cause:
    "Doing the run again from there repeats `steps`, whose calls changed something outside and were not undone. Their receivers would take them for new calls.",
  remedy: "Undo the run first (POST …/compensate), or name the steps in `acknowledge` where writing again is right.",
  retryable: false,
});

export const migrationRefused = defineProblem({
  code: "migration_refused",
  status: 409,
  title: "The run cannot go on with that version",
  cause:
    "What the run has begun is not in the version, or is another step there, or its input does not fit: see `obstacles`.",
  remedy: "Choose a version in which what has begun is the same, or let the run end with its own version.",
  retryable: false,
});

export const runNotPermitted = defineProblem({
  code: "run_not_permitted",
  status: 403,
  title: "Who started the run may not do this any more",
  cause:
    "A step acts on behalf of who started its run, and is checked when it begins: they were removed, their key was revoked or has expired, or their role, scopes or agents changed.",
  remedy: "Have somebody who may run the workflow start it again, or retry the run from the step.",
  retryable: false,
});

export const expressionFailed = defineProblem({
  code: "expression_failed",
  status: 409,
  title: "An expression of the step came to nothing",
  cause: "An expression in the input of the step's call reads what is not there, or mixes types.",
  remedy: "Publish a version of the workflow whose expression fits, or retry the run from the step with another input.",
  retryable: false,
});

export const expressionTooCostly = defineProblem({
  code: "expression_too_costly",
  status: 409,
  title: "An expression of the step takes too much work",
  cause:
    "Evaluating it takes more work than an expression may cost (about 100 ms): loops in loops over long lists, long texts, patterns over long texts. `detail` says where.",
  remedy:
    "Publish a version of the workflow that nests fewer loops or looks at fewer values, or lets an agent or a tool do it; then retry the run from the step.",
  retryable: false,
});

export const workflowNotThere = defineProblem({
  code: "workflow_not_there",
  status: 409,
  title: "The step's workflow is not there",
  cause: "The workflow that the step starts has no such version, or none that is live in this environment.",
  remedy: "Publish the workflow that the step starts, then retry the run from the step.",
  retryable: false,
});

export const tooDeep = defineProblem({
  code: "too_deep",
  status: 409,
  title: "Workflows are nested too deep",
  cause: "A run of a workflow started another, and so on, more than 10 deep.",
  remedy: "Use a loop in place of a workflow that starts itself.",
  retryable: false,
});

export const costLimit = defineProblem({
  code: "cost_limit",
  status: 409,
  title: "The run has used up its budget",
  cause: "What the run has cost and what its steps may still cost leave nothing within limits.cost_usd.",
  remedy: "Publish a version of the workflow with a higher limit, then retry the run from the step.",
  retryable: false,
});

export const costReserved = defineProblem({
  code: "cost_reserved",
  status: 409,
  title: "The rest of the run's budget is reserved",
  cause: "Other steps of the run that are under way may still cost all that is left within limits.cost_usd.",
  remedy: "Nothing: the step begins once one of them has ended.",
  retryable: true,
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

export const noEarlierVersion = defineProblem({
  code: "no_earlier_version",
  status: 409,
  title: "There is no version to go back to",
  cause:
    "A rollback goes back to a version that was live in the environment of the key before and was not rolled back itself. There is none, or nothing is live.",
  remedy:
    "See GET /v1/workflows/{workflow}/versions: name an earlier version with `to`, or publish one with POST /v1/workflows/{workflow}/publish.",
  retryable: false,
});

export const triggerNotPossible = defineProblem({
  code: "trigger_not_possible",
  status: 409,
  title: "A trigger of the workflow is not possible here",
  cause:
    "A trigger has a schedule that never comes, names a service account that has no role in this environment or may do more than the caller, does what the scopes of the caller's key leave out, or there would be too many triggers.",
  remedy: "Correct the trigger that `errors` names, then call again.",
  retryable: false,
});

export const triggerNotPermitted = defineProblem({
  code: "trigger_not_permitted",
  status: 403,
  title: "The trigger's account may not run workflows",
  cause:
    "The member or service account that a trigger acts as was removed, its role here lacks `workflows:run`, or the key by which it was set up was revoked. The trigger stopped.",
  remedy: "Take the trigger over, or publish it again as an account that may run workflows.",
  retryable: false,
});

export const hookExists = defineProblem({
  code: "hook_exists",
  status: 409,
  title: "A hook with this name exists",
  cause: "Names of inbound hooks are unique in an environment.",
  remedy: "Choose another name, or give the hook that exists a new secret (POST /v1/hooks/{hook}/rotate-secret).",
  retryable: false,
});

export const tooManyHooks = defineProblem({
  code: "too_many_hooks",
  status: 409,
  title: "Too many inbound hooks",
  cause: "The number of inbound hooks in an environment is limited.",
  remedy: "Remove hooks that you no longer need, or let several services share one with events of different types.",
  retryable: false,
});
