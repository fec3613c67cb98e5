import { describe, expect, it } from "vitest";
import { useApp } from "../src/testing/app.ts";

// What people change one after the other: whoever names the revision that they read loses nobody's change.

const app = useApp();
const samples = [{ output: { team: "a" }, expected: { team: "a" }, score: 1 }];
const limits = (hard: number) => ({ limits: [{ unit: "tasks", period: "day", hard }] });

/** Where it is read, and two changes of it that differ. */
const objects: Record<string, () => Promise<{ path: string; method: string; changes: readonly [object, object] }>> = {
  member: async () => ({
    path: `/v1/admin/members/${(await app.member("viewer")).memberId}`,
    method: "PUT",
    changes: [{ role: "operator" }, { role: "builder" }],
  }),
  budget: async () => ({
    path: "/v1/governance/budgets/agent:sales",
    method: "PUT",
    changes: [limits(100_000), limits(200_000)],
  }),
  scorer: async () => {
    const path = "/v1/evaluations/scorers/matched";
    await app.call("PUT", path, { body: { kind: "exact", pointer: "/team", samples, description: "One." } });
    const body = (description: string) => ({ kind: "exact", pointer: "/team", samples, description });
    return { path, method: "PUT", changes: [body("Two."), body("Three.")] };
  },
  webhook: async () => {
    const body = { url: "http://127.0.0.1:9/hook", events: ["task.*"] };
    const made = await app.call("POST", "/v1/webhooks", { body });
    expect(made.headers.get("etag")).toMatch(/^"[0-9a-f]+-json"$/);
    return {
      path: `/v1/webhooks/${made.body.webhook_id}`,
      method: "PATCH",
      changes: [{ description: "One." }, { description: "Two." }],
    };
  },
  task: async () => {
    const { task_id } = await app.dispatch();
    return { path: `/v1/tasks/${task_id}`, method: "PATCH", changes: [{ priority: 5 }, { priority: 6 }] };
  },
};

describe.each(Object.entries(objects))("a change of a %s", (_kind, make) => {
  it("with the ETag that was read is made once, and refused where another came before; without one it is made", async () => {
    const { path, method, changes } = await make();
    const [first, second] = changes;
    const read = await app.call("GET", path);
    const etag = read.headers.get("etag") ?? "";
    expect([read.status, etag]).toEqual([200, expect.stringMatching(/^"[\w.]+-json"$/)]);
    const change = (body: object, headers = {}) => app.call(method, path, { body, headers });
    const changed = await change(first, { "if-match": etag });
    expect([changed.status, changed.text.slice(0, 200)]).toEqual([200, expect.anything()]);
    expect(changed.headers.get("etag")).not.toBe(etag);
    const stale = await change(second, { "if-match": etag });
    expect([stale.status, stale.body.code]).toEqual([412, "stale_revision"]);
    const now = await app.call("GET", path);
    expect(now.headers.get("etag")).toBe(changed.headers.get("etag"));
    expect((await change(second)).status).toBe(200);
  });
});

it("a webhook and a task that others changed meanwhile are neither removed nor cancelled", async () => {
  const webhook = await (objects.webhook as NonNullable<(typeof objects)[string]>)();
  const task = await (objects.task as NonNullable<(typeof objects)[string]>)();
  for (const [{ path, method, changes }, verb, end] of [
    [webhook, "DELETE", ""],
    [task, "POST", "/cancel"],
  ] as const) {
    const etag = (await app.call("GET", path)).headers.get("etag") ?? "";
    await app.call(method, path, { body: changes[0] });
    const late = await app.call(verb, `${path}${end}`, { body: {}, headers: { "if-match": etag } });
    expect([path, late.status]).toEqual([path, 412]);
    const fresh = (await app.call("GET", path)).headers.get("etag") ?? "";
    const ended = await app.call(verb, `${path}${end}`, { body: {}, headers: { "if-match": fresh } });
    expect(ended.status, ended.text).toBeLessThan(300);
  }
});
