import { type Static, Type } from "typebox";
import { closed, nullable, Time } from "../../../kernel/schema-words.ts";
import { Agents, Environment, MemberId, plainText, RoleName, Scopes } from "../schemas.ts";

export const sessionMethods = ["key", "link", "oidc", "passkey"] as const;
export const SessionMethod = Type.Enum(sessionMethods, {
  description:
    "How the member signed in: by a key, a one-time link made on the host, OpenID Connect, or a passkey. Only the last two are in person.",
});

export const Session = Type.Object({
  session_id: Type.String({ description: "`ses_…`" }),
  member: MemberId,
  member_kind: Type.Enum(["member", "service_account"], { description: "Only members decide approvals." }),
  name: Type.String({ description: "The member's name." }),
  role: RoleName,
  environment: Environment,
  scopes: Scopes,
  agents: Agents,
  method: SessionMethod,
  csrf: Type.String({ description: "What each change by this session carries in X-CSRF-Token." }),
  expires_at: Type.String({ format: "date-time", description: "When it ends, unless it is used before." }),
});
export type Session = Static<typeof Session>;

export const ListedSession = Type.Object({
  session_id: Type.String({ description: "`ses_…`" }),
  member_id: MemberId,
  member_name: Type.String(),
  method: SessionMethod,
  current: Type.Boolean({ description: "Whether it is the session that made this call." }),
  address: nullable(Type.String(), "Network address from which it was opened."),
  browser: nullable(Type.String(), "What the browser called itself then (User-Agent)."),
  created_at: Time,
  last_used_at: Type.String({ format: "date-time", description: "To the hour." }),
  expires_at: Type.String({ format: "date-time", description: "When it ends, unless it is used before." }),
});
export type ListedSession = Static<typeof ListedSession>;

export const SignedOut = Type.Object({
  session_id: Type.String(),
  ended_at: Time,
});

export const KeyBody = Type.Object({ key: Type.String({ description: "A key of the interface." }) }, closed);
export const TokenBody = Type.Object(
  { token: Type.String({ description: "What stands behind `token=` in a sign-in link." }) },
  closed,
);

/** What a browser answers to `navigator.credentials.create` or `.get`, in JSON (Web Authentication Level 3, section 5.1). */
export const PasskeyResponse = Type.Object({
  id: Type.String({ maxLength: 2_000 }),
  rawId: Type.String({ maxLength: 2_000 }),
  type: Type.String(),
  response: Type.Record(Type.String(), Type.Unknown()),
  clientExtensionResults: Type.Record(Type.String(), Type.Unknown()),
  authenticatorAttachment: Type.Optional(Type.String()),
});
export type PasskeyResponse = Static<typeof PasskeyResponse>;

const PasskeyName = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: plainText,
  description: "By which its person tells it from others.",
});

export const PasskeySignInBody = Type.Object({ environment: Environment, response: PasskeyResponse }, closed);
export const NewPasskeyBody = Type.Object({ name: PasskeyName, response: PasskeyResponse }, closed);
export const AcceptInvitationBody = Type.Object(
  { token: Type.String(), name: PasskeyName, response: PasskeyResponse },
  closed,
);

/** Options for the browser's own functions, as the library for it takes them. */
export const PasskeyOptions = Type.Record(Type.String(), Type.Unknown());

export const OpenedInvitation = Type.Object({
  name: Type.String({ description: "Of the person who is invited." }),
  email: nullable(Type.String(), "Where the invitation was sent."),
  environment: Environment,
  options: PasskeyOptions,
});

export const Passkey = Type.Object({
  passkey_id: Type.String({ description: "`psk_…`" }),
  name: PasskeyName,
  created_at: Time,
  last_used_at: nullable(Time, "Null: never."),
});
export const Passkeys = Type.Object({ data: Type.Array(Passkey) });
export const RemovedPasskey = Type.Object({ passkey_id: Type.String(), removed_at: Time });

const Sha256 = Type.String({ pattern: "^[0-9a-f]{64}$" });
/** What HTTP hands in beside the body: the SHA-256, in hexadecimal, of the secret drawn for the cookie and of the one that it replaces, and the browser's name. */
export const Opening = Type.Object({
  secret_hash: Sha256,
  replaces: Type.Optional(Sha256),
  user_agent: Type.Optional(Type.String()),
});
export type Opening = Static<typeof Opening>;
