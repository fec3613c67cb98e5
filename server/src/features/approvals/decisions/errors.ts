import { defineProblem } from "../../../kernel/errors.ts";
import { keyNotIndependent, noSecondPerson, notSignedInPersonally, personsOnly } from "../requests/errors.ts";

export const fourEyes = defineProblem({
  code: "four_eyes",
  status: 403,
  title: "The requester or editor cannot decide",
  cause:
    "The approval must be decided by somebody other than those who stand behind it: who requested the action, gave its input, answered a question of its run, edited it, issued the credential that did, or decided content that it acts on and that no second person has looked at. `requesters` of the approval says who did what.",
  remedy:
    "Ask a person among `could_decide` of the approval to decide. Where you only decided content, such as the agent's version, a second person can confirm it (POST /v1/governance/confirmations) before the action is requested again.",
  retryable: false,
});

export const delegated = defineProblem({
  code: "delegated",
  status: 403,
  title: "You delegated this decision",
  cause:
    "The key acts for a person who delegated this decision (`delegations` of the approval says to whom), or in whose place somebody has voted.",
  remedy: "Leave the decision to that person, or ask a third one.",
  retryable: false,
});

export const escalated = defineProblem({
  code: "escalated",
  status: 403,
  title: "Only an admin can decide now",
  cause: "The approval was escalated, by a person or because nobody decided in time, and the key's role is not admin.",
  remedy: "Ask an admin to decide.",
  retryable: false,
});

export const notAsked = defineProblem({
  code: "not_asked",
  status: 403,
  title: "The approval rules ask others",
  cause:
    "Approval rules say who approves this, and the key acts for somebody else, or for somebody whose turn comes after others. `required_by` of the approval names the rules and whom they ask.",
  remedy: "Ask a person among `could_decide` of the approval to decide.",
  retryable: false,
});

/** Why somebody may neither decide an approval nor reject or send it back. */
export const barredAltogether = [
  personsOnly,
  fourEyes,
  noSecondPerson,
  notSignedInPersonally,
  delegated,
  escalated,
  keyNotIndependent,
];

/** Why somebody may not decide an approval. */
export const barred = [...barredAltogether, notAsked];

export const digestMismatch = defineProblem({
  code: "digest_mismatch",
  status: 409,
  title: "The action differs from the one you saw",
  cause:
    "The vote has the digest of another action than the one awaiting approval, or the stored action is no longer the one that approval was requested for.",
  remedy: "Read the approval again, review its action, and vote with the digest shown there.",
  retryable: false,
});

export const alreadyDecided = defineProblem({
  code: "already_decided",
  status: 409,
  title: "The approval is already decided",
  cause:
    "The approval is no longer pending; `approval_status`, `decided_by` and `decided_at` say how, by whom and when it was decided.",
  remedy: "No action is needed. To have the work done after all, dispatch it again.",
  retryable: false,
});

export const alreadyVoted = defineProblem({
  code: "already_voted",
  status: 409,
  title: "You already voted the other way",
  cause: "You voted the other way on this approval; `vote` and `voted_at` say how and when. Votes cannot be changed.",
  remedy: "Ask another person to decide; a single rejection by anyone who may decide ends it.",
  retryable: false,
});
