import { defineProblem } from "../../../kernel/errors.ts";

export const noRoleHere = defineProblem({
  code: "no_role_here",
  status: 403,
  title: "You have no role in this environment",
  cause: "The sign-in proved who you are, and this person has no role in the environment that was chosen.",
  remedy:
    "Choose an environment in which you have a role, or ask one of its admins to give you one with PUT /v1/admin/members/{member}.",
  retryable: false,
});

export const accountAlreadyBound = defineProblem({
  code: "account_already_bound",
  status: 403,
  title: "This account belongs to another member",
  cause:
    "An account of the OpenID Connect provider is one member for good: the one that it was first bound to. That member's e-mail address was changed since, or they were removed.",
  remedy:
    "Have an admin give that member the e-mail address that the provider has verified of you, with PUT /v1/admin/members/{member}, and sign in again. Where another member has that address, give that one another first.",
  retryable: false,
});

export const passkeyNotAccepted = defineProblem({
  code: "passkey_not_accepted",
  status: 422,
  title: "The passkey could not be added",
  cause:
    "What the browser sent does not prove a new passkey for this service: its challenge is used or too old, it is for another address, or its person was not verified.",
  remedy: "Try again from the page, in one go. Open the portal at the address that AOS_APP_URL names.",
  retryable: false,
});

export const personalSignInNeeded = defineProblem({
  code: "personal_sign_in_needed",
  status: 403,
  title: "This needs a session in which you signed in in person",
  cause:
    "Passkeys are added and removed by their own person. A session opened by a key or a link may be somebody else's.",
  remedy: "Sign in by OpenID Connect, by a passkey, or by an invitation that was e-mailed to you.",
  retryable: false,
});

export const emailNotConfigured = defineProblem({
  code: "email_not_configured",
  status: 409,
  title: "No mail server is configured",
  cause: "Invitations are e-mailed and shown to nobody else, and this installation has no mail server.",
  remedy:
    "Set AOS_SMTP_URL and AOS_MAIL_FROM and start the service anew. With AOS_OIDC_ISSUER, members sign in without an invitation.",
  retryable: false,
});

export const notInvitable = defineProblem({
  code: "not_invitable",
  status: 409,
  title: "This member cannot be invited",
  cause: "An invitation goes to the e-mail address of a person who has a role in the environment of the call.",
  remedy:
    "Give the person an e-mail address and a role here with PUT /v1/admin/members/{member} first. Service accounts use keys.",
  retryable: false,
});
