import { type Static, Type } from "typebox";
import { Agents, Environment, MemberId, RoleName, Scopes } from "../schemas.ts";

const closed = { additionalProperties: false } as const;

export const sessionMethods = ["key", "link", "oidc", "passkey"] as const;
export const SessionMethod = Type.Enum(sessionMethods, {
  description:
    "How the member signed in: by a key, a one-time link made on the host, OpenID Connect, or a passkey. Only the last two are in person.",
});

/** A session as the portal reads its own. */
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

export const SignedOut = Type.Object({
  session_id: Type.String(),
  ended_at: Type.String({ format: "date-time" }),
});

export const KeyBody = Type.Object({ key: Type.String({ description: "A key of the interface." }) }, closed);
export const TokenBody = Type.Object({ token: Type.String({ description: "What stands behind `token=` in a sign-in link." }) }, closed);

const Sha256 = Type.String({ pattern: "^[0-9a-f]{64}$" });
/** What HTTP hands in beside the body: the SHA-256, in hexadecimal, of the secret drawn for the cookie and of the one that it replaces, and the browser's name. */
export const Opening = Type.Object({ secret_hash: Sha256, replaces: Type.Optional(Sha256), user_agent: Type.Optional(Type.String()) });
export type Opening = Static<typeof Opening>;
