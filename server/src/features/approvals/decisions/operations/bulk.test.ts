import { describe, expect, it } from "vitest";
import { useSharedApp } from "../../../../testing/shared-app.ts";
import { ask, serviceAccount, stateOf } from "../../testing.ts";

describe("deciding many", () => {
  const app = useSharedApp();
  const send = (items: unknown[], options: { key?: string; query?: string; headers?: Record<string, string> } = {}) =>
    app.call("POST", `/v1/approvals/bulk${options.query ?? ""}`, {
      key: options.key ?? "approver",
      body: { items },
      headers: options.headers ?? {},
    });
  const digestOf = async (id: string) => (await app.call("GET", `/v1/approvals/${id}`)).body.digest as string;

  it("decides each on its own, in order, whatever becomes of the others", async () => {
    const tasks = [await ask(app), await ask(app), await ask(app, { risk_level: "high" }), await ask(app)] as const;
    await app.call("POST", `/v1/approvals/${tasks[1]}/reject`, { body: { reason: "Before." } });
    const { status, body } = await send([
      { approval: tasks[0], decision: "approve", reason: "Fine." },
      { approval: tasks[1], decision: "approve" },
      { approval: tasks[2], decision: "reject", reason: "No." },
      { approval: tasks[3], decision: "reject", reason: "Not this one.", digest: await digestOf(tasks[3]) },
      { approval: "apr_00000000000000000000000000", decision: "approve" },
      { approval: tasks[3], decision: "reject" },
    ]);
    expect(status).toBe(207);
    expect(body).toMatchObject({ batch_id: expect.stringMatching(/^bat_/), succeeded: 2, failed: 4 });
    expect(
      body.results.map(({ index, status: one, body: said }: Item) => [index, one, said.code ?? said.status]),
    ).toEqual([
      [0, 200, "approved"],
      [1, 409, "already_decided"],
      [2, 422, "invalid_body"],
      [3, 200, "rejected"],
      [4, 404, "not_found"],
      [5, 422, "invalid_body"],
    ]);
    expect(body.results[0].body).toMatchObject({ task_id: tasks[0], votes: [{ reason: "Fine." }] });
    const states = await Promise.all(tasks.map(async (id) => (await stateOf(app, id)).approval));
    expect(states).toEqual(["approved", "rejected", "pending", "rejected"]);
  });

  it("records each vote and the batch, all by the same caller", async () => {
    const task_id = await ask(app);
    const { headers, body } = await send([{ approval: task_id, decision: "approve" }]);
    const { rows } = await app.pool.query<{ body: string }>(
      "select body from audit_records where body like $1 or id = $2",
      [`%"operation":"approvals.approve"%${task_id}%`, headers.get("audit-ref")],
    );
    const records = rows.map((row) => JSON.parse(row.body));
    expect(records.map(({ operation }) => operation).sort()).toEqual(["approvals.approve", "approvals.bulk"]);
    expect(new Set(records.map(({ principal }) => principal)).size).toBe(1);
    expect(body.results[0].body.decided_by.id).toBe(records[0].principal);
  });

  it("is for persons only, item by item, and changes nothing in a dry run", async () => {
    const task_id = await ask(app);
    const items = [{ approval: task_id, decision: "approve" }];
    const { body } = await send(items, { key: await serviceAccount(app, "approver") });
    expect(body).toMatchObject({ succeeded: 0, failed: 1, results: [{ status: 403, body: { code: "persons_only" } }] });
    const dry = await send(items, { query: "?dry_run=true" });
    expect(dry).toMatchObject({
      status: 200,
      body: { dry_run: true, response_status: 207, events: ["approval.decided", "task.approved"] },
    });
    expect(await stateOf(app, task_id)).toMatchObject({ approval: "pending", votes: 0 });
  });

  it("takes one to a hundred items, each with an approval and a decision, and names the place of a fault", async () => {
    const task_id = await ask(app);
    const pointers = async (items: unknown[]) => {
      const { status, body } = await send(items);
      return [status, ...body.errors.map(({ pointer }: { pointer: string }) => pointer)];
    };
    expect(await pointers([])).toEqual([422, "/items"]);
    expect(await pointers(Array.from({ length: 101 }, () => ({ approval: task_id, decision: "approve" })))).toEqual([
      422,
      "/items",
    ]);
    expect(await pointers([{ decision: "approve" }, { approval: task_id, decision: "delegate" }])).toEqual([
      422,
      "/items/0/approval",
      "/items/1/decision",
    ]);
    expect(await pointers([{ approval: task_id, decision: "approve", edits: {} }])).toEqual([422, "/items/0/edits"]);
    expect(await stateOf(app, task_id)).toMatchObject({ approval: "pending", votes: 0 });
  });
});

interface Item {
  index: number;
  status: number;
  body: { code?: string; status?: string };
}
