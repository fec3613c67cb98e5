import { describe, expect, it } from "vitest";
import { useSharedApp } from "../../../../testing/shared-app.ts";

const app = useSharedApp();
const path = "/v1/governance/policies";
const lead = (id: string) => `has(input.lead_id) && input.lead_id == "${id}"`;
const text = {
  name: "Not these",
  scope: { actions: ["task.dispatch"] },
  effect: "deny",
  reason_code: "not_these",
  message: "Not these leads.",
};
const create = (id: string, more: object = {}) =>
  app.call("POST", path, { body: { ...text, when: lead(id), ...more } });
const replace = (policy: { body: { policy_id: string }; headers: Headers }, id: string, more: object = {}) =>
  app.call("PUT", `${path}/${policy.body.policy_id}`, {
    body: { ...text, when: lead(id), ...more },
    headers: { "if-match": policy.headers.get("etag") as string },
  });
const dispatched = async (lead_id: string) =>
  (await app.call("POST", "/v1/agents/sales/tasks", { body: { task: "qualify_lead", input: { lead_id } } })).status;

describe("the next version of a policy", () => {
  it("in shadow leaves the active one deciding beside it; as active it takes the place of both at once", async () => {
    const first = await create("ld_a1", { state: "active" });
    const second = await replace(first, "ld_a2");
    expect(second.body).toMatchObject({ version: 2, state: "shadow", in_force: { active: 1, shadow: 2 } });
    expect([await dispatched("ld_a1"), await dispatched("ld_a2")]).toEqual([403, 202]);
    const { rows } = await app.pool.query("select kind, source_version from violations where source = $1 order by id", [
      first.body.policy_id,
    ]);
    expect(rows).toEqual([
      { kind: "blocked", source_version: 1 },
      { kind: "would_block", source_version: 2 },
    ]);
    const third = await replace(second, "ld_a3", { state: "active", note: "the one" });
    expect(third.body).toMatchObject({ version: 3, state: "active", in_force: { active: 3, shadow: null } });
    // The recorded dispatch of ld_a1 was denied by version 1.
    expect(third.body.report).toMatchObject({ no_longer_denied: 1, would_be_denied: 0 });
    expect(
      third.body.versions.map(({ version, state }: { version: number; state: string }) => [version, state]),
    ).toEqual([
      [3, "active"],
      [2, "retired"],
      [1, "retired"],
    ]);
    expect([await dispatched("ld_a1"), await dispatched("ld_a2"), await dispatched("ld_a3")]).toEqual([202, 202, 403]);
  });

  it("as a draft changes nothing that is in force", async () => {
    const first = await create("ld_b1", { state: "active" });
    const draft = await replace(first, "ld_b2", { state: "draft" });
    expect(draft.body).toMatchObject({ version: 2, state: "draft", in_force: { active: 1, shadow: null } });
    const again = await replace(draft, "ld_b3", { state: "draft" });
    expect(again.body.versions.map(({ state }: { state: string }) => state)).toEqual(["draft", "retired", "active"]);
    expect([await dispatched("ld_b1"), await dispatched("ld_b3")]).toEqual([403, 202]);
  });

  it("never changes an earlier version", async () => {
    const first = await create("ld_c1");
    await replace(first, "ld_c2", { state: "active" });
    const { body, headers } = await app.call("GET", `${path}/${first.body.policy_id}?version=1`);
    const { state: _state, retired_at: _at, retired_by: _by, in_force: _in, versions: _versions, ...kept } = first.body;
    expect(body).toMatchObject({ ...kept, state: "retired" });
    expect(headers.get("etag")).not.toBe(first.headers.get("etag"));
    expect((await app.call("GET", `${path}/${first.body.policy_id}?version=9`)).status).toBe(404);
  });

  it("needs the newest revision: of eight at once one is made", async () => {
    const first = await create("ld_d1");
    const twins = await Promise.all(
      Array.from({ length: 8 }, (_, i) => replace(first, `ld_d${i}`, { state: i % 2 ? "active" : "shadow" })),
    );
    expect(twins.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(412)]);
    expect((await app.call("GET", `${path}/${first.body.policy_id}`)).body.versions).toHaveLength(2);
    expect(await replace(first, "ld_d9")).toMatchObject({ status: 412, body: { code: "stale_revision" } });
  });

  it("is refused of a retired policy, with its faults where it has some", async () => {
    const first = await create("ld_e1");
    const headers = { "if-match": first.headers.get("etag") as string };
    const bad = await replace(first, "ld_e1", { when: "nonsense(" });
    expect(bad).toMatchObject({ status: 422, body: { errors: [{ pointer: "/when", line: 1 }] } });
    const gone = await app.call("DELETE", `${path}/${first.body.policy_id}`, { body: {}, headers });
    expect(await replace(gone, "ld_e2")).toMatchObject({ status: 409, body: { code: "policy_retired" } });
  });
});
