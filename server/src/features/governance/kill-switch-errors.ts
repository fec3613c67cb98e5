import { defineProblem } from "../../kernel/errors.ts";

export const alreadyStopped = defineProblem({
  code: "already_stopped",
  status: 409,
  title: "It is stopped like that already",
  cause: "A kill switch of the same kind, target and mode is in force; `stop_id` names it.",
  remedy:
    "Nothing is left to do. A stricter mode is a kill switch of its own: both hold then, and the stricter one counts.",
  retryable: false,
});

export const secondPersonNeeded = defineProblem({
  code: "second_person_needed",
  status: 409,
  title: "A second person is needed",
  cause:
    "The kill switch is critical, and the same person asked for this before. `asked_at` and `lapses_at` say when, and until when that stands.",
  remedy: "Have another person with the permission governance:release send the same request.",
  retryable: false,
});

export const stopsEverywhere = defineProblem({
  code: "stops_everywhere",
  status: 403,
  title: "Only an admin of every environment stops everything",
  cause:
    "A kill switch of the kind `all` acts in every environment, and the key does not act for a member who is admin in each of them.",
  remedy:
    "Stop the environment of the key (kind `environment`), or have a member do it who is admin in all environments.",
  retryable: false,
});

export const alreadyReleased = defineProblem({
  code: "already_released",
  status: 409,
  title: "The kill switch is no longer in force",
  cause: "It was released before; `released_by` and `released_at` say by whom and when.",
  remedy: "Nothing is left to do.",
  retryable: false,
});
