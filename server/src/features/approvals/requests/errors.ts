import { defineProblem } from "../../../kernel/errors.ts";

// Why somebody is no second person, wherever one is demanded.

export const personsOnly = defineProblem({
  code: "persons_only",
  status: 403,
  title: "Only a person can decide",
  cause: "The key acts for a service account or for the service itself. Approvals are decisions of people.",
  remedy: "Decide with a key that acts for a member of the organization, one with the permission approvals:decide.",
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

/** What to do where nobody can be a second person. `what`: what takes one. */
export const noSecondPersonText = (what: string): string =>
  `${what}, and nobody can sign in personally here: neither OpenID Connect nor invitations with passkeys are set up. The host's operator sets one of them up, as docs/operations/sign-in.md says; then people sign in and decide.`;
