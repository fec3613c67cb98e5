import { expect, it } from "vitest";
import { useApp } from "../../../../testing/app.ts";

const app = useApp();
const path = "/v1/governance/violations";
const listed = async (query = "", key = "admin") => (await app.call("GET", `${path}${query}`, { key })).body.data;

it("lists what was refused, what would have been and what is to be noticed, with status and owner", async () => {
  const text = { name: "One", scope: { actions: ["task.dispatch"] }, reason_code: "one", message: "One." };
  const create = async (more: object) =>
    (await app.call("POST", "/v1/governance/policies", { body: { ...text, ...more } })).body;
  const start = new Date().toISOString();
  const notify = await create({ when: "true", effect: "notify", state: "active" });
  const waits = await create({ when: "true", effect: "require_approval" });
  const went = await app.dispatch();
  const deny = await create({ when: "true", effect: "deny", state: "active" });
  const refused = await app.call("POST", "/v1/agents/sales/tasks", {
    body: { task: "qualify_lead", lead_id: "ld_1001" },
  });
  const [, , last] = await listed("?kind=blocked,would_wait,warned&limit=100");
  expect(await listed(`?source=${deny.policy_id}`)).toEqual([
    {
      audit_ref: refused.headers.get("audit-ref"),
      source: deny.policy_id,
      version: 1,
      kind: "blocked",
      reason_code: "one",
      message: "One.",
      operation: "agents.dispatchTask",
      action: "task.dispatch",
      agent: "sales",
      task_id: null,
      principal: deny.author,
      at: expect.any(String),
      status: "open",
      owner: deny.author,
    },
  ]);
  expect(last.audit_ref).toBe(refused.headers.get("audit-ref"));
  const kinds = (await listed(`?created_after=${start}`)).map(({ audit_ref, kind }: Record<string, string>) => [
    audit_ref,
    kind,
  ]);
  expect(
    kinds
      .filter(([ref]: [string]) => ref === went.audit_ref)
      .map(([, kind]: [string, string]) => kind)
      .sort(),
  ).toEqual(["warned", "would_wait"]);
  expect(
    (await listed(`?source=${notify.policy_id}&kind=warned`)).map(({ task_id }: { task_id: string | null }) => task_id),
  ).toContain(went.task_id);
  expect(await listed(`?source=${waits.policy_id}&status=resolved`)).toEqual([]);
  expect(await listed("?agent=support")).toEqual([]);
  expect(await listed(`?created_before=${start}`)).toEqual([]);
  const warned = await app.pool.query("select body from events where type = 'policy.warned' order by id");
  expect(JSON.stringify(warned.rows)).toContain(notify.policy_id);
});

it("goes through pages without loss where one call has several, and hides other agents from a narrowed key", async () => {
  const all = await listed("?limit=100");
  const seen: unknown[] = [];
  let next: string | null = "";
  while (next !== null) {
    const { body }: { body: { data: unknown[]; next_cursor: string | null } } = await app.call(
      "GET",
      `${path}?limit=1${next && `&cursor=${next}`}`,
    );
    seen.push(...body.data);
    next = body.next_cursor;
  }
  expect(seen).toEqual(all);
  expect(all.length).toBeGreaterThan(3);
  const { secret, keyId } = await app.member("viewer");
  await app.pool.query("update keys set agents = '{support}' where id = $1", [keyId]);
  await app.pool.query("update fact_epochs set epoch = epoch + 1 where topic = 'keys'");
  await app.app.facts.refresh();
  expect(await listed("", secret)).toEqual([]);
});
