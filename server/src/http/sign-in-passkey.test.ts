import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { sessionFacts } from "../features/admin/index.ts";
import { createMailer } from "../identity/mail.ts";
import { type Mailbox, startMailbox } from "../identity/mailbox.fixture.ts";
import { hashOfSecret } from "../kernel/sessions.ts";
import { startTestApp, type TestApp } from "../testing/app.ts";
import { Authenticator } from "../testing/authenticator.ts";
import { recordOf } from "../testing/records.ts";
import { linkToken, type SignedIn, signIn } from "../testing/sessions.ts";

const appUrl = "https://agents.example.com";
const here = { origin: appUrl, rpId: "agents.example.com" };
const key = null;

let app: TestApp;
let mailbox: Mailbox;
const said: string[] = [];

beforeAll(async () => {
  mailbox = await startMailbox();
  const sendMail = createMailer(mailbox.url, "Agents <agents@example.com>");
  app = await startTestApp({ publicUrl: appUrl, role: "all", sendMail });
});
afterAll(async () => {
  await app?.close();
  await mailbox?.close();
});

const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  app.call("POST", path, { key, body, headers });

/** The token that somebody was sent; waits until the e-mail is there and the call that sent it has ended. */
async function tokenOf(email: string, after = 0): Promise<string> {
  const token = await mailbox.token(email, after);
  const kept = async () =>
    (await app.pool.query("select 1 from invitations where token_hash = decode($1, 'hex')", [hashOfSecret(token)]))
      .rowCount === 1;
  await vi.waitUntil(kept, { timeout: 20_000, interval: 20 });
  return token;
}

let people = 0;
/** Invites a person and answers what they were sent. */
async function invited(role = "approver", environment: "production" | "staging" = "production") {
  const email = `person-${++people}@example.com`;
  const answered = await app.call("PUT", `/v1/admin/members/${email}`, { body: { role }, environment });
  said.push(answered.text);
  return { email, memberId: answered.body.member_id as string, token: await tokenOf(email) };
}

const challengeOf = async (token: string): Promise<string> =>
  (await post("/auth/invitation/options", { token })).body.options.challenge;

/** A person who has taken their invitation up. */
async function member(role?: string) {
  const { email, memberId, token } = await invited(role);
  const device = new Authenticator();
  const response = device.register({ ...here, challenge: await challengeOf(token) });
  const answered = await post("/auth/invitation", { token, name: "Laptop", response });
  if (answered.status !== 200) throw new Error(answered.text);
  const cookie = answered.headers.get("set-cookie")?.split(";")[0] ?? "";
  const change: SignedIn["change"] = (method, path, body) =>
    app.call(method, path, { key, body, headers: { cookie, "x-csrf-token": answered.body.csrf } });
  const call = (path: string) => app.call("GET", path, { key, headers: { cookie } });
  return { email, memberId, token, device, session: answered.body, answered, cookie, change, call };
}

const challenge = async (): Promise<string> => (await app.call("GET", "/auth/passkey/options", { key })).body.challenge;
const enter = (response: object, environment = "production") => post("/auth/passkey", { environment, response });

/** Whom a session acts for, as the pipeline takes it. */
const principalOf = (cookie: string) =>
  app.app.facts.get(sessionFacts).find(hashOfSecret(cookie.slice(cookie.indexOf("=") + 1)), app.app.facts)?.holder
    .principal;

describe("a session", () => {
  it("is its person's alone where they signed in in person, and also the host's where a link opened it", async () => {
    const { cookie, memberId } = await member();
    expect(principalOf(cookie)).toMatchObject({ id: memberId, personal: true, issuers: [] });
    const byLink = await signIn(app, { token: await linkToken(app, memberId, "production") });
    expect(principalOf(byLink.cookie)).toMatchObject({ id: memberId, personal: false, issuers: ["host"] });
  });
});

describe("an invitation", () => {
  it("is e-mailed to its person, who makes a passkey by it and is signed in", async () => {
    const { session, memberId } = await member();
    expect(session).toMatchObject({ method: "passkey", member: memberId, role: "approver", environment: "production" });
    const [{ state, invitation_sent_at }] = (
      await app.call("GET", "/v1/admin/members?kind=person&limit=1", { environment: "production" })
    ).body.data;
    expect([state, invitation_sent_at === null]).toEqual(["active", false]);
  });

  it("works once", async () => {
    const { token } = await member();
    const again = await post("/auth/invitation", {
      token,
      name: "Other",
      response: new Authenticator().register({ ...here, challenge: await challenge() }),
    });
    expect([again.status, again.body.code]).toEqual([401, "unauthenticated"]);
  });

  it("shows its link to nobody but its person: not in an answer, a record, an event or a job", async () => {
    const { token } = await member();
    const { rows } = await app.pool.query<{ tables: string }>(
      "select table_schema || '.' || table_name as tables from information_schema.tables where table_schema in ('public', 'graphile_worker') and table_type = 'BASE TABLE'",
    );
    for (const { tables } of rows) {
      const { rows: found } = await app.pool.query(
        `select 1 from ${tables} t where t::text like '%' || $1 || '%' limit 1`,
        [token],
      );
      expect(found, tables).toEqual([]);
    }
    expect(said.join()).not.toContain(token);
  });

  it("ends when it is sent again, after 24 hours, and with its person's role", async () => {
    const { email, memberId, token } = await invited();
    const before = mailbox.messages.length;
    expect(
      (await app.call("POST", `/v1/admin/members/${memberId}/invitation`, { environment: "production", body: {} }))
        .status,
    ).toBe(200);
    const second = await tokenOf(email, before);
    const open = async (given: string) => (await post("/auth/invitation/options", { token: given })).status;
    expect([await open(token), await open(second)]).toEqual([401, 200]);
    await app.call("PUT", `/v1/admin/members/${memberId}`, { environment: "production", body: { role: null } });
    expect(await open(second)).toBe(403);
    await app.pool.query("update invitations set expires_at = now() where member_id = $1", [memberId]);
    expect(await open(second)).toBe(401);
  });

  it("is tried again with another link where the mail server did not take the e-mail", async () => {
    mailbox.broken = true;
    const email = "patient@example.com";
    await app.call("PUT", `/v1/admin/members/${email}`, { body: { role: "viewer" } });
    await vi.waitUntil(() => mailbox.refused > 0, { timeout: 20_000, interval: 20 });
    mailbox.broken = false;
    expect((await post("/auth/invitation/options", { token: await tokenOf(email) })).status).toBe(200);
  });

  it.each([
    [
      "a service account",
      async () =>
        (
          await app.call("POST", "/v1/admin/keys", {
            body: { name: "bot", role: "viewer", for: { service_account: "bot" } },
          })
        ).body.member_id,
    ],
    ["a person without an e-mail address", async () => (await app.member("viewer")).memberId],
  ])("is refused for %s", async (_who, made) => {
    const { status, body } = await app.call("POST", `/v1/admin/members/${await made()}/invitation`, { body: {} });
    expect([status, body.code]).toEqual([409, "not_invitable"]);
  });
});

describe("signing in by a passkey", () => {
  it("opens a session of its person in the environment that they chose, and is recorded", async () => {
    const { device, memberId } = await member();
    const answered = await enter(device.sign({ ...here, challenge: await challenge() }));
    expect(answered.body).toMatchObject({ method: "passkey", member: memberId });
    const record = await recordOf(app, answered.headers.get("audit-ref"));
    expect(record).toMatchObject({ operation: "sessions.signInWithPasskey", principal: memberId, key_id: null });
  });

  it("opens none where they have no role, and says where they have one", async () => {
    const { device } = await member();
    const { status, body } = await enter(device.sign({ ...here, challenge: await challenge() }), "staging");
    expect([status, body.code, body.detail]).toEqual([
      403,
      "no_role_here",
      "You have no role in staging. You have one in production.",
    ]);
  });

  it.each<[string, (device: Authenticator, good: string) => object]>([
    [
      "a tampered challenge",
      (device, good) => device.sign({ ...here, challenge: good.replace(/^./, (first) => (first === "A" ? "B" : "A")) }),
    ],
    [
      "a challenge of its own making",
      (device) => device.sign({ ...here, challenge: Buffer.alloc(70, 1).toString("base64url") }),
    ],
    [
      "another origin",
      (device, good) =>
        device.sign({ ...here, challenge: good, origin: "https://agents.example.com.elsewhere.example" }),
    ],
    ["another relying party", (device, good) => device.sign({ ...here, challenge: good, rpId: "elsewhere.example" })],
    ["no verified person", (device, good) => device.sign({ ...here, challenge: good, verified: false })],
    ["a counter that goes back", (device, good) => device.sign({ ...here, challenge: good, counter: 1 })],
    ["a passkey that nobody registered", (_device, good) => new Authenticator().sign({ ...here, challenge: good })],
    [
      "another response's signature",
      (device, good) => ({
        ...device.sign({ ...here, challenge: good }),
        response: { clientDataJSON: "e30", authenticatorData: "AA", signature: "AA" },
      }),
    ],
  ])("is refused with %s", async (_what, answer) => {
    const { device } = await member();
    await enter(device.sign({ ...here, challenge: await challenge(), counter: 5 }));
    const { status, body, headers } = await enter(answer(device, await challenge()));
    expect([status, body.code, headers.get("set-cookie")]).toEqual([401, "unauthenticated", null]);
  });

  it("takes each answer once, also where two come at the same moment, from an authenticator that does not count", async () => {
    const { device } = await member();
    await app.pool.query("update passkeys set counter = 0 where credential_id = $1", [device.id.toString("base64url")]);
    const answer = device.sign({ ...here, challenge: await challenge(), counter: 0 });
    const statuses = (await Promise.all([enter(answer), enter(answer)])).map(({ status }) => status);
    expect(statuses.sort()).toEqual([200, 401]);
    expect((await enter(answer)).status).toBe(401);
  });

  it("takes no challenge that was issued for adding a passkey", async () => {
    const { device } = await member();
    const { token } = await invited();
    expect((await enter(device.sign({ ...here, challenge: await challengeOf(token) }))).status).toBe(401);
  });

  it.each([
    [{}],
    [{ environment: "production" }],
    [{ environment: "live", response: {} }],
    [{ environment: "production", response: { id: 7 } }],
  ])("says what is wrong with %j", async (body) => {
    const { status, body: problem } = await post("/auth/passkey", body);
    expect([status, problem.code]).toEqual([422, "invalid_body"]);
  });
});

describe("registering a passkey", () => {
  it.each<[string, (device: Authenticator, good: string) => object]>([
    [
      "a tampered challenge",
      (device, good) =>
        device.register({ ...here, challenge: good.replace(/.$/, (last) => (last === "A" ? "Q" : "A")) }),
    ],
    [
      "another origin",
      (device, good) => device.register({ ...here, challenge: good, origin: "https://elsewhere.example" }),
    ],
    ["no verified person", (device, good) => device.register({ ...here, challenge: good, verified: false })],
  ])("is refused with %s, and leaves the invitation open", async (_what, answer) => {
    const { token } = await invited();
    const bad = await post("/auth/invitation", {
      token,
      name: "Laptop",
      response: answer(new Authenticator(), await challengeOf(token)),
    });
    expect([bad.status, bad.body.code]).toEqual([422, "passkey_not_accepted"]);
    expect((await post("/auth/invitation/options", { token })).status).toBe(200);
  });

  it("takes no challenge of another person's invitation", async () => {
    const [own, other] = [await invited(), await invited()];
    const response = new Authenticator().register({ ...here, challenge: await challengeOf(other.token) });
    expect((await post("/auth/invitation", { token: own.token, name: "Laptop", response })).status).toBe(422);
  });
});

describe("a person's passkeys", () => {
  const another = async (person: Awaited<ReturnType<typeof member>>, device = new Authenticator()) => {
    const options = (await person.change("POST", "/auth/passkeys/options", {})).body;
    return {
      device,
      answered: await person.change("POST", "/auth/passkeys", {
        name: "Phone",
        response: device.register({ ...here, challenge: options.challenge }),
      }),
    };
  };

  it("are listed, added and removed by them, and a removed one ends the sessions that it opened", async () => {
    const person = await member();
    const { answered, device } = await another(person);
    expect([answered.status, answered.body.name]).toEqual([201, "Phone"]);
    const entered = await enter(device.sign({ ...here, challenge: await challenge() }));
    const cookie = entered.headers.get("set-cookie")?.split(";")[0] ?? "";
    const there = () => app.call("GET", "/v1/tasks", { key, headers: { cookie } });
    expect((await there()).status).toBe(200);
    expect((await person.change("DELETE", `/auth/passkeys/${answered.body.passkey_id}`, {})).status).toBe(200);
    expect((await there()).status).toBe(401);
    expect((await enter(device.sign({ ...here, challenge: await challenge() }))).status).toBe(401);
    expect((await person.call("/auth/passkeys")).body.data).toMatchObject([{ name: "Laptop" }]);
  });

  it("are added by nobody else: not by a session that a link or a key of theirs opened", async () => {
    const { memberId } = await member();
    const byLink = await signIn(app, { token: await linkToken(app, memberId, "production") });
    const issued = { name: "theirs", role: "approver", for: { member: memberId } };
    const byKey = await signIn(app, {
      key: (await app.call("POST", "/v1/admin/keys", { body: issued, environment: "production" })).body.key,
    });
    for (const session of [byLink, byKey]) {
      const { status, body } = await session.change("POST", "/auth/passkeys/options", {});
      expect([status, body.code]).toEqual([403, "personal_sign_in_required"]);
    }
  });

  it("stay their person's, also when they are void: nobody else registers the same one", async () => {
    const [readdressed, removing] = [await member(), await member()];
    const body = { role: "approver", email: `gone-${readdressed.email}` };
    expect(
      (await app.call("PUT", `/v1/admin/members/${readdressed.memberId}`, { environment: "production", body })).status,
    ).toBe(200);
    const [{ passkey_id }] = (await removing.call("/auth/passkeys")).body.data;
    expect((await removing.change("DELETE", `/auth/passkeys/${passkey_id}`, {})).status).toBe(200);
    for (const { device } of [readdressed, removing]) {
      const { token } = await invited();
      const response = device.register({ ...here, challenge: await challengeOf(token) });
      const { status, body: problem } = await post("/auth/invitation", { token, name: "Laptop", response });
      expect([status, problem.code]).toEqual([422, "passkey_not_accepted"]);
    }
  });

  it("are removed by nobody else", async () => {
    const [one, two] = [await member(), await member()];
    const [{ passkey_id }] = (await one.call("/auth/passkeys")).body.data;
    expect((await two.change("DELETE", `/auth/passkeys/${passkey_id}`, {})).status).toBe(404);
  });
});

describe("another e-mail address", () => {
  const production = { environment: "production" } as const;
  const change = (memberId: string, email: string, role = "approver", options: object = production) =>
    app.call("PUT", `/v1/admin/members/${memberId}`, { ...options, body: { role, email } });

  it("voids what its person signed in with: sessions, passkeys and open invitations", async () => {
    const { memberId, device, call, email } = await member();
    const before = mailbox.messages.length;
    await app.call("POST", `/v1/admin/members/${memberId}/invitation`, { ...production, body: {} });
    const open = await tokenOf(email, before);
    const changed = await change(memberId, `new-${email}`);
    expect([changed.status, changed.body.email]).toEqual([200, `new-${email}`]);
    expect((await call("/v1/tasks")).status).toBe(401);
    expect((await enter(device.sign({ ...here, challenge: await challenge() }))).status).toBe(401);
    expect((await post("/auth/invitation/options", { token: open })).status).toBe(401);
  });

  it("is not given by admins of one environment to who has a role in another too, nor twice", async () => {
    const [one, two] = [await member(), await member()];
    await app.call("PUT", `/v1/admin/members/${one.memberId}`, { body: { role: "viewer" } });
    const elsewhere = await change(one.memberId, "taken-over@example.com", "viewer", {});
    expect([elsewhere.status, elsewhere.body.code, elsewhere.body.detail]).toEqual([
      409,
      "email_not_changeable",
      "The person also has a role in production, and you, or who issued your credential, are not admin in production.",
    ]);
    expect((await one.call("/v1/tasks")).status).toBe(200);
    expect((await change(two.memberId, one.email)).body.code).toBe("email_not_changeable");
  });

  it("is given in production to who has a role elsewhere too, by whom and whose key's issuers are admins everywhere", async () => {
    const everywhere = `{"development":"admin","staging":"admin","production":"admin"}`;
    const admin = await app.member("admin", "production");
    await app.pool.query("update members set roles = $2 where id = $1", [admin.memberId, everywhere]);
    const issued = (
      await app.call("POST", "/v1/admin/keys", {
        ...production,
        body: { name: "x", role: "admin", for: { member: admin.memberId } },
      })
    ).body.key;
    const change = async (key: string) =>
      (
        await app.call("PUT", `/v1/admin/members/${admin.memberId}`, {
          key,
          body: { role: "admin", email: "admin@example.com" },
        })
      ).body;
    expect((await change(issued)).code).toBe("email_not_changeable"); // issued by an admin of production alone
    const development = await app.member("admin");
    await app.pool.query("update keys set member_id = $2 where id = $1", [development.keyId, admin.memberId]);
    await app.pool.query("update fact_epochs set epoch = epoch + 1 where topic = 'keys'");
    await app.app.facts.refresh();
    expect((await change(development.secret)).detail).toContain("change it in production");
    expect((await change(admin.secret)).email).toBe("admin@example.com");
  });

  it("is refused where it is none", async () => {
    const { memberId } = await app.member("viewer", "production");
    const { status, body } = await change(memberId, "nobody", "viewer");
    expect([status, body.errors[0].pointer]).toEqual([422, "/email"]);
  });
});
