import { defineProblem } from "../../../kernel/errors.ts";

export const claimedByOther = defineProblem({
  code: "claimed_by_other",
  status: 409,
  title: "Somebody else is working on it",
  cause: "Another person has claimed the approval; `claimed_by` and `claimed_until` say who and until when.",
  remedy: "Wait until the claim lapses, or ask them or an admin to release it. A claim keeps nobody from deciding.",
  retryable: false,
});

export const notRequester = defineProblem({
  code: "not_requester",
  status: 403,
  title: "Only the requester withdraws it",
  cause:
    "The key acts for somebody else than who asked for the action, did not issue the credential that did, and is no admin.",
  remedy: "Ask `requester` of the approval to withdraw it, or cancel the task.",
  retryable: false,
});
