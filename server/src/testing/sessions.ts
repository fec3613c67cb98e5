import { makeLink } from "../features/admin/index.ts";
import type { Environment } from "../kernel/principal.ts";
import type { Answered, TestApp } from "./app.ts";

/** A signed-in browser, as far as the interface sees one: its cookie, and the token that its page sends with changes. */
export interface SignedIn {
  readonly answered: Answered;
  /** As `GET /auth/session` answers it. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into it
  readonly session: any;
  /** `name=value`. */
  readonly cookie: string;
  /** A call by the session; `headers` on top of the cookie. */
  call(method: string, path: string, headers?: Record<string, string>, body?: unknown): Promise<Answered>;
  /** The same as the portal makes a change, with its token. */
  change(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answered>;
}

/** The token of a new one-time link; without a member for the person who was here first. */
export async function linkToken(
  app: TestApp,
  member: string | null = null,
  environment: Environment = "development",
): Promise<string> {
  const { url } = await app.app.inside(makeLink, "cli", { ...app.scope, environment }, { member });
  return url.slice(url.indexOf("#token=") + "#token=".length);
}

/** Signs in by a key, or by the token of a link. */
export async function signIn(
  app: TestApp,
  by: { key: string } | { token: string },
  headers: Record<string, string> = {},
): Promise<SignedIn> {
  const answered = await app.call("POST", "key" in by ? "/auth/session" : "/auth/link", {
    key: null,
    body: by,
    headers,
  });
  const cookie = answered.headers.get("set-cookie")?.split(";")[0] ?? "";
  const call: SignedIn["call"] = (method, path, more = {}, body) =>
    app.call(method, path, { key: null, body, headers: { cookie, ...more } });
  return {
    answered,
    session: answered.body,
    cookie,
    call,
    change: (method, path, body, more = {}) =>
      call(method, path, { "x-csrf-token": answered.body.csrf, ...more }, body),
  };
}
