import { describe, expect, it } from "vitest";
import type { TaskRunnerPort } from "../../../../runtime/index.ts";
import { useApp } from "../../../../testing/app.ts";
import { approve, insideRecordsOf, leaseOn } from "../../../../testing/tasks.ts";
import { useWorkerProcess } from "../../../../testing/worker.ts";
import { changeFacts, underPolicy } from "../testing.ts";

const app = useApp();
const process = useWorkerProcess(app);

const running = async () => {
  const { task_id: task } = await app.dispatch({ require_approval: false });
  const lease = leaseOn(app, task);
  expect(await process.port.start(lease)).toMatchObject({ claimed: true });
  return lease;
};
const step = { number: 1, kind: "model", name: "sample-model", input: { prompt: "sha256:0", messages: 2 } } as const;
const ask = (lease: Parameters<TaskRunnerPort["beginModel"]>[0], demand = { steps: 1, tokens: 600 }) =>
  process.port.beginModel(lease, step, demand);

describe("asking a model", () => {
  it("stands in the journal as begun, and in the audit log under the model's name, before anything is asked", async () => {
    const lease = await running();
    const begun = await ask(lease);
    expect(begun).toMatchObject({ kind: "begun", id: expect.stringMatching(/^stp_/) });
    expect(await process.port.journal(lease)).toMatchObject([{ ...step, state: "started", output: null }]);
    expect(await insideRecordsOf(app, lease.task)).toEqual(["tasks.startTask allowed", "tasks.callModel allowed"]);
    const { rows } = await app.pool.query(
      "select body::json ->> 'object' as object from audit_records where body like '%tasks.callModel%'",
    );
    expect(rows).toEqual([{ object: "model:sample-model" }]);
  });

  it("counts on its task what the turn used, once it is over", async () => {
    const lease = await running();
    const begun = await ask(lease);
    if (begun.kind !== "begun") throw new Error("not begun");
    await begun.settle({ steps: 1, tokens: 120, usd: 0.02 });
    await process.port.endStep(lease, begun.id, { state: "finished", output: {} });
    expect((await app.call("GET", `/v1/tasks/${lease.task}`)).body).toMatchObject({ tokens: 120, cost_usd: 0.02 });
  });

  it("holds what it may use of budgets from before the turn until it is over, and then counts what it used", async () => {
    const [one, two, three] = [await running(), await running(), await running()];
    const key = [app.scope.organization, app.scope.environment];
    await changeFacts(
      app,
      process,
      "budgets",
      "insert into budgets (organization, environment, scope, unit, period, hard, author) values ($1, $2, 'agent:sales', 'tokens', 'total', 1000, 'test')",
      key,
    );
    try {
      const first = await ask(one);
      expect(first.kind).toBe("begun");
      expect(await ask(two)).toMatchObject({ kind: "later", seconds: 2, failure: { code: "budget_exhausted" } });
      if (first.kind === "begun") await first.settle({ steps: 1, tokens: 100 });
      expect((await ask(two)).kind).toBe("begun");
      expect(await ask(three)).toMatchObject({ kind: "later" });
      expect(await ask(three, { steps: 1, tokens: 901 })).toMatchObject({
        kind: "refused",
        failure: { code: "budget_exhausted" },
      });
      expect(await ask(three, { steps: 1, tokens: 1_001 })).toMatchObject({
        kind: "refused",
        failure: { code: "budget_exhausted" },
      });
    } finally {
      await changeFacts(
        app,
        process,
        "budgets",
        "delete from budgets where organization = $1 and environment = $2",
        key,
      );
    }
  });

  it("passes policies that see the model, and stops that name it", async () => {
    const lease = await running();
    await underPolicy(
      app,
      process,
      { scope: { actions: ["model.call"] }, when: 'model.name == "sample-model"', effect: "deny", message: "Not it." },
      async () => {
        expect(await ask(lease)).toMatchObject({
          kind: "refused",
          failure: { code: "policy_blocked", detail: expect.stringContaining("Not it.") },
        });
      },
    );
    expect((await ask(lease)).kind).toBe("begun");
  });

  it("is covered by the approval of its task, and refused without one where a policy demands it", async () => {
    const lease = await running();
    await underPolicy(
      app,
      process,
      { scope: { actions: ["model.call"] }, effect: "require_approval", message: "Look first." },
      async () => {
        expect(await ask(lease)).toMatchObject({
          kind: "refused",
          failure: { detail: expect.stringContaining("nobody was asked to approve the task") },
        });
        const { task_id: task } = await app.dispatch();
        await approve(app, task);
        const approved = leaseOn(app, task);
        await process.port.start(approved);
        expect((await ask(approved)).kind).toBe("begun");
      },
    );
  });

  it("shows the model placeholders for what policies keep from it", async () => {
    const lease = await running();
    await underPolicy(
      app,
      process,
      { scope: { actions: ["model.call"] }, effect: "redact", params: { kinds: ["email"] } },
      async () => {
        const begun = await ask(lease);
        if (begun.kind !== "begun") throw new Error("not begun");
        expect(await begun.shown([{ role: "user", content: "ann.lee@example.com" }])).toEqual([
          { role: "user", content: "[email_1]" },
        ]);
        expect(await process.port.complete(lease, { to: "[email_1]" })).toBe(true);
      },
    );
    expect((await app.call("GET", `/v1/tasks/${lease.task}`)).body.output).toEqual({ to: "ann.lee@example.com" });
  });

  it("does nothing for a worker that has lost the task", async () => {
    const lease = await running();
    expect(await ask({ ...lease, owner: "another" })).toEqual({ kind: "lost" });
    expect(await process.port.journal(lease)).toEqual([]);
  });
});
