import { defineProblem } from "../../../kernel/errors.ts";

export const killSwitchAlreadyEngaged = defineProblem({
  code: "kill_switch_already_engaged",
  status: 409,
  title: "The kill switch is already engaged",
  cause: "A kill switch with the same kind, target and mode is in force; `kill_switch_id` names it.",
  remedy:
    "No action is needed. A stricter mode is a kill switch of its own: both are in force, and the stricter one applies.",
  retryable: false,
});

export const secondPersonRequired = defineProblem({
  code: "second_person_required",
  status: 409,
  title: "A second person is required",
  cause:
    "The kill switch is critical, and you already requested this; `requested_at` and `expires_at` say when, and until when the request is valid.",
  remedy: "Ask another person with the permission governance:release to send the same request.",
  retryable: false,
});

export const allEnvironmentsAdminRequired = defineProblem({
  code: "all_environments_admin_required",
  status: 403,
  title: "You must be admin of every environment",
  cause:
    "A kill switch of the kind `all` acts in every environment, and the key does not act for a member who is admin in all of them.",
  remedy: "Stop the environment of the key (kind `environment`), or ask a member who is admin in all environments.",
  retryable: false,
});

export const killSwitchAlreadyReleased = defineProblem({
  code: "kill_switch_already_released",
  status: 409,
  title: "The kill switch is already released",
  cause: "It was released before; `released_by` and `released_at` say by whom and when.",
  remedy: "No action is needed.",
  retryable: false,
});
