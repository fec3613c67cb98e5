import { describe, expect, it } from "vitest";
import { recordOf } from "../testing/records.ts";
import { linkToken, signIn } from "../testing/sessions.ts";
import { useSharedApp } from "../testing/shared-app.ts";

const app = useSharedApp();
const dispatch = { task: "qualify_lead", lead_id: "ld_1001", require_approval: true };

describe("signing in by a one-time link", () => {
  it("opens a session of the person with their role, and answers calls by its cookie", async () => {
    const { answered, session, call } = await signIn(app, { token: await linkToken(app) });
    expect(answered.status).toBe(200);
    expect(session).toMatchObject({
      member_kind: "member",
      name: "Owner",
      role: "admin",
      environment: "development",
      method: "link",
    });
    expect((await call("GET", "/auth/session")).body).toEqual(session);
    expect((await call("GET", "/v1/admin/whoami")).body).toMatchObject({
      principal: { id: session.member, role: "admin" },
      key: null,
    });
  });

  it("works once, also where two open it at the same moment", async () => {
    const token = await linkToken(app);
    const both = await Promise.all([signIn(app, { token }), signIn(app, { token })]);
    expect(both.map(({ answered }) => answered.status).sort()).toEqual([200, 401]);
    const late = await signIn(app, { token });
    expect(late.answered.body.detail).toContain("aos link");
    expect(late.cookie).toBe("");
  });

  it("signs whom it was made for in to the environment it was made for", async () => {
    const { memberId } = await app.member("approver", "staging");
    const { session, call } = await signIn(app, { token: await linkToken(app, memberId, "staging") });
    expect(session).toMatchObject({ member: memberId, role: "approver", environment: "staging" });
    expect((await call("GET", "/v1/admin/keys")).body.code).toBe("insufficient_scope");
  });

  it("is not used up by a dry run, which opens nothing", async () => {
    const token = await linkToken(app);
    const dry = await app.call("POST", "/auth/link?dry_run=true", { key: null, body: { token } });
    expect([dry.status, dry.body.response_status, dry.headers.get("set-cookie")]).toEqual([200, 200, null]);
    expect((await signIn(app, { token })).answered.status).toBe(200);
  });
});

describe("signing in by a key", () => {
  it("opens a session that may do what the key may do, narrowed as the key is", async () => {
    const narrow = { name: "narrow", role: "operator", scopes: ["tasks:read", "tasks:write"], agents: ["support"] };
    const { key } = (await app.call("POST", "/v1/admin/keys", { body: narrow })).body;
    const { session, call, change } = await signIn(app, { key });
    expect(session).toMatchObject({ role: "operator", method: "key", scopes: narrow.scopes, agents: narrow.agents });
    expect((await call("GET", "/v1/tasks")).status).toBe(200);
    expect((await call("GET", "/v1/agents/sales")).body.missing_scope).toBe("agents:read");
    expect((await change("POST", "/v1/agents/sales/tasks", dispatch)).body.missing_scope).toBe("agent:sales");
  });

  it("leaves the secrets of cookies and links nowhere but with who holds them", async () => {
    const token = await linkToken(app);
    const { cookie } = await signIn(app, { token });
    const secret = cookie.slice(cookie.indexOf("=") + 1);
    for (const table of ["sessions", "sign_in_links", "audit_records"]) {
      const { rows } = await app.pool.query(`select ${table}::text as row from ${table}`);
      expect(rows.length).toBeGreaterThan(0);
      for (const { row } of rows) for (const text of [secret, token]) expect(row).not.toContain(text);
    }
  });

  it.each([
    ["no body", undefined, 422, "/key"],
    ["no key in the body", {}, 422, "/key"],
    ["a key that is no text", { key: 7 }, 422, "/key"],
    ["broken JSON", "{", 400, "Line 1"],
    ["a mistyped key", { key: "aos_dev_mistyped" }, 401, "checksum"],
  ])("says what is wrong with %s", async (_what, body, status, part) => {
    const answered = await app.call("POST", "/auth/session", { key: null, body });
    expect([answered.status, answered.headers.get("set-cookie")]).toEqual([status, null]);
    expect(answered.body.detail).toContain(part);
    expect(answered.headers.get("audit-ref")).toMatch(/^aud_/);
  });
});

describe("a change by a session", () => {
  it("needs the session's own token, and that of no other", async () => {
    const { call, change } = await signIn(app, { token: await linkToken(app) });
    const other = await signIn(app, { key: app.key("admin") });
    const refused = [{}, { "x-csrf-token": "" }, { "x-csrf-token": other.session.csrf }];
    for (const headers of refused) {
      const { status, body } = await call(
        "POST",
        "/v1/agents/sales/tasks",
        headers as Record<string, string>,
        dispatch,
      );
      expect([status, body.code]).toEqual([403, "cross_site_request"]);
    }
    expect((await change("POST", "/v1/agents/sales/tasks", dispatch)).status).toBe(202);
  });

  it("is decided by the person, whom the approval and the record name", async () => {
    const { call, change, session } = await signIn(app, { token: await linkToken(app) });
    const { task_id } = await app.dispatch();
    const { digest } = (await call("GET", `/v1/approvals/${task_id}`)).body;
    const decided = await change("POST", `/v1/approvals/${task_id}/approve`, { digest });
    expect(decided.status).toBe(200);
    const record = await recordOf(app, decided.headers.get("audit-ref"));
    expect(record).toMatchObject({ principal: session.member, key_id: null, operation: "approvals.approve" });
    expect(record.stages[0].reasons).toEqual(["role:admin", `session:${session.session_id}`]);
    expect((await call("GET", `/v1/approvals/${task_id}`)).body.votes[0]).toMatchObject({
      voter: { id: session.member },
    });
  });

  it("decides no approval where a service account signed in", async () => {
    const { key } = (
      await app.call("POST", "/v1/admin/keys", {
        body: { name: "bot", role: "approver", for: { service_account: "bot" } },
      })
    ).body;
    const { session, change } = await signIn(app, { key });
    expect(session.member_kind).toBe("service_account");
    const { task_id } = await app.dispatch();
    expect((await change("POST", `/v1/approvals/${task_id}/approve`, {})).body.code).toBe("persons_only");
  });
});

describe("a page of another origin", () => {
  it.each([
    ["sec-fetch-site", "cross-site"],
    ["sec-fetch-site", "same-site"],
    ["origin", "https://elsewhere.example"],
    ["origin", "null"],
  ])("gets nothing by the cookie: %s is %s", async (header, value) => {
    const { call, change } = await signIn(app, { token: await linkToken(app) });
    expect((await call("GET", "/v1/tasks", { [header]: value })).body.code).toBe("cross_site_request");
    expect((await change("POST", "/v1/agents/sales/tasks", dispatch, { [header]: value })).body.code).toBe(
      "cross_site_request",
    );
  });

  it("signs nobody in, so that nobody works in a session that is not theirs", async () => {
    const token = await linkToken(app);
    const elsewhere = { "sec-fetch-site": "cross-site", origin: "https://elsewhere.example" };
    expect((await signIn(app, { token }, elsewhere)).answered.body.code).toBe("cross_site_request");
    expect((await signIn(app, { key: app.key("admin") }, elsewhere)).answered.status).toBe(403);
    expect((await signIn(app, { token })).answered.status).toBe(200);
  });

  it("is distinguished from the portal's own, whether at the public address or at that of the service", async () => {
    const { call } = await signIn(app, { token: await linkToken(app) });
    for (const origin of ["http://127.0.0.1:4000", app.url])
      expect((await call("GET", "/v1/tasks", { origin })).status).toBe(200);
    expect((await call("GET", "/v1/tasks", { "sec-fetch-site": "same-origin" })).status).toBe(200);
  });

  it("may still read by a key, but not what a session is answered", async () => {
    const { call } = await signIn(app, { key: app.key("viewer") });
    const bySession = await call("GET", "/v1/tasks");
    expect(bySession.headers.get("access-control-allow-origin")).toBeNull();
    expect(bySession.headers.get("cache-control")).toBe("no-store");
    expect((await app.call("GET", "/v1/tasks")).headers.get("access-control-allow-origin")).toBe("*");
  });
});

describe("a key that is sent beside the cookie", () => {
  it("wins, and needs no token", async () => {
    const { call } = await signIn(app, { key: app.key("viewer") });
    const authorization = `Bearer ${app.key("admin")}`;
    expect((await call("GET", "/v1/admin/whoami", { authorization })).body.principal.role).toBe("admin");
    expect((await call("POST", "/v1/agents/sales/tasks", { authorization }, dispatch)).status).toBe(202);
    expect((await call("GET", "/v1/tasks", { authorization: "Bearer nonsense" })).status).toBe(401);
  });
});

describe("signing out", () => {
  it("ends the session and takes the cookie away", async () => {
    const { call, change, cookie } = await signIn(app, { token: await linkToken(app) });
    expect((await call("DELETE", "/auth/session")).body.code).toBe("cross_site_request");
    const out = await change("DELETE", "/auth/session");
    expect(out.status).toBe(200);
    expect(out.headers.get("set-cookie")).toContain(`${cookie.split("=")[0]}=; Max-Age=0`);
    for (const path of ["/auth/session", "/v1/tasks"]) expect((await call("GET", path)).status).toBe(401);
  });

  it("is not needed to sign in again: the browser's earlier session ends by that", async () => {
    const first = await signIn(app, { key: app.key("viewer") });
    const second = await signIn(app, { key: app.key("admin") }, { cookie: first.cookie });
    expect((await first.call("GET", "/v1/tasks")).status).toBe(401);
    expect((await second.call("GET", "/v1/tasks")).status).toBe(200);
  });
});

describe("the audit log", () => {
  it("has a record of each sign-in and sign-out, with who, how and which session", async () => {
    const { memberId, keyId, secret } = await app.member("operator");
    const { answered, session, change } = await signIn(app, { key: secret });
    const out = await change("DELETE", "/auth/session");
    const who = { principal: memberId, key_id: keyId, object: `session:${session.session_id}` };
    const [signedIn, signedOut] = [
      await recordOf(app, answered.headers.get("audit-ref")),
      await recordOf(app, out.headers.get("audit-ref")),
    ];
    expect(signedIn).toMatchObject({ ...who, operation: "sessions.signInWithKey" });
    expect(signedOut).toMatchObject({ ...who, operation: "sessions.signOut" });
  });

  it("has a record of an attempt that failed, beside that of a page that asked who is signed in", async () => {
    await app.call("GET", "/auth/session", { key: null });
    const { answered } = await signIn(app, { token: "A".repeat(43) });
    const record = await recordOf(app, answered.headers.get("audit-ref"));
    // Equal refusals of one second share a record, so whose attempt it names is not told here.
    expect(record).toMatchObject({ operation: "sessions.signInWithLink", status: 401, outcome: "refused" });
  });
});

describe("a policy", () => {
  it("can keep people from signing in, and nobody from signing out", async () => {
    const before = await signIn(app, { token: await linkToken(app, null, "production") });
    const definition = {
      when: 'principal.role == "admin"',
      effect: "deny",
      reason_code: "no_portal",
      message: "Not here.",
    };
    await app.policy({ ...definition, scope: { actions: ["session.open"] } }, "active", "production");
    const refused = await signIn(app, { token: await linkToken(app, null, "production") });
    expect(refused.answered.body).toMatchObject({ status: 403, code: "policy_blocked" });
    expect((await before.call("GET", "/auth/session")).status).toBe(200);
    expect((await before.change("DELETE", "/auth/session")).status).toBe(200);
  });
});
