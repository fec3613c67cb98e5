import type { Environment, Role } from "./principal.ts";

// What the sign-in needs of the outside: an OpenID Connect provider, and a way to send e-mail. Joined in the wiring.

/** Which values of a claim give which role, by environment. The first value listed that the person has decides. */
export interface RoleMapping {
  readonly claim: string;
  readonly environments: Readonly<Partial<Record<Environment, Readonly<Record<string, Role>>>>>;
}

/** What ties an answer of the provider to the browser that asked. Kept in that browser's cookie. */
export interface ProviderChecks {
  readonly state: string;
  readonly nonce: string;
  /** The PKCE code verifier (RFC 7636). */
  readonly verifier: string;
}

/** An account at the provider, as its verified tokens describe it. */
export interface ProviderAccount {
  readonly issuer: string;
  readonly subject: string;
  /** Null unless the provider says that it has verified the address. */
  readonly email: string | null;
  readonly name: string | null;
  /** The role by the claims; null means none. An environment that the mapping leaves out is missing here: roles are set by hand there. */
  readonly roles: Readonly<Partial<Record<Environment, Role | null>>>;
}

export interface IdentityProvider {
  /** As people know it, for the button. */
  readonly name: string;
  /** Where to send the browser. Throws a Refusal where the provider cannot be reached. */
  begin(redirectUri: string): Promise<{ readonly url: string; readonly checks: ProviderChecks }>;
  /** Redeems the code in the address that the browser came back to. Throws a Refusal where that does not prove anybody's identity. */
  complete(callbackUrl: URL, checks: ProviderChecks): Promise<ProviderAccount>;
}

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** Sends an e-mail; rejects where the mail server did not accept it. */
export type SendMail = (mail: Mail) => Promise<void>;
