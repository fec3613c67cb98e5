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
  title: "Who asked, answered or edited may not decide",
  cause:
    "The approval demands someone other than who asked for the action, answered a question of its run or edited it, and the caller is one of these, or accountable for the credential with " +
    "which they did: its issuer, or the issuer of the one that it comes from.",
  remedy: "Have another person with the permission approvals:decide look at it.",
  retryable: false,
});

export const noSecondPerson = defineProblem({
  code: "no_second_person",
  status: 403,
  title: "Nobody can be a second person as the service is set up",
  cause:
    "The decision demands another person, or two. In staging and production (and in development under the setting approvals.strict) only people count who " +
    "signed in personally, and neither OpenID Connect nor invitations with passkeys are set up.",
  remedy:
    "Set up OpenID Connect, or e-mail for invitations with passkeys (docs/operations/sign-in.md), restart the service, sign in, and decide in the portal.",
  retryable: false,
});

export const notSignedInPersonally = defineProblem({
  code: "not_signed_in_personally",
  status: 403,
  title: "Sign in personally to decide this",
  cause:
    "The decision demands another person, or two, and others than its owner could use this credential: somebody else issued the key, it comes from a key or " +
    "one-time link that the host made, or the owner's e-mail address was changed since.",
  remedy:
    "Sign in to the portal by OpenID Connect or with a passkey and decide there, or with a key that you issue to yourself once you are signed in so.",
  retryable: false,
});

export const keyNotIndependent = defineProblem({
  code: "key_not_independent",
  status: 403,
  title: "The key does not stand for a second person",
  cause:
    "Of those who take part in the decision (who voted, and where another person is demanded who asked or edited) one issued the key of the other, " +
    "or somebody issued the keys of both, directly or by way of other keys. Who issues a key has seen its secret, so the two count as one person.",
  remedy:
    "Decide with a key that somebody else issued, such as one from the host's command line, or have a person decide whose key is independent.",
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
