import { noteConnection } from "./connection.ts";
import { Problem, problemOf, unreachable } from "./problem.ts";
import { csrfHeaders, holdCsrf, type Session } from "./session-state.ts";

export type { Session } from "./session-state.ts";

// Signing in and out (`/auth/`), which is no operation of the interface: a session is a principal like any other, and this is how a browser gets one.

export async function auth<T = Session>(method: string, path: string, body?: unknown): Promise<T | null> {
  const headers = new Headers(csrfHeaders(method));
  if (body !== undefined) headers.set("Content-Type", "application/json");
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  let response: Response;
  try {
    response = await fetch(path, { method, headers, credentials: "same-origin", cache: "no-store", ...sent });
  } catch (error) {
    noteConnection(false);
    throw unreachable(error);
  }
  noteConnection(true);
  const said: unknown = response.status === 204 ? null : await response.json().catch(() => null);
  if (!response.ok) throw problemOf(response, said);
  return said as T | null;
}

/** Takes a session for the one of this page. */
export function hold(session: Session | null): Session | null {
  holdCsrf(session?.csrf ?? null);
  return session;
}

/** Who is signed in; null: nobody. */
export async function readSession(): Promise<Session | null> {
  try {
    return hold(await auth("GET", "/auth/session"));
  } catch (error) {
    if (error instanceof Problem && error.status === 401) return hold(null);
    throw error;
  }
}

/** Signs in with a secret key, which is not kept. */
export const signInWithKey = async (key: string): Promise<Session | null> =>
  hold(await auth("POST", "/auth/session", { key }));

/** Signs in with the token of a one-time link. */
export const signInWithLink = async (token: string): Promise<Session | null> =>
  hold(await auth("POST", "/auth/link", { token }));

/** Ends the session here and at the service. One that has ended already is as good. */
export async function signOut(): Promise<void> {
  try {
    await auth("DELETE", "/auth/session");
  } catch (error) {
    if (!(error instanceof Problem) || error.status !== 401) throw error;
  }
  holdCsrf(null);
}

/** The session, read once and kept until it ends. */
export const sessionQuery = {
  queryKey: ["session"],
  queryFn: readSession,
  staleTime: Number.POSITIVE_INFINITY,
} as const;
