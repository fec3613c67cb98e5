import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { insideCall } from "../../../../pipeline/inside.ts";
import { useSharedApp } from "../../../../testing/shared-app.ts";
import { issueKey } from "./issue-key.ts";

const app = useSharedApp();
const day = 86_400_000;

/** Issues a key and answers what the service said; 201 by default. */
async function issue(body: Record<string, unknown>, key?: string, status = 201, headers?: Record<string, string>) {
  const answered = await app.call("POST", "/v1/admin/keys", {
    body: { name: "test", ...body },
    ...(key && { key }),
    ...(headers && { headers }),
  });
  expect(answered.status, answered.text).toBe(status);
  return answered;
}

describe("POST /v1/admin/keys", () => {
  it("answers a key that works at once and tells all of it but once", async () => {
    const { body } = await issue({ role: "operator", scopes: ["tasks:read"], agents: ["sales"], rate_per_second: 7 });
    expect(body).toMatchObject({
      role: "operator",
      scopes: ["tasks:read"],
      agents: ["sales"],
      rate_per_second: 7,
      state: "active",
      environment: "development",
    });
    expect(body.key).toMatch(/^aos_dev_[0-9A-Za-z]{38}$/);
    expect(body.start).toBe(body.key.slice(0, 12));
    expect(body.last_four).toBe(body.key.slice(-4));
    const me = await app.call("GET", "/v1/admin/whoami", { key: body.key });
    expect(me.body.key.key_id).toBe(body.key_id);
  });

  it("expires after 90 days by default, and never where asked", async () => {
    const standard = await issue({ role: "viewer" });
    expect(Date.parse(standard.body.expires_at) - Date.parse(standard.body.created_at)).toBe(90 * day);
    const asked = await issue({ role: "viewer", expires_in_days: 3650 });
    expect(Date.parse(asked.body.expires_at) - Date.parse(asked.body.created_at)).toBe(3650 * day);
    expect((await issue({ role: "viewer", expires_in_days: null })).body.expires_at).toBeNull();
  });

  it("acts for the caller by default", async () => {
    const admin = await app.member("admin");
    const { body } = await issue({ role: "viewer" }, admin.secret);
    expect(body).toMatchObject({ member_id: admin.memberId, member_kind: "person", created_by: admin.memberId });
  });

  it("makes a service account at its first use and takes the same one again", async () => {
    const first = await issue({ role: "operator", for: { service_account: "intake" } });
    const second = await issue({ role: "builder", for: { service_account: "intake" } });
    expect(first.body).toMatchObject({ member_kind: "service_account", member_name: "intake" });
    expect(second.body.member_id).toBe(first.body.member_id);
    const me = await app.call("GET", "/v1/admin/whoami", { key: first.body.key });
    expect(me.body.principal).toEqual({
      id: first.body.member_id,
      kind: "service_account",
      role: "operator",
      personal: false,
    });
  });

  it("leaves keys ended that ended with an earlier role of the service account", async () => {
    const old = await issue({ role: "viewer", for: { service_account: "returning" } });
    await app.pool.query("update members set roles = '{}' where id = $1", [old.body.member_id]);
    await issue({ role: "viewer", for: { service_account: "returning" } });
    expect((await app.call("GET", "/v1/admin/whoami", { key: old.body.key })).status).toBe(401);
  });

  it("does not give a person's key more than the person's role", async () => {
    const viewer = await app.member("viewer");
    const { body } = await issue({ role: "operator", for: { member: viewer.memberId } }, undefined, 422);
    expect(body.errors).toMatchObject([{ pointer: "/role", code: "exceeds_member" }]);
    await issue({ role: "viewer", for: { member: viewer.memberId } });
  });

  it("refuses members that do not exist, were removed or have no role here", async () => {
    const [gone, elsewhere] = [await app.member("admin"), await app.member("admin", "production")];
    await app.pool.query("update members set removed_at = now() where id = $1", [gone.memberId]);
    for (const [member, code] of [
      ["mbr_x", "unknown_member"],
      [gone.memberId, "unknown_member"],
      [elsewhere.memberId, "no_role"],
    ]) {
      const { body } = await issue({ role: "viewer", for: { member } }, undefined, 422);
      expect(body.errors).toMatchObject([{ pointer: "/for/member", code }]);
    }
  });

  it("tells every fault at once, each with its place", async () => {
    const { body } = await issue(
      {
        name: "",
        role: "boss",
        scopes: ["tasks:raed"],
        addresses: ["10.0.0.0/33", "192.0.2.7", "fe80::1%eth0"],
        expires_in_days: 0,
        for: {},
        extra: 1,
      },
      undefined,
      422,
    );
    const places = body.errors.map((fault: { pointer: string }) => fault.pointer);
    expect(new Set(places)).toEqual(
      new Set(["/name", "/role", "/scopes/0", "/addresses/0", "/addresses/2", "/expires_in_days", "/for", "/extra"]),
    );
    expect(body.errors.find((fault: { pointer: string }) => fault.pointer === "/scopes/0").detail).toContain(
      "tasks:read",
    );
  });

  it.each(["Deploy\nkey", "Deploy\u0007", "Deploy\u202eyek", "\t", "\u0000"])(
    "refuses %j as a name: people have to see what it is",
    async (name) => {
      const { body } = await issue({ role: "viewer", name }, undefined, 422);
      expect(body.errors[0]).toMatchObject({ pointer: "/name" });
    },
  );

  it("refuses a scope that the role does not have", async () => {
    const { body } = await issue({ role: "viewer", scopes: ["tasks:read", "tasks:write"] }, undefined, 422);
    expect(body.errors).toMatchObject([{ pointer: "/scopes/1", code: "scope_not_in_role" }]);
  });

  it("never grants more than the key that issues it, and names everything that is too much", async () => {
    const narrow = await issue({
      role: "admin",
      scopes: ["admin:write", "tasks:read"],
      agents: ["sales"],
      addresses: ["127.0.0.0/8"],
      rate_per_second: 50,
      expires_in_days: 10,
    });
    const all = await issue({ role: "viewer", expires_in_days: null }, narrow.body.key, 403);
    expect(all.body.code).toBe("grants_too_much");
    expect(all.body.errors.map((fault: { pointer: string }) => fault.pointer)).toEqual([
      "/scopes",
      "/agents",
      "/addresses",
      "/rate_per_second",
      "/expires_in_days",
    ]);
    const some = await issue(
      {
        role: "admin",
        scopes: ["tasks:read", "admin:read"],
        agents: ["sales", "other"],
        addresses: ["127.1.0.0/16", "10.0.0.1"],
        rate_per_second: 51,
        expires_in_days: 11,
      },
      narrow.body.key,
      403,
    );
    expect(some.body.errors.map((fault: { pointer: string }) => fault.pointer)).toEqual([
      "/scopes/1",
      "/agents/1",
      "/addresses/1",
      "/rate_per_second",
      "/expires_in_days",
    ]);
    const within = await issue(
      { role: "viewer", scopes: ["tasks:read"], agents: ["sales"], addresses: ["127.1.0.0/16"], rate_per_second: 50 },
      narrow.body.key,
    );
    expect(within.body.expires_at).toBe(narrow.body.expires_at);
  });

  it("issues for the environment of the call and no other", async () => {
    const answered = await app.call("POST", "/v1/admin/keys", {
      environment: "production",
      body: { name: "test", role: "viewer" },
    });
    expect(answered.body.environment).toBe("production");
    expect(answered.body.key).toMatch(/^aos_prd_/);
    expect((await issue({ role: "viewer", environment: "production" }, undefined, 422)).body.errors).toMatchObject([
      { pointer: "/environment" },
    ]);
  });

  it("answers a repetition without the key, says so, and keeps the key nowhere", async () => {
    const headers = { "idempotency-key": "issue once" };
    const [first, second] = [
      await issue({ role: "viewer" }, undefined, 201, headers),
      await issue({ role: "viewer" }, undefined, 201, headers),
    ];
    expect(second.headers.get("idempotent-replayed")).toBe("true");
    const { key, ...rest } = first.body;
    expect(second.body).toEqual({ ...rest, secret_withheld: true });
    const { rows } = await app.pool.query("select count(*)::int as keys from keys where id = $1", [first.body.key_id]);
    expect(rows[0].keys).toBe(1);
    expect(await placesOf(key)).toEqual([]);
    expect(await placesOf(first.body.key_id)).toEqual(expect.arrayContaining(["audit_records", "keys"]));
  });

  it("stores the SHA-256 of the key", async () => {
    const { body } = await issue({ role: "viewer" });
    const { rows } = await app.pool.query("select secret_hash from keys where id = $1", [body.key_id]);
    expect(rows[0].secret_hash).toEqual(createHash("sha256").update(body.key).digest());
  });

  it("shows no key and makes none in a dry run", async () => {
    const before = await app.pool.query("select count(*)::int as n from keys");
    const answered = await app.call("POST", "/v1/admin/keys?dry_run=true", { body: { name: "test", role: "viewer" } });
    expect(answered.body).toMatchObject({ dry_run: true, response_status: 201 });
    expect(answered.text).not.toMatch(/aos_dev_/);
    expect((await app.pool.query("select count(*)::int as n from keys")).rows).toEqual(before.rows);
  });
});

describe("an issued key", () => {
  it("is held to its scopes", async () => {
    const { body } = await issue({ role: "operator", scopes: ["tasks:read"] });
    expect((await app.call("GET", "/v1/tasks", { key: body.key })).status).toBe(200);
    const refused = await app.call("POST", "/v1/agents/sales/tasks", {
      key: body.key,
      body: { task: "qualify_lead", lead_id: "ld_1001" },
    });
    expect(refused.body).toMatchObject({ status: 403, missing_scope: "tasks:write" });
  });

  it("is held to its agents", async () => {
    const { body } = await issue({ role: "operator", agents: ["support"] });
    const refused = await app.call("POST", "/v1/agents/sales/tasks", {
      key: body.key,
      body: { task: "qualify_lead", lead_id: "ld_1001" },
    });
    expect(refused.body).toMatchObject({ status: 403, missing_scope: "agent:sales" });
  });

  it("is held to its addresses", async () => {
    const [here, elsewhere] = [
      await issue({ role: "viewer", addresses: ["127.0.0.1"] }),
      await issue({ role: "viewer", addresses: ["192.0.2.0/24"] }),
    ];
    expect((await app.call("GET", "/v1/admin/whoami", { key: here.body.key })).status).toBe(200);
    expect((await app.call("GET", "/v1/admin/whoami", { key: elsewhere.body.key })).body).toMatchObject({
      status: 403,
      code: "address_not_allowed",
    });
  });

  it("stops when it expires", async () => {
    const { body } = await issue({ role: "viewer" });
    await app.pool.query("update keys set expires_at = now() where id = $1", [body.key_id]);
    await app.call("POST", "/v1/admin/keys", { body: { name: "reload", role: "viewer" } });
    const refused = await app.call("GET", "/v1/admin/whoami", { key: body.key });
    expect(refused.body).toMatchObject({ status: 401, detail: "The key has expired." });
    expect(refused.headers.get("www-authenticate")).toContain('error="invalid_token"');
  });

  it("is refused without a look at the database where it is mistyped", async () => {
    const { body } = await issue({ role: "viewer" });
    const mistyped = body.key.slice(0, -1) + (body.key.at(-1) === "0" ? "1" : "0");
    // Whoever asked the database would find this one.
    await app.pool.query("update keys set secret_hash = $1 where id = $2", [
      createHash("sha256").update(mistyped).digest(),
      body.key_id,
    ]);
    const refused = await app.call("GET", "/v1/admin/whoami", { key: mistyped });
    expect(refused.body).toMatchObject({ status: 401, detail: "The key is mistyped: its checksum does not fit." });
  });
});

/** Every table that holds a text, in any of its columns; bytes are searched as they are. */
async function placesOf(text: string): Promise<string[]> {
  const { rows: tables } = await app.pool.query<{ name: string }>(
    `select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind in ('r', 'p') and not c.relispartition and n.nspname in ('public', 'graphile_worker')`,
  );
  const hex = Buffer.from(text).toString("hex");
  const found: string[] = [];
  for (const { name } of tables) {
    const { rows } = await app.pool.query(
      `select 1 from ${name} t where position($1 in t::text) > 0 or position($2 in t::text) > 0 limit 1`,
      [text, hex],
    );
    if (rows.length > 0) found.push(name);
  }
  return found;
}

describe("a key that its person takes up", () => {
  const issue = async (key: string, body: object) =>
    (await app.call("POST", "/v1/admin/keys", { key, body: { name: "k", role: "approver", ...body } })).body;
  const whoami = async (key: string) => (await app.call("GET", "/v1/admin/whoami", { key })).body.principal.personal;
  const issuersOf = async (id: string) =>
    (await app.pool.query("select issuers from keys where id = $1", [id])).rows[0].issuers;

  it("is personal where they issued it to themselves from a sign-in of theirs, and so is what they issue to themselves with it", async () => {
    const alice = await app.signedInMember("admin");
    const second = await issue(alice.secret, { role: "admin" });
    const third = await issue(second.key, {});
    for (const { key, key_id, personal } of [second, third]) {
      expect([personal, await whoami(key), await issuersOf(key_id)]).toEqual([true, true, []]);
    }
    const { data } = (await app.call("GET", `/v1/admin/keys?member=${alice.memberId}`)).body;
    expect(data.map((key: { personal: boolean }) => key.personal)).toEqual([true, true, true]);
  });

  it("is not personal from any other credential, for others, or for a service account; everybody accountable is kept", async () => {
    const [alice, bob] = [await app.signedInMember("admin"), await app.member("admin")];
    const forBob = await issue(alice.secret, { role: "admin", for: { member: bob.memberId } });
    const own = await issue(forBob.key, { role: "admin" });
    const forAlice = await issue(own.key, { for: { member: alice.memberId } });
    const robot = await issue(own.key, { role: "admin", for: { service_account: "issuer" } });
    const byRobot = await issue(robot.key, { for: { member: bob.memberId } });
    for (const [key, issuers] of [
      [forBob, [alice.memberId]],
      [own, [alice.memberId]],
      [forAlice, [bob.memberId]],
      [robot, [alice.memberId, bob.memberId]],
      [byRobot, [alice.memberId, robot.member_id]],
    ] as const) {
      expect(key.personal).toBe(false);
      expect((await issuersOf(key.key_id)).toSorted()).toEqual([...issuers].toSorted());
    }
  });

  it("stays theirs and stops being personal when their e-mail address is changed: somebody else may sign in as them", async () => {
    const alice = await app.signedInMember("admin");
    await app.pool.query("update members set email = 'Alice@example.com' where id = $1", [alice.memberId]);
    await app.pool.query("update keys set personal_email = 'alice@example.com' where id = $1", [alice.keyId]);
    const renew = async () => {
      await app.pool.query("update fact_epochs set epoch = epoch + 1 where topic = 'keys'");
      await app.app.facts.refresh();
    };
    await renew();
    const second = await issue(alice.secret, {});
    expect([await whoami(alice.secret), await whoami(second.key)]).toEqual([true, true]);
    await app.pool.query("update members set email = 'mallory@example.com' where id = $1", [alice.memberId]);
    await renew();
    expect([await whoami(alice.secret), await whoami(second.key)]).toEqual([false, false]);
    expect((await issue(alice.secret, {})).personal).toBe(false);
  });

  it("of the first start and of the host's command line has the host among its issuers", async () => {
    const { rows } = await app.pool.query("select personal, issuers from keys where created_by = 'system:seed'");
    expect(rows).toEqual([{ personal: false, issuers: ["host"] }]);
    const { pipeline, newId } = app.app;
    const body = { name: "host", role: "approver", for: { member: (await app.member("approver")).memberId } };
    const { output } = await pipeline.run(issueKey, insideCall(newId("req"), issueKey, "cli", app.scope, {}, body));
    expect(await issuersOf((output as { key_id: string }).key_id)).toEqual(["host"]);
  });
});
