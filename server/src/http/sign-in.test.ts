import { describe, expect, it } from "vitest";
import { makeLink } from "../features/admin/index.ts";
import { useApp } from "../testing/app.ts";

const app = useApp();

/** The token of a new link for the person who was here first. */
async function linkToken(): Promise<string> {
  const { url } = await app.app.inside(makeLink, "cli", app.scope, { member: null });
  return url.slice(url.indexOf("#token=") + "#token=".length);
}

/** Signs in; answers the session and the means to call by it. */
async function signIn(by: { key: string } | { token: string }) {
  const answered = await app.call("POST", "key" in by ? "/auth/session" : "/auth/link", { key: null, body: by });
  const cookie = answered.headers.get("set-cookie")?.split(";")[0] ?? "";
  const call = (method: string, path: string, headers: Record<string, string> = {}, body?: unknown) =>
    app.call(method, path, { key: null, body, headers: { cookie, ...headers } });
  const change = (method: string, path: string, body: unknown, headers: Record<string, string> = {}) =>
    call(method, path, { "x-csrf-token": answered.body.csrf, ...headers }, body);
  return { answered, session: answered.body, cookie, call, change };
}

describe("signing in by a one-time link", () => {
  it("opens a session of the person with their role, and answers calls by its cookie", async () => {
    const { answered, session, call } = await signIn({ token: await linkToken() });
    expect(answered.status).toBe(200);
    expect(session).toMatchObject({ member_kind: "member", name: "Owner", role: "admin", environment: "development", method: "link" });
    expect((await call("GET", "/auth/session")).body).toEqual(session);
    expect((await call("GET", "/v1/admin/whoami")).body).toMatchObject({ principal: { id: session.member, role: "admin" }, key: null });
  });

  it("works once", async () => {
    const token = await linkToken();
    const first = await signIn({ token });
    const second = await signIn({ token });
    expect([first.answered.status, second.answered.status]).toEqual([200, 401]);
    expect(second.answered.body.detail).toContain("aos link");
    expect(second.answered.headers.get("set-cookie")).toBeNull();
  });
});

describe("signing in by a key", () => {
  it("opens a session that may do what the key may do", async () => {
    const { session, call } = await signIn({ key: app.key("viewer") });
    expect(session).toMatchObject({ role: "viewer", method: "key" });
    expect((await call("GET", "/v1/tasks")).status).toBe(200);
    expect((await call("GET", "/v1/admin/keys")).body.code).toBe("insufficient_scope");
  });
});

describe("a change by a session", () => {
  it("needs the session's own token", async () => {
    const { call, change } = await signIn({ token: await linkToken() });
    const body = { task: "qualify_lead", lead_id: "ld_1001", require_approval: true };
    expect((await call("POST", "/v1/agents/sales/tasks", {}, body)).body.code).toBe("cross_site_request");
    expect((await call("POST", "/v1/agents/sales/tasks", { "x-csrf-token": "made-up" }, body)).body.code).toBe("cross_site_request");
    expect((await change("POST", "/v1/agents/sales/tasks", body)).status).toBe(202);
  });
});

describe("signing out", () => {
  it("ends the session and takes the cookie away", async () => {
    const { call, change, cookie } = await signIn({ token: await linkToken() });
    const out = await change("DELETE", "/auth/session", undefined);
    expect(out.status).toBe(200);
    expect(out.headers.get("set-cookie")).toContain(`${cookie.split("=")[0]}=; Max-Age=0`);
    expect((await call("GET", "/auth/session")).status).toBe(401);
    expect((await call("GET", "/v1/tasks")).status).toBe(401);
  });
});
