import { expect, it } from "vitest";
import { useSharedApp } from "../../../../testing/shared-app.ts";

const app = useSharedApp();

interface Shown {
  member_id: string;
  kind: string;
  name: string;
  role: string | null;
  state: string;
  keys: number;
}
const list = async (query = "", options = {}) => (await app.call("GET", `/v1/admin/members${query}`, options)).body;
const all = async (query = "", options = {}): Promise<Shown[]> => {
  const found: Shown[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const page = await list(`?limit=10${query}${cursor && `&cursor=${cursor}`}`, options);
    found.push(...page.data);
    cursor = page.next_cursor;
  }
  return found;
};

it("lists people and service accounts newest first, with their role in the environment of the call", async () => {
  const { memberId } = await app.member("approver");
  await app.call("POST", "/v1/admin/keys", {
    body: { name: "bot", role: "operator", for: { service_account: "listed" } },
  });
  const found = await all();
  const ids = found.map(({ member_id }) => member_id);
  expect(ids).toEqual([...new Set(ids)].sort().reverse());
  expect(found.find(({ member_id }) => member_id === memberId)).toMatchObject({
    kind: "person",
    role: "approver",
    state: "active",
    keys: 1,
  });
  expect(found.find(({ name }) => name === "listed")).toMatchObject({
    kind: "service_account",
    role: "operator",
    keys: 1,
  });
  const staging = await all("", { environment: "staging" });
  expect(staging.find(({ member_id }) => member_id === memberId)).toMatchObject({ role: null, keys: 0 });
});

it("filters by kind and by role here", async () => {
  expect(new Set((await all("&kind=service_account")).map(({ kind }) => kind))).toEqual(new Set(["service_account"]));
  const roles = new Set((await all("&role=viewer,auditor")).map(({ role }) => role));
  expect(roles).toEqual(new Set(["viewer", "auditor"]));
});

it("leaves out who was removed, and is for admins", async () => {
  const { memberId } = await app.member("viewer");
  await app.pool.query("update members set removed_at = now() where id = $1", [memberId]);
  expect((await all()).map(({ member_id }) => member_id)).not.toContain(memberId);
  expect((await app.call("GET", "/v1/admin/members", { key: "builder" })).status).toBe(403);
});
