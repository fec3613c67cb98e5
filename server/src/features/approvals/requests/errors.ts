import { defineProblem } from "../../../kernel/errors.ts";

// Why somebody is no second person, wherever one is demanded.

export const personsOnly = defineProblem({
  code: "persons_only",
  status: 403,
  title: "Only a person can decide",
  cause: "The key acts for a service account or for the service itself. Only people decide, confirm and take over.",
  remedy: "Use a key or session of a person that has the permission.",
  retryable: false,
});

export const noSecondPerson = defineProblem({
  code: "no_second_person",
  status: 403,
  title: "No second person can exist in this installation",
  cause:
    "The decision needs another person, or two. In staging and production (and in development with the setting approvals.strict) only people who signed in personally count, and neither OpenID Connect nor invitations with passkeys are set up.",
  remedy:
    "Set up OpenID Connect, or e-mail for invitations with passkeys (docs/operations/sign-in.md), restart the service, sign in, and decide in the portal.",
  retryable: false,
});

export const notSignedInPersonally = defineProblem({
  code: "not_signed_in_personally",
  status: 403,
  title: "Sign in personally to decide this",
  cause:
    "The decision needs another person, or two, and others than its owner could use this credential: somebody else issued the key, it comes from a key or one-time link made on the host, or the owner's e-mail address was changed since.",
  remedy:
    "Sign in to the portal with OpenID Connect or a passkey and decide there, or use a key that you issued to yourself after signing in that way.",
  retryable: false,
});

export const keyNotIndependent = defineProblem({
  code: "key_not_independent",
  status: 403,
  title: "The key does not count as a second person",
  cause:
    "Among those who take part in the decision, one issued the other's key, or the same person issued both, directly or through other keys. Whoever issues a key has seen its secret, so both count as one person.",
  remedy:
    "Decide with a key issued by somebody else, for example on the host, or ask a person with an independent key.",
  retryable: false,
});

/** What to do where nobody can be a second person. `what`: what takes one. */
export const noSecondPersonText = (what: string): string =>
  `${what}, and nobody can sign in personally here: neither OpenID Connect nor invitations with passkeys are set up. The host's operator sets one of them up, as docs/operations/sign-in.md says; then people sign in and decide.`;
