import { defineProblem, type Fault, type Refusal, refuse } from "../../kernel/errors.ts";
import { invalidBody } from "../../kernel/problems.ts";

export const missionState = defineProblem({
  code: "mission_state",
  status: 409,
  title: "The mission's status does not allow this",
  cause: "The mission has been completed or cancelled, is not started, or is under way already.",
  remedy: "`detail` names the status. A closed mission can be run again by POST /v1/missions/{mission}/clone.",
  retryable: false,
});

export const planNotAcceptable = defineProblem({
  code: "plan_not_acceptable",
  status: 409,
  title: "The plan cannot be accepted",
  cause:
    "The mission has no plan of this number, or the plan has findings of severity `error` as the mission stands now.",
  remedy: "Read the plan's `findings`, then propose another plan by POST /v1/missions/{mission}/plan.",
  retryable: false,
});

export const decisionAnswered = defineProblem({
  code: "decision_answered",
  status: 409,
  title: "The question is not open any more",
  cause: "Somebody answered it, or it was withdrawn because it no longer matters.",
  remedy: "Read the mission: its `next_decision` is the question that waits.",
  retryable: false,
});

export const templateExists = defineProblem({
  code: "template_exists",
  status: 409,
  title: "A mission template with this name exists",
  cause: "Names of templates are unique in the organization, and built-in templates keep theirs.",
  remedy: "Choose another name; GET /v1/missions/templates lists those that are taken.",
  retryable: false,
});

export const missionBudget = defineProblem({
  code: "mission_budget",
  status: 409,
  title: "The mission's budget does not suffice",
  cause: "A task could cost more than is neither spent nor reserved, or the mission has used all its tasks.",
  remedy: "Raise the budget by PATCH /v1/missions/{mission}, then answer the decision or start the mission again.",
  retryable: false,
});

export const missionHolds = defineProblem({
  code: "mission_holds",
  status: 409,
  title: "The mission is not running",
  cause: "The mission was paused, blocked or closed while one of its steps was about to begin.",
  remedy: "Start the mission again by POST /v1/missions/{mission}/start.",
  retryable: false,
});

export const fault = (pointer: string, code: string, detail: string): Fault => ({ pointer, code, detail });

export function refuseFaults(errors: readonly Fault[]): void {
  const [first] = errors;
  if (!first) return;
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : "";
  throw refuse(invalidBody, `${first.pointer}: ${first.detail}${more}`, { errors: errors.slice(0, 100) });
}

export const wrongState = (status: string, what: string): Refusal =>
  refuse(missionState, `The mission is ${status}; ${what}.`);
