import { describe, expect, it } from "vitest";
import { storedActor } from "../../../../kernel/actor.ts";
import type { ReadContext } from "../../../../kernel/context.ts";
import { startTestApp, useApp } from "../../../../testing/app.ts";
import { resolveActor } from "../../accountability/actors.ts";

const app = useApp();

async function issue(role = "viewer") {
  const { body } = await app.call("POST", "/v1/admin/keys", { body: { name: "test", role } });
  return body as { key_id: string; key: string };
}
const revoke = (id: string, query = "") => app.call("DELETE", `/v1/admin/keys/${id}${query}`);
const eventsOf = async (id: string) =>
  (await app.pool.query("select body::json as body from events where body like $1 order by id", [`%${id}%`])).rows.map(
    (row) => row.body,
  );

describe("DELETE /v1/admin/keys/{key}", () => {
  it("ends the key before it answers, and says so in the challenge", async () => {
    const { key_id, key } = await issue();
    expect((await app.call("GET", "/v1/admin/whoami", { key })).status).toBe(200);
    const answered = await revoke(key_id);
    expect(answered.body).toMatchObject({ key_id, state: "revoked" });
    expect(answered.text).not.toContain(key);
    const refused = await app.call("GET", "/v1/admin/whoami", { key });
    expect(refused.body).toMatchObject({ status: 401, code: "unauthenticated", detail: "The key was revoked." });
    expect(refused.headers.get("www-authenticate")).toBe('Bearer error="invalid_token"');
  });

  it("changes nothing on a key that is revoked already", async () => {
    const { key_id } = await issue();
    const first = await revoke(key_id);
    const second = await revoke(key_id);
    expect(second.status).toBe(200);
    expect(second.body).toEqual(first.body);
    expect(await eventsOf(key_id)).toHaveLength(1);
  });

  it("emits key.revoked with who and when", async () => {
    const { key_id } = await issue();
    const { body } = await revoke(key_id);
    expect(await eventsOf(key_id)).toEqual([
      {
        event: "key.revoked",
        key_id,
        name: "test",
        role: "viewer",
        member_id: body.member_id,
        revoked_at: body.revoked_at,
        revoked_by: expect.stringMatching(/^mbr_/),
      },
    ]);
  });

  it("lets the key work during an overlap and ends it afterwards", async () => {
    let now = Date.now();
    const own = await startTestApp({ clock: { now: () => now } });
    try {
      const { body } = await own.call("POST", "/v1/admin/keys", { body: { name: "test", role: "viewer" } });
      const answered = await own.call("DELETE", `/v1/admin/keys/${body.key_id}?overlap_seconds=600`);
      expect(answered.body).toMatchObject({ state: "active", revoked_at: new Date(now + 600_000).toISOString() });
      expect((await own.call("GET", "/v1/admin/whoami", { key: body.key })).status).toBe(200);
      now += 600_000;
      await own.app.facts.refresh();
      expect((await own.call("GET", "/v1/admin/whoami", { key: body.key })).body).toMatchObject({
        status: 401,
        detail: "The key was revoked.",
      });
    } finally {
      await own.close();
    }
  });

  it("brings a later end forward and never puts one off", async () => {
    const { key_id } = await issue();
    const soon = await revoke(key_id, "?overlap_seconds=60");
    const later = await revoke(key_id, "?overlap_seconds=3600");
    expect(later.body.revoked_at).toBe(soon.body.revoked_at);
    expect((await revoke(key_id)).body.state).toBe("revoked");
  });

  it("refuses an overlap over seven days or below zero", async () => {
    const { key_id } = await issue();
    for (const seconds of [604_801, -1]) {
      const refused = await revoke(key_id, `?overlap_seconds=${seconds}`);
      expect(refused.body).toMatchObject({
        status: 400,
        code: "invalid_parameter",
        errors: [{ parameter: "overlap_seconds" }],
      });
    }
  });

  it("cannot be forbidden by a policy", async () => {
    const own = await startTestApp();
    try {
      await own.policy({ scope: { actions: ["key.revoke", "key.issue"] }, when: "true", effect: "deny" });
      const { keyId } = await own.member("viewer");
      expect((await own.call("DELETE", `/v1/admin/keys/${keyId}`)).body.state).toBe("revoked");
      expect((await own.call("POST", "/v1/admin/keys", { body: { name: "test", role: "viewer" } })).body.code).toBe(
        "policy_blocked",
      );
    } finally {
      await own.close();
    }
  });
});

describe("the last admin key of an environment", () => {
  const adminKeys = async (): Promise<string[]> =>
    (
      await app.call("GET", "/v1/admin/keys?role=admin&state=active&limit=100", { environment: "staging" })
    ).body.data.map((key: { key_id: string }) => key.key_id);
  const revokeHere = (id: string, query = "") =>
    app.call("DELETE", `/v1/admin/keys/${id}${query}`, { environment: "staging" });

  it("stays, also against an overlap, and although a narrowed or ending one is left", async () => {
    const [own] = await adminKeys();
    const issued = await app.call("POST", "/v1/admin/keys", {
      environment: "staging",
      body: { name: "narrow", role: "admin", scopes: ["admin:read", "admin:write"] },
    });
    for (const query of ["", "?overlap_seconds=60"]) {
      const refused = await revokeHere(own as string, query);
      expect(refused.body).toMatchObject({ status: 409, code: "last_admin_key" });
      expect(refused.body.detail).toContain("aos keys create --environment staging --role admin");
    }
    expect((await revokeHere(issued.body.key_id)).status).toBe(200);
  });

  it("goes once there is another", async () => {
    const [own] = await adminKeys();
    const { body } = await app.call("POST", "/v1/admin/keys", {
      environment: "staging",
      body: { name: "next", role: "admin" },
    });
    expect((await revokeHere(own as string, "?overlap_seconds=600")).status).toBe(200);
    expect((await revokeHere(body.key_id)).body.code).toBe("last_admin_key");
  });

  it("stays when two calls revoke the last two at the same time", async () => {
    const [first, second] = [await app.member("admin", "production"), await app.member("admin", "production")];
    const all = (await app.call("GET", "/v1/admin/keys?role=admin&limit=100", { environment: "production" })).body
      .data as {
      key_id: string;
    }[];
    for (const { key_id } of all.filter(({ key_id }) => ![first.keyId, second.keyId].includes(key_id))) {
      expect((await app.call("DELETE", `/v1/admin/keys/${key_id}`, { key: first.secret })).status).toBe(200);
    }
    const answers = await Promise.all([
      app.call("DELETE", `/v1/admin/keys/${first.keyId}`, { key: second.secret }),
      app.call("DELETE", `/v1/admin/keys/${second.keyId}`, { key: first.secret }),
    ]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const { rows } = await app.pool.query(
      "select count(*)::int as n from keys where environment = 'production' and role = 'admin' and revoked_at is null",
    );
    expect(rows[0].n).toBe(1);
  });
});

describe("a key that replaces another", () => {
  const rotate = (id: string, by: string, more = "") => revoke(id, `?replaced_by=${by}${more}`);

  it("is stored and shown with the one that it replaces", async () => {
    const [old, next] = [await issue(), await issue()];
    const { status, body } = await rotate(old.key_id, next.key_id, "&overlap_seconds=60");
    expect([status, body.replaced_by]).toEqual([200, next.key_id]);
    const again = await revoke(old.key_id);
    expect(again.body).toMatchObject({ state: "revoked", replaced_by: next.key_id });
  });

  it("takes over what acts by the old one, which stops otherwise", async () => {
    const builder = await app.member("builder");
    const issued = async () =>
      (
        await app.call("POST", "/v1/admin/keys", {
          body: { name: "own", role: "builder", for: { member: builder.memberId } },
        })
      ).body as { key_id: string; key: string };
    const schedule = async (key: string) =>
      (
        await app.call("POST", "/v1/agents/sales/schedules", {
          key,
          body: { task: "qualify_lead", input: { lead_id: "ld_1001" }, schedule: "0 7 * * *" },
        })
      ).body.schedule_id as string;
    const [old, next, lost] = [await issued(), await issued(), await issued()];
    const [passedOn, stopped] = [await schedule(old.key), await schedule(lost.key)];
    await rotate(old.key_id, next.key_id);
    await revoke(lost.key_id);
    const resolved = async (id: string) => {
      const { rows } = await app.pool.query("select actor from agent_schedules where id = $1", [id]);
      const ctx = {
        scope: app.scope,
        now: Date.now(),
        db: { query: async (text: string, values: unknown[]) => (await app.pool.query(text, values)).rows },
      };
      return resolveActor(ctx as unknown as ReadContext, storedActor(rows[0].actor), "tasks:write", ["sales"]);
    };
    expect((await resolved(passedOn)).actor?.credential).toEqual({ key: next.key_id });
    expect((await resolved(stopped)).stopped).toContain("was revoked");
  });

  it("has to work, for the same member, and the other not to be revoked before", async () => {
    const [old, next, gone, foreign] = [await issue(), await issue(), await issue(), await app.member("viewer")];
    await revoke(gone.key_id);
    const refused = async (id: string, by: string) => {
      const { status, body } = await rotate(id, by);
      expect([status, body.code]).toEqual([409, "replacement_not_possible"]);
      return body.detail as string;
    };
    expect(await refused(old.key_id, old.key_id)).toContain("is the key that is revoked");
    expect(await refused(old.key_id, gone.key_id)).toContain("was revoked itself");
    expect(await refused(old.key_id, foreign.keyId)).toContain("has to act for the same member");
    expect(await refused(old.key_id, "key_01jd8x0000000000000000000f")).toContain("is no key of development");
    expect(await refused(gone.key_id, next.key_id)).toContain("was revoked before");
    expect((await app.call("GET", "/v1/admin/whoami", { key: old.key })).status).toBe(200);
  });
});
