import { defineProblem } from "../../../kernel/errors.ts";

export const noRoleHere = defineProblem({
  code: "no_role_here",
  status: 403,
  title: "You have no role in this environment",
  cause: "You signed in successfully, but have no role in the selected environment.",
  remedy:
    "Select an environment in which you have a role, or ask an admin of this one to give you a role with PUT /v1/admin/members/{member}.",
  retryable: false,
});

export const accountAlreadyBound = defineProblem({
  code: "account_already_bound",
  status: 403,
  title: "This account belongs to another member",
  cause:
    "An account of the OpenID Connect provider stays bound to the member it was first used for. That member's e-mail address was changed since, or the member was removed.",
  remedy:
    "Ask an admin to give that member the e-mail address that the provider verified for you, with PUT /v1/admin/members/{member}, then sign in again. If another member has that address, that member must get another one first.",
  retryable: false,
});

export const passkeyNotAccepted = defineProblem({
  code: "passkey_not_accepted",
  status: 422,
  title: "The passkey could not be added",
  cause:
    "The browser's response does not prove a new passkey for this service: the challenge was used already or has expired, it is for another address, or the person was not verified.",
  remedy: "Start again from the page. Open the portal at the address set in AOS_APP_URL.",
  retryable: false,
});

export const personalSignInRequired = defineProblem({
  code: "personal_sign_in_required",
  status: 403,
  title: "Sign in personally first",
  cause:
    "Only the person themselves may add or remove a passkey. A session opened with a key or a one-time link could belong to somebody else.",
  remedy: "Sign in with OpenID Connect, with a passkey, or with an invitation that was e-mailed to you.",
  retryable: false,
});

export const emailNotConfigured = defineProblem({
  code: "email_not_configured",
  status: 409,
  title: "No mail server is configured",
  cause: "Invitations are sent by e-mail only, and no mail server is configured.",
  remedy:
    "Set AOS_SMTP_URL and AOS_MAIL_FROM and restart the service. With AOS_OIDC_ISSUER, members sign in without an invitation.",
  retryable: false,
});

export const notInvitable = defineProblem({
  code: "not_invitable",
  status: 409,
  title: "This member cannot be invited",
  cause: "Only a person with an e-mail address and a role in this environment can be invited.",
  remedy:
    "First give the person an e-mail address and a role with PUT /v1/admin/members/{member}. Service accounts use keys.",
  retryable: false,
});
