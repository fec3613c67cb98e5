import { beforeAll, describe, expect, it, vi } from "vitest";
import { useApp } from "../../../../testing/app.ts";
import { type SignedIn, signIn } from "../../../../testing/sessions.ts";
import { useSharedApp } from "../../../../testing/shared-app.ts";

const app = useSharedApp();
const path = "/v1/governance/confirmations";
type Person = Awaited<ReturnType<typeof app.signedInMember>>;
let alice: Person;
let bob: Person;
let ofAlice: SignedIn;
let ofBob: SignedIn;

beforeAll(async () => {
  alice = await app.signedInMember("builder");
  bob = await app.signedInMember("approver");
  ofAlice = await signIn(app, { key: alice.secret });
  ofBob = await signIn(app, { key: bob.secret });
});

/** A schedule that Alice made, with the content as Bob reads it. */
async function content(key = alice.secret) {
  const body = { task: "qualify_lead", input: { lead_id: "ld_1001" }, schedule: "0 7 * * *" };
  const made = await app.call("POST", "/v1/agents/sales/schedules", { key, body });
  const object = `schedule:${made.body.schedule_id}`;
  return {
    object,
    digest: (await read(object)).digest as string,
    path: `/v1/agents/sales/schedules/${made.body.schedule_id}`,
  };
}
const read = async (object: string, by: SignedIn = ofBob) =>
  (await by.call("GET", `/v1/governance/contents/${object}`)).body;
const confirm = (by: SignedIn, body: object) => by.change("POST", path, body);

describe("confirming content", () => {
  it("records the review and reports it, and repeating it responds with what exists", async () => {
    const { object, digest } = await content();
    expect(await read(object)).toMatchObject({
      deciders: [{ member: { id: alice.memberId }, how: "owner" }],
      confirmed: null,
      may_confirm: { allowed: true, reason: null },
    });
    const first = await confirm(ofBob, { object, digest });
    const { body } = first;
    expect(body).toMatchObject({ object, digest, how: "confirmed", confirmed_by: bob.memberId });
    const again = await confirm(ofBob, { object, digest });
    expect(again.body).toEqual(body);
    for (const { status, headers } of [first, again])
      expect([status, headers.get("location")]).toEqual([201, `/v1/governance/contents/${object}`]);
    const { rows } = await app.pool.query(
      "select body::json as body from events where type = 'content.confirmed' and body::json ->> 'object' = $1",
      [object],
    );
    expect(rows).toEqual([{ body: { event: "content.confirmed", object, digest, confirmed_by: bob.memberId } }]);
    expect(await read(object)).toMatchObject({ confirmed: body, may_confirm: { allowed: false } });
    const listed = await app.call("GET", `${path}?object=${object}`);
    expect(listed.body.data).toEqual([body]);
  });

  it("is reported once where two people confirm it at the same time", async () => {
    const { object, digest } = await content();
    const other = await app.pool.connect();
    await other.query("begin");
    await other.query(
      `insert into confirmations (organization, environment, id, object, digest, how, confirmed_by, created_at)
       values ('default', 'development', 'cnf_01jd8x0000000000000000000r', $1, $2, 'confirmed', $3, now())`,
      [object, digest, alice.memberId],
    );
    const late = confirm(ofBob, { object, digest });
    await vi.waitFor(async () => {
      const { rows } = await app.pool.query("select 1 from pg_locks where not granted");
      expect(rows).not.toEqual([]);
    }, 10_000);
    await other.query("commit");
    other.release();
    const { status, body } = await late;
    expect([status, body.confirmed_by]).toEqual([201, alice.memberId]);
    const { rows } = await app.pool.query(
      "select 1 from events where type = 'content.confirmed' and body::json ->> 'object' = $1",
      [object],
    );
    expect(rows).toEqual([]);
  });

  it("is not for its author, whatever the credential", async () => {
    const { object, digest } = await content();
    const { status, body } = await confirm(ofAlice, { object, digest });
    expect([status, body.code, body.stage]).toEqual([403, "decided_by_you", "permissions"]);
    expect(body.detail).toBe("You set up this schedule, so another person must confirm it.");
    expect((await read(object, ofAlice)).may_confirm).toEqual({ allowed: false, reason: body.detail });
    const byKey = await app.call("POST", path, { key: alice.secret, body: { object, digest } });
    expect(byKey.body).toMatchObject({ code: "decided_by_you", detail: body.detail });
  });

  it("is not for whoever issued the credential that wrote it", async () => {
    const admin = await app.signedInMember("admin");
    const robot = await app.call("POST", "/v1/admin/keys", {
      key: admin.secret,
      body: { name: "maker", role: "builder", for: { service_account: "maker" } },
    });
    const { object, digest } = await content(robot.body.key);
    const { body } = await confirm(await signIn(app, { key: admin.secret }), { object, digest });
    expect(body.detail).toBe("You issued the credential that set up this schedule, so another person must confirm it.");
  });

  it("takes a session of a person who signed in personally", async () => {
    const { object, digest } = await content();
    const byKey = await app.call("POST", path, { key: bob.secret, body: { object, digest } });
    expect([byKey.status, byKey.body.code]).toEqual([403, "not_signed_in_personally"]);
    expect(byKey.body.detail).toMatch(
      /^Content is confirmed in the portal, signed in by passkey or OpenID Connect: http\S+\/sign-in$/,
    );
    const impersonal = await signIn(app, { key: (await app.member("approver")).secret });
    expect((await confirm(impersonal, { object, digest })).body).toMatchObject({
      code: "not_signed_in_personally",
      detail: "You signed in with a key or a link. Sign out and sign in with a passkey or OpenID Connect.",
    });
    const robot = await app.call("POST", "/v1/admin/keys", {
      body: { name: "robot", role: "admin", for: { service_account: "robot" } },
    });
    const byRobot = await app.call("POST", path, { key: robot.body.key, body: { object, digest } });
    expect([byRobot.status, byRobot.body.code]).toEqual([403, "persons_only"]);
    expect(byRobot.body.detail).toBe(`Only a person can confirm ${object}. This key belongs to a service account.`);
  });

  it("takes the digest of the content as it is now, and another review after a change", async () => {
    const { object, digest, path: where } = await content();
    const stale = await confirm(ofBob, { object, digest: "another" });
    expect([stale.status, stale.body.code, stale.body.digest]).toEqual([409, "content_changed", digest]);
    expect((await confirm(ofBob, { object, digest })).status).toBe(201);
    const patched = await app.call("PATCH", where, { key: alice.secret, body: { input: { lead_id: "ld_1002" } } });
    expect(patched.status, patched.text).toBe(200);
    const changed = await read(object);
    expect(changed).toMatchObject({ confirmed: null, may_confirm: { allowed: true } });
    expect(changed.digest).not.toBe(digest);
  });

  it("says what it does not know", async () => {
    const none = await confirm(ofBob, { object: "schedule:sch_01jd8x0000000000000000000s", digest: "x" });
    expect([none.status, none.body.code]).toEqual([404, "not_found"]);
    const unknown = await confirm(ofBob, { object: "weather:vienna", digest: "x" });
    expect(unknown.body).toMatchObject({ status: 422, errors: [{ pointer: "/object", code: "unknown_kind" }] });
    expect(unknown.body.errors[0].detail).toContain("schedule");
  });

  it("takes what reading the content takes", async () => {
    const { object, digest } = await content();
    const admin = await app.signedInMember("admin");
    const issued = await app.call("POST", "/v1/admin/keys", {
      key: admin.secret,
      body: { name: "narrow", role: "approver", scopes: ["governance:confirm", "governance:read"] },
    });
    const session = await signIn(app, { key: issued.body.key });
    const refused = await confirm(session, { object, digest });
    expect([refused.status, refused.body.missing_scope]).toEqual([403, "agents:read"]);
    expect((await session.call("GET", `/v1/governance/contents/${object}`)).body.missing_scope).toBe("agents:read");
  });
});

describe("an installation where nobody can sign in personally", () => {
  const alone = useApp({ personalSignIn: false });

  it("says what to set up before content can be confirmed", async () => {
    const body = { task: "qualify_lead", input: { lead_id: "ld_1001" }, schedule: "0 7 * * *" };
    const made = await alone.call("POST", "/v1/agents/sales/schedules", { body });
    const object = `schedule:${made.body.schedule_id}`;
    const { secret } = await alone.member("approver");
    const refused = await alone.call("POST", path, { key: secret, body: { object, digest: "x" } });
    expect([refused.status, refused.body.code]).toEqual([403, "no_second_person"]);
  });
});
