import { describe, expect, it } from "vitest";
import { useSharedApp } from "../../../testing/shared-app.ts";
import { useWorkerProcess } from "../../../testing/worker.ts";
import { untilSequenced } from "../testing.ts";
import { wordSweep } from "./words.ts";

const app = useSharedApp();
const machines = useWorkerProcess(app);

/** A task whose words are in the index. */
async function indexed(words: string): Promise<{ task_id: string; audit_ref: string }> {
  const task = await app.dispatch({ lead_id: `ld_1 ${words}` });
  await untilSequenced(app, task.audit_ref);
  await machines.sweeperWith([wordSweep]).sweep();
  return task;
}
const search = (text: string, more = "", options = {}) =>
  app.call("GET", `/v1/audit/events?limit=100&text=${encodeURIComponent(text)}${more}`, options);
const tasksFound = async (text: string, more = "") => [
  ...new Set((await search(text, more)).body.data.map((record: { task_id: string }) => record.task_id)),
];

describe("searching the log by the words of tasks", () => {
  it("finds the records of tasks by words, phrases, ids and amounts, however these are written", async () => {
    const { task_id } = await indexed("Refund the walnut desk: 1240.5 for ord_8812-b");
    const other = await indexed("desk of walnut, no refund\nof 1,240.00 USD");
    expect(await tasksFound("walnut refund")).toEqual([other.task_id, task_id]);
    expect(await tasksFound('"walnut desk"')).toEqual([task_id]);
    expect(await tasksFound("walnut -refund")).toEqual([]);
    expect(await tasksFound("ord_8812-b")).toEqual([task_id]);
    expect(await tasksFound("1240.50")).toEqual([task_id]);
    expect(await tasksFound("walnut 1240")).toEqual([other.task_id]);
    expect(await tasksFound("walnut", "&action=agents.dispatchTask&created_before=2020-01-01T00:00:00Z")).toEqual([]);
    expect(await tasksFound(task_id)).toEqual([task_id]);
  });

  it("finds a task by why its approval was rejected", async () => {
    const { task_id } = await app.dispatch();
    const { body: approval } = await app.call("GET", `/v1/approvals/${task_id}`);
    const rejected = await app.call("POST", `/v1/approvals/${approval.approval_id}/reject`, {
      key: (await app.member("approver")).secret,
      body: { digest: approval.digest, reason: "The customer kept the mahogany one." },
    });
    expect(rejected.status, rejected.text).toBe(200);
    await untilSequenced(app, rejected.headers.get("audit-ref") ?? "");
    await machines.sweeperWith([wordSweep]).sweep();
    expect(await tasksFound("mahogany")).toEqual([task_id]);
    const { data } = (await search("mahogany", "&action=approvals.reject")).body;
    expect(data).toHaveLength(1);
  });

  it("takes up a text of more words than an index entry holds, by its beginning", async () => {
    const letter = (n: number) => String.fromCodePoint(0x20000 + (n % 40_000));
    const parts = Array.from({ length: 66_000 }, (_, n) => letter(n) + letter(7 * n + Math.floor(n / 40_000)));
    const compounds = Array.from({ length: 1_320 }, (_, n) => parts.slice(50 * n, 50 * n + 50).join("-"));
    const { task_id } = await indexed("beryl");
    await app.pool.query("update tasks set input = $2, updated_at = now() + interval '1 second' where id = $1", [
      task_id,
      JSON.stringify({ note: `chrysoprase ${compounds.join(" ")}` }),
    ]);
    await app.pool.query("delete from audit_word_places");
    await machines.sweeperWith([wordSweep]).sweep();
    expect(await tasksFound("chrysoprase")).toEqual([task_id]);
  });

  it.each(["-walnut", "?!"])("refuses %j, for which every task would have to be read", async (text) => {
    const { status, body } = await search(text);
    expect([status, body.code, body.errors[0]]).toEqual([
      400,
      "invalid_parameter",
      expect.objectContaining({ parameter: "text", code: "no_words" }),
    ]);
  });

  it("refuses a key that may read the log and no tasks", async () => {
    const { body: key } = await app.call("POST", "/v1/admin/keys", {
      body: { name: "log", role: "auditor", scopes: ["audit:read"] },
    });
    const { status, body } = await search("walnut", "", { key: key.key });
    expect([status, body.code, body.missing_scope]).toEqual([403, "insufficient_scope", "tasks:read"]);
  });
});
