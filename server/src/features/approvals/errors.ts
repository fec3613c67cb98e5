import { defineProblem } from "../../kernel/errors.ts";

export const personsOnly = defineProblem({
  code: "persons_only",
  status: 403,
  title: "Only a person can decide",
  cause: "The key acts for a service account or for the service itself. Approvals are decisions of people.",
  remedy: "Decide with a key that acts for a member of the organization, one with the permission approvals:decide.",
  retryable: false,
});

export const fourEyes = defineProblem({
  code: "four_eyes",
  status: 403,
  title: "Who asked may not decide",
  cause: "The approval demands someone other than the requester, and the key acts for the requester.",
  remedy: "Have another person with the permission approvals:decide look at it.",
  retryable: false,
});

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
  cause: "The approval is no longer pending. `approval_status`, `decided_by` and `decided_at` say how, by whom and when it ended.",
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
