import { describe, expect, it } from "vitest";
import { startTestApp, type TestApp, useApp } from "../../../../testing/app.ts";

const app = useApp();

const set = (member: string, body: unknown, options = {}) =>
  app.call("PUT", `/v1/admin/members/${encodeURIComponent(member)}`, { body, ...options });
const whoami = async (key: string) => (await app.call("GET", "/v1/admin/whoami", { key })).status;

describe("a person who is invited", () => {
  it("is a member in waiting until a key of theirs was used", async () => {
    const { status, body } = await set("new.person@example.com", { role: "approver", name: "Sample Approver" });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      kind: "person",
      name: "Sample Approver",
      email: "new.person@example.com",
      role: "approver",
      state: "invited",
      keys: 0,
    });
    expect(body.invited_by).toMatch(/^mbr_/);
    const issued = await app.call("POST", "/v1/admin/keys", {
      body: { name: "first", role: "approver", for: { member: body.member_id } },
    });
    expect(issued.status).toBe(201);
    expect((await set(body.member_id, { role: "approver" })).body).toMatchObject({ state: "invited", keys: 1 });
    await app.pool.query("update keys set last_used_at = now() where id = $1", [issued.body.key_id]);
    expect((await set(body.member_id, { role: "approver" })).body.state).toBe("active");
  });

  it("is one member however often, and at whatever moment, and in whatever case the address is given", async () => {
    const spellings = ["twice@example.com", "Twice@Example.com", "TWICE@example.com", "twice@example.com"];
    const answers = await Promise.all(spellings.map((member) => set(member, { role: "viewer" })));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(new Set(answers.map(({ body }) => body.member_id)).size).toBe(1);
    expect((await set("twice@example.com", { role: "operator" })).body).toMatchObject({
      role: "operator",
      member_id: answers[0]?.body.member_id,
    });
  });

  it("has the address as name where none is given, and it can be changed", async () => {
    const { body } = await set("nameless@example.com", { role: "viewer" });
    expect(body.name).toBe("nameless@example.com");
    expect((await set(body.member_id, { role: "viewer", name: "Sample Viewer" })).body.name).toBe("Sample Viewer");
  });

  it("has to have an address that can be one, and a role: else it is 404", async () => {
    for (const member of ["nobody", "a@b", "two@at@example.com", "mbr_01jd8x0000000000000000000g", " @example.com"]) {
      expect([member, (await set(member, { role: "viewer" })).body.code]).toEqual([member, "not_found"]);
    }
    expect((await set("unknown@example.com", { role: null })).body.code).toBe("not_found");
    expect((await app.pool.query("select from members where email = 'unknown@example.com'")).rowCount).toBe(0);
  });
});

describe("a role", () => {
  it("is of the environment of the call alone", async () => {
    const { memberId } = await app.member("viewer");
    expect((await set(memberId, { role: "admin" }, { environment: "staging" })).body.role).toBe("admin");
    const { rows } = await app.pool.query("select roles from members where id = $1", [memberId]);
    expect(rows).toEqual([{ roles: { development: "viewer", staging: "admin" } }]);
  });

  it("that is taken away ends the member's keys here, for good", async () => {
    const { memberId, secret } = await app.member("operator");
    expect(await whoami(secret)).toBe(200);
    expect((await set(memberId, { role: null })).body).toMatchObject({ role: null, keys: 0 });
    expect(await whoami(secret)).toBe(401);
    expect((await set(memberId, { role: "operator" })).body).toMatchObject({ role: "operator", keys: 0 });
    expect(await whoami(secret)).toBe(401);
  });

  it("that is smaller ends the keys that it does not cover, of service accounts too, and leaves the others", async () => {
    const issue = async (role: string) =>
      (await app.call("POST", "/v1/admin/keys", { body: { name: role, role, for: { service_account: "intake" } } }))
        .body;
    const [viewer, operator] = [await issue("viewer"), await issue("operator")];
    await set(operator.member_id, { role: "builder" });
    expect([await whoami(viewer.key), await whoami(operator.key)]).toEqual([200, 200]);
    expect((await set(operator.member_id, { role: "viewer" })).body).toMatchObject({
      kind: "service_account",
      keys: 1,
    });
    expect([await whoami(viewer.key), await whoami(operator.key)]).toEqual([200, 401]);
    const { rows } = await app.pool.query(
      "select body::json as told from events where type = 'key.revoked' and body::json ->> 'member_id' = $1",
      [operator.member_id],
    );
    expect(rows).toMatchObject([{ told: { key_id: operator.key_id, name: "operator", role: "operator" } }]);
    const renamed = await set(operator.member_id, { role: "viewer", name: "other" });
    expect(renamed.body.errors).toMatchObject([{ pointer: "/name", code: "not_changeable" }]);
  });

  it("is not given by a key that is narrowed, and not said in the record without its words", async () => {
    const narrow = (
      await app.call("POST", "/v1/admin/keys", { body: { name: "narrow", role: "admin", scopes: ["admin:write"] } })
    ).body.key;
    const { memberId } = await app.member("viewer");
    expect((await set(memberId, { role: "admin" }, { key: narrow })).body.code).toBe("grants_too_much");
    const { headers } = await set(memberId, { role: "auditor" });
    const { body } = await app.call("GET", `/v1/audit/events/${headers.get("audit-ref")}`);
    expect(body.object).toBe(`member:${memberId}`);
    expect(JSON.stringify(body.stages)).toContain("role: viewer before, auditor now");
  });
});

describe("the last person who can administer an environment", () => {
  const production = { environment: "production" } as const;

  it("stays, until another one has an admin key; then only one of two can go", async () => {
    const own = (await app.call("GET", "/v1/admin/whoami", production)).body.principal.id as string;
    const others = await app.pool.query("select id from members where roles ->> 'production' = 'admin' and id <> $1", [
      own,
    ]);
    for (const { id } of others.rows) expect((await set(id, { role: null }, production)).status).toBe(200);
    const refused = await set(own, { role: "viewer" }, production);
    expect([refused.status, refused.body.code]).toEqual([409, "last_admin"]);
    const invited = (await set("second@example.com", { role: "admin" }, production)).body;
    expect((await set(own, { role: null }, production)).body.code).toBe("last_admin"); // the second has no key yet
    const second = (
      await app.call("POST", "/v1/admin/keys", {
        ...production,
        body: { name: "second", role: "admin", for: { member: invited.member_id } },
      })
    ).body;
    const both = await Promise.all([
      set(own, { role: "viewer" }, { key: second.key }),
      set(invited.member_id, { role: "viewer" }, production),
    ]);
    const codes = both.map(({ status, body }) => body.code ?? status);
    expect(codes.filter((code) => code === 200)).toHaveLength(1);
    const { rows } = await app.pool.query(
      "select count(*)::int as n from members where roles ->> 'production' = 'admin'",
    );
    expect(rows[0].n).toBe(1);
  });
});

describe("who rules over an environment", () => {
  const staging = { environment: "staging" } as const;
  const issue = async (own: TestApp, body: object, key = own.key("admin", "staging")) =>
    (await own.call("POST", "/v1/admin/keys", { key, body: { name: "more", role: "admin", ...body } })).body;
  /** Ends all keys that rule over staging but those of these ids. */
  const keepOnly = async (own: TestApp, ...ids: string[]) => {
    await own.pool.query("update keys set revoked_at = now() where environment = 'staging' and id <> all($1)", [ids]);
    await own.pool.query("update fact_epochs set epoch = epoch + 1 where topic = 'keys'");
    await own.app.facts.refresh();
  };
  const ruling = async (own: TestApp): Promise<number> => {
    const { rows } = await own.pool.query(
      `select count(*)::int as n from keys k join members m on m.organization = k.organization and m.id = k.member_id
       where k.environment = 'staging' and k.role = 'admin' and k.scopes is null and k.agents is null and k.revoked_at is null and m.roles ? 'staging'`,
    );
    return rows[0].n;
  };

  it("is left one key when one of two takes the other's role while that one revokes the first one's key", async () => {
    const own = await startTestApp();
    try {
      for (let round = 0; round < 12; round++) {
        const [a, b] = [await own.member("admin", "staging"), await own.member("admin", "staging")];
        await keepOnly(own, a.keyId, b.keyId);
        const answers = await Promise.all([
          own.call("PUT", `/v1/admin/members/${a.memberId}`, { key: b.secret, body: { role: "viewer" } }),
          own.call("DELETE", `/v1/admin/keys/${b.keyId}`, { key: a.secret }),
        ]);
        expect(answers.map(({ status }) => status).filter((status) => status === 200)).toHaveLength(1);
        expect(await ruling(own)).toBe(1);
      }
    } finally {
      await own.close();
    }
  });

  it("is nobody whose admin key is limited to scopes or agents", async () => {
    const own = await startTestApp();
    try {
      const [admin, other] = [await own.member("admin", "staging"), await own.member("admin", "staging")];
      for (const narrow of [{ scopes: ["admin:read", "admin:write"] }, { agents: ["sales"] }]) {
        const narrowed = await issue(own, { ...narrow, for: { member: other.memberId } }, admin.secret);
        await keepOnly(own, admin.keyId, narrowed.key_id);
        const lowered = await own.call("PUT", `/v1/admin/members/${admin.memberId}`, {
          key: admin.secret,
          body: { role: "viewer" },
        });
        expect(lowered.body).toMatchObject({
          status: 409,
          code: "last_admin",
          detail: expect.stringContaining("not limited to scopes or agents"),
        });
        const revoked = await own.call("DELETE", `/v1/admin/keys/${admin.keyId}`, { key: admin.secret });
        expect(revoked.body).toMatchObject({
          status: 409,
          code: "last_admin_key",
          detail: expect.stringContaining("not limited"),
        });
      }
    } finally {
      await own.close();
    }
  });

  it("may be a service account, whose role stays while its key is the last one", async () => {
    const own = await startTestApp();
    try {
      const robot = await issue(own, { for: { service_account: "robot" } });
      await keepOnly(own, robot.key_id);
      for (const role of [null, "builder"]) {
        const refused = await own.call("PUT", `/v1/admin/members/${robot.member_id}`, {
          key: robot.key,
          body: { role },
        });
        expect(refused.body).toMatchObject({ status: 409, code: "last_admin_key" });
      }
      const admin = await own.member("admin", "staging");
      expect(
        (
          await own.call("PUT", `/v1/admin/members/${robot.member_id}`, {
            ...staging,
            key: admin.secret,
            body: { role: null },
          })
        ).status,
      ).toBe(200);
      expect(await ruling(own)).toBe(1);
    } finally {
      await own.close();
    }
  });
});
