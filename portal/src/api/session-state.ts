/** Who is signed in, as `GET /auth/session` answers it. */
export interface Session {
  /** `mbr_…`, whom the calls act for. */
  readonly member: string;
  readonly name: string;
  readonly role: string;
  readonly environment: "development" | "staging" | "production";
  /** How its person signed in; `oidc` and `passkey` are in person. */
  readonly method: "key" | "link" | "oidc" | "passkey";
  /** Agents that the session is narrowed to; null: all. */
  readonly agents: readonly string[] | null;
  /** Sent as `X-CSRF-Token` with every change. */
  readonly csrf: string;
  readonly expires_at: string;
}

let csrf: string | null = null;

/** What changes have to prove from now on; null: nobody is signed in. */
export function holdCsrf(token: string | null): void {
  csrf = token;
}

/** The header by which a change proves that a page of the portal asks for it; the cookie goes by itself. */
export const csrfHeaders = (method: string): Record<string, string> =>
  csrf === null || method === "GET" ? {} : { "X-CSRF-Token": csrf };
