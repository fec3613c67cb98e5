import { describe, expect, it } from "vitest";
import { createReader } from "../../../db/reader.ts";
import { useApp } from "../../../testing/app.ts";
import { beginStep, lapse, leaseOn } from "../../../testing/tasks.ts";
import { useWorkerProcess } from "../../../testing/worker.ts";
import { requeueTask } from "../runs/operations/requeue-task.ts";
import { addStep, endStepOf } from "./store.ts";

const app = useApp();
const process = useWorkerProcess(app);

async function running() {
  const { task_id } = await app.dispatch({ require_approval: false });
  const lease = leaseOn(app, task_id);
  expect(await process.port.start(lease)).toMatchObject({ claimed: true });
  return lease;
}

async function resumed(task: string) {
  await lapse(app, task);
  await process.inside(requeueTask, app.scope, { task, owner: null });
  const lease = leaseOn(app, task);
  expect(await process.port.start(lease)).toMatchObject({ claimed: true });
  return lease;
}

const step = { number: 1, kind: "tool", name: "get_lead", input: { lead_id: "ld_1001" } } as const;
const steps = async (task: string) =>
  (
    await app.pool.query(
      "select attempt, number, state, verdict, failure::json->>'code' as failure from steps where task_id = $1 order by id",
      [task],
    )
  ).rows;

describe("the journal", () => {
  it("holds a step before it ends, and its result after, for whoever resumes the run", async () => {
    const first = await running();
    const id = (await beginStep(app, first, step)) as string;
    expect(await process.port.journal(first)).toEqual([
      { ...step, id, state: "started", output: null, failure: null, edit_approval_id: null },
    ]);
    expect(await process.port.endStep(first, id, { state: "finished", output: { found: true } })).toEqual({
      output: { found: true },
    });
    expect(await process.port.endStep(first, id, { state: "finished", output: { found: false } })).toBeNull();
    const second = await resumed(first.task);
    expect(await process.port.journal(second)).toEqual([
      { ...step, id, state: "finished", output: { found: true }, failure: null, edit_approval_id: null },
    ]);
    expect(await steps(first.task)).toEqual([
      { attempt: 1, number: 1, state: "finished", verdict: null, failure: null },
    ]);
  });

  it("changes the task's row with every step that begins, so that an end of the task which did not see the step is carried out again", async () => {
    const lease = await running();
    const version = async () =>
      (await app.pool.query("select xmin::text from tasks where id = $1", [lease.task])).rows[0].xmin;
    const before = await version();
    await beginStep(app, lease, step);
    expect(await version()).not.toBe(before);
  });

  it("counts a write once whose answer was lost", async () => {
    const lease = await running();
    const id = (await beginStep(app, lease, step)) as string;
    const db = createReader(app.pool);
    let lost = 0;
    const query: typeof db.query = async (text, values) => {
      const rows = await db.query(text, values);
      if (!/^\s*with held/.test(text)) return rows as never;
      lost++;
      throw Object.assign(new Error("Connection terminated unexpectedly"));
    };
    const patience = { tries: 3, pauseMs: 0 };
    expect(await addStep({ query }, lease, { ...step, id: "stp_test_lost", number: 2 }, patience)).toBe(true);
    expect(await endStepOf({ query }, lease, id, { state: "finished", output: {}, tokens: 5 }, patience)).toBe(true);
    expect(lost).toBe(2);
    expect(await steps(lease.task)).toMatchObject([
      { number: 1, state: "finished" },
      { number: 2, state: "started" },
    ]);
    expect((await app.pool.query("select tokens from tasks where id = $1", [lease.task])).rows).toEqual([
      { tokens: 5 },
    ]);
  });

  it("takes nothing from a worker that lost its lease", async () => {
    const lost = await running();
    const id = (await beginStep(app, lost, step)) as string;
    const holder = await resumed(lost.task);
    expect(await process.port.endStep(lost, id, { state: "finished", output: {} })).toBeNull();
    expect(await beginStep(app, lost, { ...step, number: 2 })).toBeNull();
    expect(await process.port.journal(lost)).toEqual([]);
    expect(await process.port.journal(holder)).toMatchObject([{ id, state: "started" }]);
  });

  it("closes an interrupted try when the step is taken again, and tells the latest", async () => {
    const first = await running();
    await beginStep(app, first, step);
    const second = await resumed(first.task);
    const id = await beginStep(app, second, step);
    expect(await process.port.journal(second)).toEqual([
      { ...step, id, state: "started", output: null, failure: null, edit_approval_id: null },
    ]);
    expect(await steps(first.task)).toEqual([
      { attempt: 1, number: 1, state: "failed", verdict: null, failure: "interrupted" },
      { attempt: 2, number: 1, state: "started", verdict: null, failure: null },
    ]);
  });

  it("begins again where a run begins again", async () => {
    const first = await running();
    const id = (await beginStep(app, first, step)) as string;
    await process.port.endStep(first, id, { state: "finished", output: {} });
    await app.pool.query("update tasks set status = 'queued', lease_owner = null, started_at = null where id = $1", [
      first.task,
    ]);
    const retry = leaseOn(app, first.task);
    await process.port.start(retry);
    expect(await process.port.journal(retry)).toEqual([]);
  });
});

describe("the time of a run", () => {
  it("adds up over its claims, and begins again with it", async () => {
    const lease = await running();
    await app.pool.query("update tasks set claimed_at = now() - interval '7 seconds' where id = $1", [lease.task]);
    await process.port.giveBack(lease);
    const next = leaseOn(app, lease.task);
    const claim = await process.port.start(next);
    const ms = claim.claimed ? claim.run.spent.ms : 0;
    expect(ms).toBeGreaterThanOrEqual(7_000);
    expect(ms).toBeLessThan(30_000);
    await process.port.fail(next, { code: "sample", detail: "It failed." });
    expect((await app.call("POST", `/v1/tasks/${lease.task}/retry`, { body: { from: "start" } })).status).toBe(202);
    expect(await process.port.start(leaseOn(app, lease.task))).toMatchObject({
      claimed: true,
      run: { spent: { ms: 0 }, resumed: false },
    });
  });
});

describe("leases", () => {
  it("hold for their owner only, and are prolonged together", async () => {
    const [one, two] = [await running(), await running()];
    const stranger = leaseOn(app, one.task);
    await app.pool.query("update tasks set lease_until = now() + interval '1 second' where id = any($1)", [
      [one.task, two.task],
    ]);
    expect(await process.port.held([one, two, stranger], false)).toEqual(new Set([one.owner, two.owner]));
    expect(await process.port.held([one, stranger], true)).toEqual(new Set([one.owner]));
    const { rows } = await app.pool.query(
      "select id, lease_until > now() + interval '20 seconds' as prolonged from tasks where id = any($1)",
      [[one.task, two.task]],
    );
    expect(Object.fromEntries(rows.map((row) => [row.id, row.prolonged]))).toEqual({
      [one.task]: true,
      [two.task]: false,
    });
  });
});
