import { describe, expect, it } from "vitest";
import { wake } from "../jobs/queue.ts";
import { useApp } from "../testing/app.ts";
import { lookingUp, scriptedModel } from "../testing/models.ts";
import {
  approve,
  beginStep,
  eventsOf,
  eventually,
  insideRecordsOf,
  lapse,
  leaseOn,
  taskRow,
} from "../testing/tasks.ts";
import { startWorkerProcess, useWorkerProcess } from "../testing/worker.ts";
import type { TaskRunnerPort } from "./index.ts";

const app = useApp();
const process = useWorkerProcess(app);

const queued = async (body: Record<string, unknown> = {}) =>
  (await app.dispatch({ require_approval: false, ...body })).task_id;
const reaches = (task: string, status: string) =>
  eventually(async () => expect((await taskRow(app, task)).status).toBe(status));

/** A tool that does not answer, and when it was called. */
function stuckTool(): { port: Pick<TaskRunnerPort, "callTool">; called: Promise<void> } {
  const called = Promise.withResolvers<void>();
  const callTool: TaskRunnerPort["callTool"] = () => {
    called.resolve();
    return new Promise(() => undefined);
  };
  return { port: { callTool }, called: called.promise };
}

describe("a worker", () => {
  it("runs a queued task: the model looks the record up, and what it answers is the result", async () => {
    const worker = await process.worker();
    const task = await queued();
    await reaches(task, "completed");
    const { body } = await app.call("GET", `/v1/tasks/${task}`);
    expect(body).toMatchObject({ attempt: 1, failure: null });
    expect(JSON.parse(body.output.reason)).toMatchObject({
      get_lead: { from: "get_lead", data: { id: "ld_1001", base: "leads" } },
    });
    expect(await eventsOf(app, task)).toEqual(["task.created", "task.started", "task.completed"]);
    expect(await insideRecordsOf(app, task)).toEqual(
      ["startTask", "callModel", "callTool", "callModel", "completeTask"].map((name) => `tasks.${name} allowed`),
    );
    await worker.stop(20_000);
  });

  it("runs what people approved as soon as they did", async () => {
    const worker = await process.worker();
    const { task_id: task } = await app.dispatch();
    await approve(app, task);
    await reaches(task, "completed");
    await worker.stop(20_000);
  });

  it("hands other jobs to whoever handles them, with what was enqueued", async () => {
    const payloads: unknown[] = [];
    const worker = await process.worker({ jobs: { sample_job: async (payload) => void payloads.push(payload) } });
    await wake(process.database.pool, [{ task: "sample_job", payload: { of: "the test" } }]);
    await eventually(async () => expect(payloads).toEqual([{ of: "the test" }]));
    await worker.stop(20_000);
  });

  it("fails a task whose record is not there, and says which", async () => {
    const worker = await process.worker();
    const task = await queued({ lead_id: "ld_none" });
    await reaches(task, "failed");
    expect((await taskRow(app, task)).failure).toEqual({
      code: "record_not_found",
      detail: "The knowledge base leads has no record ld_none.",
    });
    await worker.stop(20_000);
  });

  it("ends a task as blocked whose tool call a policy denies, and keeps the step", async () => {
    const policy = await app.policy({
      scope: { actions: ["tool.call"] },
      when: 'has(input.lead_id) && input.lead_id == "ld_1005"',
      effect: "deny",
      message: "Closed.",
    });
    await process.refresh();
    const worker = await process.worker();
    const task = await queued({ lead_id: "ld_1005" });
    await reaches(task, "blocked");
    expect((await taskRow(app, task)).failure).toMatchObject({
      code: "policy_blocked",
      detail: `Closed. (policy ${policy}, version 1, test)`,
    });
    expect((await eventsOf(app, task)).at(-1)).toBe("task.blocked");
    const { rows } = await app.pool.query("select kind, state, verdict from steps where task_id = $1 order by number", [
      task,
    ]);
    expect(rows).toEqual([
      { kind: "model", state: "finished", verdict: "not_applicable" },
      { kind: "tool", state: "failed", verdict: "deny" },
    ]);
    const blocked = await app.pool.query(
      "select 1 from events where type = 'policy.blocked' and body like '%tasks.callTool%'",
    );
    expect(blocked.rows).toHaveLength(1);
    await worker.stop(20_000);
  });

  it("writes no record for a wake-up that finds nothing to do", async () => {
    const worker = await process.worker();
    const task = await queued();
    await reaches(task, "completed");
    const before = await insideRecordsOf(app, task);
    await wake(process.database.pool, [{ task: "run_task", payload: { ...app.scope, task } }]);
    await wake(process.database.pool, [{ task: "run_task", payload: { nonsense: true } }]);
    await eventually(async () => {
      const { rows } = await app.pool.query(
        "select 1 from graphile_worker._private_jobs where payload::text like $1 or payload::text like '%nonsense%'",
        [`%${task}%`],
      );
      expect(rows).toEqual([]);
    });
    expect(await insideRecordsOf(app, task)).toEqual(before);
    await worker.stop(20_000);
  });

  it("shares the work with others, each task run once", async () => {
    const other = await startWorkerProcess(app.connectionString);
    try {
      const workers = [await process.worker(), await other.worker()];
      const tasks = await Promise.all(Array.from({ length: 20 }, () => queued()));
      for (const task of tasks) await reaches(task, "completed");
      for (const task of tasks)
        expect(await eventsOf(app, task)).toEqual(["task.created", "task.started", "task.completed"]);
      for (const worker of workers) await worker.stop(20_000);
    } finally {
      await other.close();
    }
  });
});

describe("a run that is interrupted", () => {
  it("is resumed by another worker, and no finished step is made again", async () => {
    const asked: number[] = [];
    const model = lookingUp({ seen: (_options, turn) => asked.push(turn) });
    const endStep: TaskRunnerPort["endStep"] = (lease, id, end) =>
      asked.length === 2 ? gone : process.port.endStep(lease, id, end);
    const gone = new Promise<never>(() => undefined);
    const lost = await process.worker({ port: { endStep }, model });
    const task = await queued();
    await eventually(() => expect(asked).toEqual([1, 2])); // the second turn was taken, and its worker is lost before that is written down
    await lapse(app, task);
    await process.sweeper.sweep();
    const worker = await process.worker({ model });
    await reaches(task, "completed");
    expect((await taskRow(app, task)).attempt).toBe(2);
    expect(asked).toEqual([1, 2, 2]);
    expect((await insideRecordsOf(app, task)).filter((record) => record.startsWith("tasks.callTool"))).toHaveLength(1);
    const { rows } = await app.pool.query("select attempt, number, state from steps where task_id = $1 order by id", [
      task,
    ]);
    expect(rows).toEqual([
      { attempt: 1, number: 1, state: "finished" },
      { attempt: 1, number: 2, state: "finished" },
      { attempt: 1, number: 3, state: "failed" },
      { attempt: 2, number: 3, state: "finished" },
    ]);
    await lost.stop(0);
    await worker.stop(20_000);
  });

  it("asks people whether an action took effect whose end nobody saw, instead of making it again", async () => {
    const task = await queued();
    const gone = leaseOn(app, task);
    await process.port.start(gone);
    await beginStep(app, gone, { number: 1, kind: "tool", name: "send_email", input: { to: "somebody" } });
    await lapse(app, task);
    await process.sweeper.sweep();
    const worker = await process.worker();
    await reaches(task, "input_required");
    const { body } = await app.call("GET", `/v1/tasks/${task}`);
    expect(body.question).toMatchObject({
      kind: "outcome",
      text: expect.stringContaining("send_email"),
      options: ["it_took_effect", "it_did_not"],
    });
    expect((await eventsOf(app, task)).at(-1)).toBe("task.input_required");
    await worker.stop(20_000);
  });

  it("ends within two seconds of its task's cancellation", async () => {
    const stuck = stuckTool();
    const worker = await process.worker({ port: stuck.port });
    const task = await queued();
    await stuck.called;
    expect((await app.call("POST", `/v1/tasks/${task}/cancel`, { body: { reason: "not needed" } })).status).toBe(202);
    const cancelled = performance.now();
    await worker.stop(20_000); // waits for the handler
    expect(performance.now() - cancelled).toBeLessThan(2_000);
    expect(await taskRow(app, task)).toMatchObject({
      status: "cancelled",
      failure: { code: "cancelled", detail: "not needed" },
    });
  });

  it("leaves a model's stream within two seconds of its task's cancellation, though the model goes on", async () => {
    const left = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<void>();
    const deaf = () =>
      new ReadableStream<never>({ pull: () => new Promise(() => undefined), cancel: () => left.resolve() });
    const worker = await process.worker({
      model: scriptedModel(() => ({ stream: deaf() }), { seen: () => asked.resolve() }),
    });
    const task = await queued();
    await asked.promise;
    expect((await app.call("POST", `/v1/tasks/${task}/cancel`, { body: {} })).status).toBe(202);
    const cancelled = performance.now();
    await left.promise;
    await worker.stop(20_000);
    expect(performance.now() - cancelled).toBeLessThan(2_000);
    expect((await taskRow(app, task)).status).toBe("cancelled");
    const { rows } = await app.pool.query(
      "select kind, state, failure::json ->> 'code' as code from steps where task_id = $1",
      [task],
    );
    expect(rows).toEqual([{ kind: "model", state: "failed", code: "cancelled" }]);
  });

  it("fails when its skill's time is over", async () => {
    const stuck = stuckTool();
    const start: TaskRunnerPort["start"] = async (lease) => {
      const claim = await process.port.start(lease);
      return claim.claimed
        ? { ...claim, run: { ...claim.run, limits: { ...claim.run.limits, seconds: 0.05 } } }
        : claim;
    };
    const worker = await process.worker({ port: { ...stuck.port, start } });
    const task = await queued();
    await reaches(task, "failed");
    expect((await taskRow(app, task)).failure).toMatchObject({ code: "time_limit" });
    await worker.stop(20_000);
  });

  it("is given back when the process stops and it does not end in time, and another worker completes it", async () => {
    const stuck = stuckTool();
    const leaving = await process.worker({ port: stuck.port });
    const task = await queued();
    await stuck.called;
    await leaving.stop(50);
    expect(await taskRow(app, task)).toMatchObject({ status: "queued", attempt: 0, lease_owner: null });
    const worker = await process.worker();
    await reaches(task, "completed");
    expect((await taskRow(app, task)).attempt).toBe(1);
    await worker.stop(20_000);
  });

  it("is given back when a fault of the database that passes stands in its way, and is no failed task", async () => {
    let broken = true;
    const callTool: TaskRunnerPort["callTool"] = (lease, call) => {
      if (!broken) return process.port.callTool(lease, call);
      broken = false;
      return Promise.reject(Object.assign(new Error("could not serialize access"), { code: "40001" }));
    };
    const run = process.handed({ callTool });
    const task = await queued();
    await run(task);
    expect(await taskRow(app, task)).toMatchObject({ status: "queued", attempt: 0, failure: null });
    await run(task);
    expect(await taskRow(app, task)).toMatchObject({ status: "completed", attempt: 1 });
  });

  it("may end while the process stops, within the limit", async () => {
    const begun = Promise.withResolvers<void>();
    const go = Promise.withResolvers<void>();
    const callTool: TaskRunnerPort["callTool"] = async (lease, call) => {
      begun.resolve();
      await go.promise;
      return process.port.callTool(lease, call);
    };
    const worker = await process.worker({ port: { callTool } });
    const task = await queued();
    await begun.promise;
    const stopped = worker.stop(20_000);
    go.resolve();
    await stopped;
    expect((await taskRow(app, task)).status).toBe("completed");
  });

  it("gives its task back when its end cannot be written, and makes no call twice", async () => {
    const complete: TaskRunnerPort["complete"] = async () => {
      throw new Error("the connection broke");
    };
    const worker = await process.worker({ port: { complete } });
    const task = await queued();
    await eventually(() => expect(process.faults).toContainEqual(new Error("the connection broke")));
    await worker.stop(20_000);
    expect(await taskRow(app, task)).toMatchObject({ status: "queued", attempt: 0 });
    const next = await process.worker();
    await reaches(task, "completed");
    expect((await insideRecordsOf(app, task)).filter((record) => record.startsWith("tasks.callTool"))).toHaveLength(1);
    await next.stop(20_000);
  });
});
