import { defineProblem } from "../../kernel/errors.ts";

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
