import { get } from "./client.ts";
import { Problem, problemOf, unreachable } from "./problem.ts";
import { credentials, holdCsrf, holdKey, keyIsHeld, type Session } from "./session-state.ts";

export type { Session } from "./session-state.ts";

// Signing in and out (`/auth/`), which is no operation of the interface: a session is a principal like any other, and this is how a browser gets one.

async function auth(method: string, path: string, body?: unknown): Promise<Session | null> {
  const headers = new Headers(credentials(method));
  if (body !== undefined) headers.set("Content-Type", "application/json");
  let response: Response;
  try {
    response = await fetch(path, {
      method,
      headers,
      credentials: "same-origin",
      cache: "no-store",
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  } catch (error) {
    throw unreachable(error);
  }
  const said: unknown = response.status === 204 ? null : await response.json().catch(() => null);
  if (!response.ok) throw problemOf(response, said);
  return said as Session | null;
}

function hold(session: Session | null): Session | null {
  holdCsrf(session?.csrf ?? null);
  return session;
}

/** Who is signed in; null: nobody. */
export async function readSession(): Promise<Session | null> {
  if (keyIsHeld()) return sessionOfKey();
  try {
    return hold(await auth("GET", "/auth/session"));
  } catch (error) {
    if (error instanceof Problem && (error.status === 401 || error.status === 404)) return hold(null);
    throw error;
  }
}

/** Signs in with a secret key. */
export async function signInWithKey(key: string): Promise<Session | null> {
  try {
    await auth("POST", "/auth/session", { key });
  } catch (error) {
    if (!(error instanceof Problem) || ![404, 405].includes(error.status)) throw error;
    return sessionOfHeldKey(key);
  }
  return readSession();
}

/** Signs in with the token of a one-time link. */
export async function signInWithLink(token: string): Promise<Session | null> {
  await auth("POST", "/auth/link", { token });
  return readSession();
}

/** Ends the session here and at the service. */
export async function signOut(): Promise<void> {
  if (!keyIsHeld()) await auth("DELETE", "/auth/session");
  holdKey(null);
  holdCsrf(null);
}

/** A service without sessions: the key itself, in memory, until the page is left. */
async function sessionOfHeldKey(key: string): Promise<Session> {
  holdKey(key);
  try {
    return await sessionOfKey();
  } catch (error) {
    holdKey(null);
    throw error;
  }
}

async function sessionOfKey(): Promise<Session> {
  const { principal, environment, agents, key } = await get("/v1/admin/whoami", {});
  const name = key?.name ?? principal.id;
  return { member: principal.id, name, role: principal.role ?? "", environment, agents, csrf: "", expires_at: key?.expires_at ?? "" };
}

/** The session, read once and kept until it ends. */
export const sessionQuery = { queryKey: ["session"], queryFn: readSession, staleTime: Number.POSITIVE_INFINITY } as const;
