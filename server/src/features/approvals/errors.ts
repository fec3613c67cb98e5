import { defineProblem } from "../../kernel/errors.ts";
import { keyNotIndependent, noSecondPerson, notSignedInPersonally, personsOnly } from "./requests/errors.ts";

export const fourEyes = defineProblem({
  code: "four_eyes",
  status: 403,
  title: "Who asked, answered or edited may not decide",
  cause:
    "The approval demands someone other than who asked for the action, answered a question of its run or edited it, and the caller is one of these, or accountable for the credential with " +
    "which they did: its issuer, or the issuer of the one that it comes from.",
  remedy: "Have another person with the permission approvals:decide look at it.",
  retryable: false,
});

export const delegated = defineProblem({
  code: "delegated",
  status: 403,
  title: "You handed the decision on",
  cause: "The key acts for a person who delegated this decision. `delegations` of the approval say to whom.",
  remedy: "Leave it to that person, or have a third one decide.",
  retryable: false,
});

export const escalated = defineProblem({
  code: "escalated",
  status: 403,
  title: "Only an admin decides it now",
  cause:
    "The approval was escalated, by a person or because nobody decided in time, and the key has another role than admin.",
  remedy: "Have an admin decide, with a key of that role.",
  retryable: false,
});

/** Why a caller may not decide: the problems of every decision. */
export const barred = [
  personsOnly,
  fourEyes,
  noSecondPerson,
  notSignedInPersonally,
  delegated,
  escalated,
  keyNotIndependent,
];

export const digestMismatch = defineProblem({
  code: "digest_mismatch",
  status: 409,
  title: "What was shown is not what would happen",
  cause:
    "The vote carries the digest of another action than the one that waits, or the stored action is no longer the one that approval was asked for.",
  remedy: "Read the approval again, look at its action, and vote with the digest shown there.",
  retryable: false,
});

export const alreadyDecided = defineProblem({
  code: "already_decided",
  status: 409,
  title: "It is already decided",
  cause:
    "The approval is no longer pending. `approval_status`, `decided_by` and `decided_at` say how, by whom and when it ended.",
  remedy: "Nothing is left to decide. To have the work done after all, dispatch it again.",
  retryable: false,
});

export const alreadyVoted = defineProblem({
  code: "already_voted",
  status: 409,
  title: "You voted otherwise before",
  cause: "The same person voted the other way on this approval. A vote stands; `vote` and `voted_at` say which.",
  remedy: "Have another person decide; one rejection by anybody else who may decide ends it.",
  retryable: false,
});
