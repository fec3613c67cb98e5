import { describe, expect, it } from "vitest";
import { useSharedApp } from "../../../../testing/shared-app.ts";

const app = useSharedApp();
const lead = (lead_id: string, more: Record<string, unknown> = {}) => ({
  agent: "sales",
  task: "qualify_lead",
  lead_id,
  require_approval: true,
  ...more,
});
const batch = (items: unknown[], options: { headers?: Record<string, string>; key?: string; query?: string } = {}) =>
  app.call("POST", `/v1/tasks/batch${options.query ?? ""}`, { ...options, body: { items } });
const countTasks = async () => (await app.pool.query("select count(*)::int as n from tasks")).rows[0].n;

describe("dispatching a batch", () => {
  it("judges each item by itself and answers for each in its place", async () => {
    const { secret } = await app.member("operator");
    await app.policy({
      scope: { actions: ["task.dispatch"] },
      when: 'has(input.lead_id) && input.lead_id == "ld_barred"',
      effect: "deny",
    });
    const before = await countTasks();
    const items = [
      lead("ld_1001"),
      lead("ld_1001", { priority: 99 }),
      lead("ld_1001", { agent: "nobody" }),
      lead("ld_barred"),
      lead("ld_1002"),
    ];
    const { status, body } = await batch(items, { key: secret });
    expect(status).toBe(207);
    expect(body).toMatchObject({ batch_id: expect.stringMatching(/^bat_/), succeeded: 2, failed: 3 });
    expect(
      body.results.map((one: { index: number; status: number; body: { code?: string } }) => [
        one.index,
        one.status,
        one.body.code,
      ]),
    ).toEqual([
      [0, 202, undefined],
      [1, 422, "invalid_body"],
      [2, 404, "not_found"],
      [3, 403, "policy_blocked"],
      [4, 202, undefined],
    ]);
    expect(body.results[1].body.errors[0].pointer).toBe("/priority");
    expect(await countTasks()).toBe(before + 2);
  });

  it("gives each item a record of its own, and its tasks the batch by which they are found", async () => {
    const { body } = await batch([lead("ld_1001"), lead("ld_1002")]);
    const ids = body.results.map((one: { body: { task_id: string } }) => one.body.task_id);
    const references = body.results.map((one: { body: { audit_ref: string } }) => one.body.audit_ref);
    const { rows } = await app.pool.query(
      "select body::json ->> 'operation' as operation from audit_records where id = any($1)",
      [references],
    );
    expect(rows).toEqual([{ operation: "agents.dispatchTask" }, { operation: "agents.dispatchTask" }]);
    const found = await app.call("GET", `/v1/tasks?batch=${body.batch_id}`);
    expect(
      found.body.data.map((one: { task_id: string; batch_id: string }) => [one.task_id, one.batch_id]).sort(),
    ).toEqual(ids.map((id: string) => [id, body.batch_id]).sort());
  });

  it("answers a repetition byte by byte and adds no task, refusals included", async () => {
    const headers = { "idempotency-key": "a batch" };
    const items = [lead("ld_1001"), lead("ld_1001", { agent: "nobody" })];
    const first = await batch(items, { headers });
    const tasks = await countTasks();
    const again = await batch(items, { headers });
    expect([again.status, again.text, again.headers.get("idempotent-replayed")]).toEqual([207, first.text, "true"]);
    expect(await countTasks()).toBe(tasks);
  });

  it("holds a key to the agents that it is narrowed to, item by item", async () => {
    const issued = await app.call("POST", "/v1/admin/keys", {
      body: { name: "narrow", role: "operator", agents: ["other"] },
    });
    const { status, body } = await batch([lead("ld_1001")], { key: issued.body.key });
    expect([status, body.results[0].status, body.results[0].body.code]).toEqual([207, 403, "insufficient_scope"]);
  });

  it("changes nothing on a dry run, and says what each item would be answered", async () => {
    const before = await countTasks();
    const { status, body } = await batch([lead("ld_1001"), lead("ld_1002")], { query: "?dry_run=true" });
    expect([status, body.response_status]).toEqual([200, 207]);
    expect(body.events).toEqual(["task.created", "task.approval_required", "task.created", "task.approval_required"]);
    expect(await countTasks()).toBe(before);
  });

  it("takes a field `agent` of the skill's input inside `input`, as a dispatch does", async () => {
    const { body } = await batch([
      { agent: "sales", task: "qualify_lead", input: { lead_id: "ld_1001", agent: "of the input" } },
    ]);
    expect(body.results[0].body.errors[0].pointer).toBe("/input/agent");
  });

  it.each([
    [{ items: [] }, "/items"],
    [{ items: Array.from({ length: 101 }, () => lead("ld_1001")) }, "/items"],
    [{ items: [{ task: "qualify_lead" }] }, "/items/0/agent"],
    [{ items: [{ ...lead("ld_1001"), agent: "No Agent!" }] }, "/items/0/agent"],
    [{}, "/items"],
  ])("refuses a body that is no list of 1 to 100 dispatches, as a whole", async (body, pointer) => {
    const answered = await app.call("POST", "/v1/tasks/batch", { body });
    expect([answered.status, answered.body.errors[0].pointer]).toEqual([422, pointer]);
  });
});
