/** Who is signed in, as `GET /auth/session` answers it. */
export interface Session {
  /** `mbr_…`, whom the calls act for. */
  readonly member: string;
  readonly name: string;
  readonly role: string;
  readonly environment: "development" | "staging" | "production";
  /** Agents that the session is narrowed to; null: all. */
  readonly agents: readonly string[] | null;
  /** Sent as `X-CSRF-Token` with every change. */
  readonly csrf: string;
  readonly expires_at: string;
}

let csrf: string | null = null;
let heldKey: string | null = null;

/** What changes have to prove from now on; null: nobody is signed in. */
export function holdCsrf(token: string | null): void {
  csrf = token;
}

/** A key for a service without sessions: in this variable only, gone with the page. */
export function holdKey(key: string | null): void {
  heldKey = key;
}

/** The headers by which a call of this method proves who makes it; the cookie goes by itself. */
export function credentials(method: string): [string, string][] {
  const headers: [string, string][] = [];
  if (heldKey !== null) headers.push(["Authorization", `Bearer ${heldKey}`]);
  if (csrf !== null && method !== "GET" && method !== "HEAD") headers.push(["X-CSRF-Token", csrf]);
  return headers;
}

export const keyIsHeld = (): boolean => heldKey !== null;
