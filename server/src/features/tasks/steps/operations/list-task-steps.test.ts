import { describe, expect, it, vi } from "vitest";
import { useApp } from "../../../../testing/app.ts";
import { useWorkerProcess } from "../../../../testing/worker.ts";

const app = useApp();
const process = useWorkerProcess(app);
const stepsOf = (task: string, query = "") => app.call("GET", `/v1/tasks/${task}/steps${query}`, { key: "viewer" });
const addStep = (task: string, attempt: number, number: number, columns: Record<string, unknown> = {}) => {
  const row = { kind: "tool", name: "get_lead", state: "finished", input: '{"id":"ld_1001"}', ...columns };
  const names = Object.keys(row);
  const id = app.app.newId("stp");
  return app.pool.query(
    `insert into steps (organization, environment, id, task_id, attempt, number, ${names.join(", ")})
     values ('default', 'development', $1, $2, $3, $4, ${names.map((_, i) => `$${i + 5}`).join(", ")})`,
    [id, task, attempt, number, ...Object.values(row)],
  );
};

describe("the steps of a task", () => {
  it("are none before it runs", async () => {
    const { task_id } = await app.dispatch();
    expect((await stepsOf(task_id)).body).toEqual({ data: [], has_more: false, next_cursor: null });
  });

  it("tell what a worker did: what was given, what was answered, what the policies said", async () => {
    const { task_id } = await app.dispatch({ require_approval: false });
    await process.worker();
    await vi.waitFor(
      async () => expect((await app.call("GET", `/v1/tasks/${task_id}`)).body.status).toBe("completed"),
      {
        timeout: 10_000,
      },
    );
    const { body } = await stepsOf(task_id);
    expect(body.data.map(({ kind }: { kind: string }) => kind)).toEqual(["model", "tool", "model"]);
    expect(body.data[0]).toMatchObject({ name: "builtin", number: 1, tokens: 15, cost_usd: 0 });
    expect(body.data[1]).toMatchObject({
      step_id: expect.stringMatching(/^stp_/),
      attempt: 1,
      number: 2,
      kind: "tool",
      state: "finished",
      output: expect.objectContaining({ id: "ld_1001" }),
      failure: null,
      verdict: expect.any(String),
    });
    const { started_at, finished_at } = body.data[1];
    expect(Date.parse(finished_at)).toBeGreaterThanOrEqual(Date.parse(started_at));
  });

  it("come oldest first by attempt and number, page by page, also where one was made twice", async () => {
    const { task_id } = await app.dispatch();
    const made = [
      [1, 1],
      [1, 2],
      [1, 2],
      [2, 1],
      [2, 10],
    ] as const;
    for (const [attempt, number] of made.toReversed()) await addStep(task_id, attempt, number);
    const seen: number[][] = [];
    let cursor = "";
    do {
      const { body } = await stepsOf(task_id, `?limit=2${cursor}`);
      for (const { attempt, number } of body.data) seen.push([attempt, number]);
      cursor = body.next_cursor === null ? "" : `&cursor=${body.next_cursor}`;
    } while (cursor !== "");
    expect(seen).toEqual(made);
  });

  it("say what one failed with, and what it cost", async () => {
    const { task_id } = await app.dispatch();
    const failure = { code: "record_not_found", detail: "There is none." };
    await addStep(task_id, 1, 1, {
      state: "failed",
      failure: JSON.stringify(failure),
      cost_usd: 0.25,
      tokens: 1200,
      kind: "model",
    });
    const { body } = await stepsOf(task_id);
    expect(body.data[0]).toMatchObject({
      state: "failed",
      kind: "model",
      failure,
      output: null,
      cost_usd: 0.25,
      tokens: 1200,
      finished_at: null,
    });
  });
});
