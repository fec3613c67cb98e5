import { expect, it } from "vitest";
import { useSharedApp } from "../../../../testing/shared-app.ts";

const app = useSharedApp();
const list = async (query = "") => (await app.call("GET", `/v1/admin/keys${query}`)).body;
const ids = (page: { data: { key_id: string }[] }): string[] => page.data.map((key) => key.key_id);

it("shows the keys of the environment, newest first, without what opens them", async () => {
  const { keyId, secret } = await app.member("viewer");
  const answered = await app.call("GET", "/v1/admin/keys?limit=100");
  expect(answered.body.data[0]).toMatchObject({
    key_id: keyId,
    start: secret.slice(0, 12),
    last_four: secret.slice(-4),
    state: "active",
  });
  expect(ids(answered.body)).toEqual(ids(answered.body).toSorted().reverse());
  expect(new Set(answered.body.data.map((key: { environment: string }) => key.environment))).toEqual(
    new Set(["development"]),
  );
  expect(answered.text).not.toContain(secret);
  expect(answered.text).not.toMatch(/hash/);
});

it("pages through all of them, each once", async () => {
  const byPages = async (limit: number): Promise<string[]> => {
    const seen: string[] = [];
    for (let page = await list(`?limit=${limit}`); ; page = await list(`?limit=${limit}&cursor=${page.next_cursor}`)) {
      seen.push(...ids(page));
      if (!page.has_more) return seen;
    }
  };
  const seen = await byPages(7);
  expect(seen.length).toBeGreaterThan(7);
  expect(seen).toEqual(await byPages(100));
  expect(new Set(seen).size).toBe(seen.length);
});

it("filters by role and by member", async () => {
  const { keyId, memberId } = await app.member("evaluator");
  expect(ids(await list(`?member=${memberId}`))).toEqual([keyId]);
  const roles = (await list("?role=evaluator,auditor&limit=100")).data.map((key: { role: string }) => key.role);
  expect(new Set(roles)).toEqual(new Set(["evaluator", "auditor"]));
});

it("tells active, expired and revoked keys apart, and filters by that", async () => {
  const [active, expired, revoked, both, removed, demoted] = await Promise.all(
    Array.from({ length: 6 }, () => app.member("operator")),
  );
  const set = (column: string, keyId?: string) =>
    app.pool.query(`update keys set ${column} = now() - interval '1 hour' where id = $1`, [keyId]);
  await Promise.all([
    set("expires_at", expired?.keyId),
    set("revoked_at", revoked?.keyId),
    set("expires_at", both?.keyId),
  ]);
  await set("revoked_at", both?.keyId);
  await app.pool.query("update members set removed_at = now() - interval '1 hour' where id = $1", [removed?.memberId]);
  await app.pool.query(`update members set roles = '{"development": "viewer"}' where id = $1`, [demoted?.memberId]);
  const all = [active, expired, revoked, both, removed, demoted].map((member) => member?.keyId);
  const inState = async (state: string) => {
    const page = await list(`?role=operator&state=${state}&limit=100`);
    expect(new Set(page.data.map((key: { state: string }) => key.state))).toEqual(new Set([state]));
    return ids(page).filter((id) => all.includes(id));
  };
  expect(await inState("active")).toEqual([active?.keyId]);
  expect(await inState("expired")).toEqual([expired?.keyId]);
  expect((await inState("revoked")).toSorted()).toEqual(
    [revoked, both, removed, demoted].map((member) => member?.keyId).toSorted(),
  );
});

it("refuses filters that it does not know", async () => {
  expect((await app.call("GET", "/v1/admin/keys?state=dead")).body).toMatchObject({
    status: 400,
    errors: [{ parameter: "state" }],
  });
  expect((await app.call("GET", "/v1/admin/keys?rol=admin")).body.errors[0].detail).toContain("`role`");
});

it("is for admins", async () => {
  for (const key of ["viewer", "operator", "builder", "evaluator", "approver", "auditor"]) {
    expect((await app.call("GET", "/v1/admin/keys", { key })).body).toMatchObject({
      status: 403,
      missing_scope: "admin:read",
    });
  }
});
