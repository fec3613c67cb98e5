import { type AddressInfo, createServer } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createOidc } from "../identity/oidc.ts";
import { clientId, clientSecret, startProvider, type TestProvider, Visitor } from "../identity/provider.fixture.ts";
import { systemClock } from "../kernel/clock.ts";
import { startTestApp, type TestApp } from "../testing/app.ts";
import { recordOf } from "../testing/records.ts";

const roles = {
  claim: "groups",
  environments: { production: { leads: "approver", engineers: "operator" }, staging: { engineers: "builder" } },
} as const;

let app: TestApp;
let provider: TestProvider;
let faults: unknown[] = [];

/** A port that is free at this moment: the provider has to know the address to return to before the service listens there. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

beforeAll(async () => {
  const appUrl = `http://127.0.0.1:${await freePort()}`;
  provider = await startProvider(`${appUrl}/auth/oidc/callback`);
  const settings = {
    issuer: provider.issuer,
    clientId,
    clientSecret,
    name: "Example ID",
    scopes: "openid email profile",
    roles,
  };
  app = await startTestApp({ appUrl, provider: createOidc(settings, systemClock, (error) => faults.push(error)) });
});
afterAll(async () => {
  await app?.close();
  await provider?.close();
});
beforeEach(() => {
  provider.instead = null;
  faults = [];
});

let accounts = 0;
/** An account at the provider that signs in from now on. */
function account(claims: Record<string, unknown> = {}): string {
  const subject = `subject-${++accounts}`;
  provider.accounts.set(subject, {
    name: `Person ${accounts}`,
    email: `${subject}@example.com`,
    email_verified: true,
    ...claims,
  });
  provider.current = subject;
  return subject;
}

const start = (environment = "production", then = "/tasks"): string =>
  `${app.url}/auth/oidc/start?environment=${environment}&return=${encodeURIComponent(then)}`;

/** Signs in as a browser does, and says who that came to. */
async function signIn(environment?: string, visitor = new Visitor()) {
  const { address, response } = await visitor.go(start(environment), `${app.url}/tasks`);
  const session = await app.call("GET", "/auth/session", { key: null, headers: { cookie: visitor.cookies(app.url) } });
  return { address, response, session: session.body, status: session.status, visitor };
}

const invite = async (email: string, role: string, environment: "production" | "development" = "production") =>
  (await app.call("PUT", `/v1/admin/members/${email}`, { body: { role }, environment })).body.member_id as string;

describe("signing in by OpenID Connect", () => {
  it("makes a member of who has a role by their claims, and leads back to the page that was wanted", async () => {
    account({ groups: ["engineers"] });
    const { address, session } = await signIn();
    expect(address).toBe(`${app.url}/tasks`);
    expect(session).toMatchObject({
      method: "oidc",
      role: "operator",
      environment: "production",
      name: `Person ${accounts}`,
    });
    const [newest] = (await app.call("GET", "/v1/admin/members", { environment: "production" })).body.data;
    expect(newest).toMatchObject({
      member_id: session.member,
      email: `subject-${accounts}@example.com`,
      state: "active",
    });
  });

  it("is signing in as an invited member where the provider has verified their address", async () => {
    const subject = account();
    const memberId = await invite(`${subject}@example.com`, "auditor", "development");
    expect((await signIn("development")).session).toMatchObject({ member: memberId, role: "auditor" });
  });

  it("is not, where the provider has not verified it", async () => {
    const subject = account({ email_verified: false });
    await invite(`${subject}@example.com`, "auditor", "development");
    const { status, address } = await signIn("development");
    expect([status, new URL(address).search]).toEqual([401, "?failed=unauthenticated&next=%2Ftasks"]);
  });

  it("keeps to the account that a member was first bound to, whoever has their address later", async () => {
    account({ groups: ["engineers"] });
    const { session } = await signIn();
    account({ groups: ["engineers"], email: `subject-${accounts}@example.com` });
    provider.accounts.set(provider.current, {
      ...provider.accounts.get(provider.current),
      email: `subject-${accounts - 1}@example.com`,
    });
    expect((await signIn()).status).toBe(401);
    provider.current = `subject-${accounts - 1}`;
    expect((await signIn()).session.member).toBe(session.member);
  });

  it("makes no second member of an account, though its member's address was changed and the old one invited, or its claims would make one", async () => {
    const subject = account({ groups: ["engineers"] });
    const address = `${subject}@example.com`;
    const memberId = await invite(address, "auditor", "development");
    expect((await signIn("development")).session.member).toBe(memberId);
    const put = (member: string, body: object) =>
      app.call("PUT", `/v1/admin/members/${member}`, { body, environment: "development" });
    expect((await put(memberId, { role: "auditor", email: `gone-${address}` })).status).toBe(200);
    const members = async () => (await app.pool.query("select id from members order by id")).rows;
    const before = await members();
    const byClaims = await signIn("production");
    expect(byClaims.address).toContain("failed=account_already_bound");
    expect(await members()).toEqual(before);
    const other = await invite(address, "auditor", "development");
    const { address: came, status } = await signIn("development");
    expect([status, came]).toEqual([401, `${app.url}/sign-in?failed=account_already_bound&next=%2Ftasks`]);
    expect((await put(other, { role: null, email: `other-${address}` })).status).toBe(200);
    expect((await put(memberId, { role: "auditor", email: address.toUpperCase() })).status).toBe(200);
    expect((await signIn("development")).session).toMatchObject({ member: memberId, role: "auditor" });
  });

  it("sets the role by the claims each time, and takes it away with the claim", async () => {
    const subject = account({ groups: ["engineers", "leads"] });
    const first = await signIn();
    expect(first.session.role).toBe("approver");
    provider.accounts.set(subject, { ...provider.accounts.get(subject), groups: ["engineers"] });
    const second = await signIn();
    expect(second.session).toMatchObject({ role: "operator", member: first.session.member });
    provider.accounts.set(subject, { ...provider.accounts.get(subject), groups: [] });
    const { status, address } = await signIn();
    expect([status, address]).toEqual([401, `${app.url}/sign-in?failed=no_role_here&next=%2Ftasks`]);
    expect(
      (await app.call("GET", "/auth/session", { key: null, headers: { cookie: second.visitor.cookies(app.url) } }))
        .status,
    ).toBe(401);
  });

  it("leaves roles as they were set by hand where the mapping does not name the environment", async () => {
    const subject = account({ groups: ["engineers"] });
    await invite(`${subject}@example.com`, "viewer", "development");
    expect((await signIn("development")).session.role).toBe("viewer");
  });

  it("is begun again under the service's own address by who came to it by another host name", async () => {
    account({ groups: ["engineers"] });
    const elsewhere = start().replace("127.0.0.1", "localhost");
    const visitor = new Visitor();
    const { address } = await visitor.go(elsewhere, `${app.url}/tasks`);
    expect(address).toBe(`${app.url}/tasks`);
    const moved = await fetch(elsewhere, { redirect: "manual" });
    expect([moved.status, moved.headers.getSetCookie()]).toEqual([303, []]);
    // Behind a proxy that puts another host name in the place of the browser's, it goes on all the same.
    const again = (moved.headers.get("location") as string).replace("127.0.0.1", "localhost");
    expect((await fetch(again, { redirect: "manual" })).headers.get("location")).toContain(provider.issuer);
  });

  it("is recorded with who, how and which session, and so is what was refused", async () => {
    account({ groups: ["engineers"] });
    const visitor = new Visitor();
    const { response } = await visitor.go(start(), `${app.url}/tasks`);
    const session = (
      await app.call("GET", "/auth/session", { key: null, headers: { cookie: visitor.cookies(app.url) } })
    ).body;
    const record = await recordOf(app, response.headers.get("audit-ref"));
    expect(record).toMatchObject({
      ...{
        operation: "sessions.signInWithProvider",
        principal: session.member,
        object: `session:${session.session_id}`,
        status: 200,
      },
      outcome: "allowed",
    });
    account({ groups: [] });
    const refused = await new Visitor().go(start(), "/sign-in?");
    const about = await recordOf(app, refused.response.headers.get("audit-ref"));
    expect(about).toMatchObject({
      operation: "sessions.signInWithProvider",
      principal: "anonymous",
      status: 401,
      outcome: "refused",
    });
  });

  it("can be kept from people by a policy", async () => {
    account({ groups: ["engineers"] });
    const definition = {
      when: 'principal.role == "builder"',
      effect: "deny",
      reason_code: "no_portal",
      message: "Not here.",
    };
    await app.policy({ ...definition, scope: { actions: ["session.open"] } }, "active", "staging");
    expect((await signIn("staging")).address).toContain("failed=policy_blocked");
  });
});

describe("the way back from the provider", () => {
  /** Goes to the provider and back, up to the address with the code. */
  async function returned(visitor = new Visitor()): Promise<{ visitor: Visitor; callback: string }> {
    account({ groups: ["engineers"] });
    return { visitor, callback: (await visitor.go(start(), "/auth/oidc/callback?")).address };
  }
  const problem = async (callback: string, cookie: string) => {
    const { status, body, headers } = await app.call("GET", callback.slice(app.url.length), {
      key: null,
      headers: { cookie },
    });
    return {
      status,
      code: body.code,
      detail: body.detail,
      session: headers.getSetCookie().some((set) => set.includes("session_")),
    };
  };

  it("opens nothing in a browser that did not begin it", async () => {
    const { callback } = await returned();
    expect(await problem(callback, "")).toMatchObject({ status: 401, code: "unauthenticated", session: false });
    const other = await returned();
    expect(await problem(callback, other.visitor.cookies(app.url))).toMatchObject({ status: 401, session: false });
  });

  it("takes a code once", async () => {
    const { callback, visitor } = await returned();
    const cookie = visitor.cookies(app.url);
    expect((await fetch(callback, { redirect: "manual", headers: { cookie } })).status).toBe(303);
    expect(await problem(callback, cookie)).toMatchObject({ status: 401, code: "unauthenticated", session: false });
  });

  it("takes no ID token that was made for another sign-in", async () => {
    const { callback, visitor } = await returned();
    const [name = "", value = ""] = visitor.cookies(app.url).split("=");
    const flow = JSON.parse(Buffer.from(value, "base64url").toString());
    const forged = Buffer.from(JSON.stringify({ ...flow, nonce: "another" })).toString("base64url");
    expect(await problem(callback, `${name}=${forged}`)).toMatchObject({
      status: 502,
      code: "identity_provider_failed",
      session: false,
    });
  });

  it("says what the provider said where the person declined", async () => {
    const { callback, visitor } = await returned();
    const url = new URL(callback);
    url.searchParams.delete("code");
    url.searchParams.set("error", "access_denied");
    const declined = await problem(url.href, visitor.cookies(app.url));
    expect(declined).toMatchObject({
      status: 401,
      detail: "Example ID did not sign you in: it answered access_denied.",
    });
  });

  it.each([
    "//elsewhere.example/",
    "/\\elsewhere.example/",
    "https://elsewhere.example/",
    "/\t/elsewhere.example",
    "javascript:alert(1)",
  ])("leads to no page but the portal's own: %s", async (then) => {
    account({ groups: ["engineers"] });
    const visitor = new Visitor();
    const { address } = await visitor.go(start("production", then), "/auth/oidc/callback?");
    const response = await fetch(address, { redirect: "manual", headers: { cookie: visitor.cookies(app.url) } });
    expect([response.status, response.headers.get("location")]).toEqual([303, "/"]);
  });
});

describe("a provider that does not do its part", () => {
  it.each([
    ["is down", (_request: unknown, response: { destroy(): void }) => void response.destroy()],
    [
      "answers rubbish",
      (_request: unknown, response: { end(text: string): void }) => void response.end("<html>Welcome</html>"),
    ],
  ])("is told as that when it %s on the way back", async (_how, instead) => {
    account({ groups: ["engineers"] });
    const visitor = new Visitor();
    const { address } = await visitor.go(start(), "/auth/oidc/callback?");
    provider.instead = instead as TestProvider["instead"];
    const cookie = visitor.cookies(app.url);
    const { status, body } = await app.call("GET", address.slice(app.url.length), { key: null, headers: { cookie } });
    expect([status, body.code]).toEqual([502, "identity_provider_failed"]);
    expect(body.detail).toContain("Example ID");
    expect(faults).toHaveLength(1);
  });

  it("is told as that when it cannot be reached at all, and asked again the next time", async () => {
    const settings = {
      issuer: provider.issuer,
      clientId,
      clientSecret,
      name: "Example ID",
      scopes: "openid",
      roles: undefined,
    };
    const fresh = createOidc(settings, systemClock, () => undefined);
    provider.instead = (_request, response) => void response.destroy();
    await expect(fresh.begin(`${app.url}/auth/oidc/callback`)).rejects.toThrow("identity_provider_failed");
    provider.instead = null;
    expect((await fresh.begin(`${app.url}/auth/oidc/callback`)).url).toContain(`${provider.issuer}/auth?`);
  });
});
