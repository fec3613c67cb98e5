import { describe, expect, it } from "vitest";
import { lowestId } from "../../../../kernel/ids.ts";
import type { SweepParts } from "../../../../kernel/machines.ts";
import { useApp } from "../../../../testing/app.ts";
import {
  approvalOf,
  approve,
  beginStep,
  eventsOf,
  insideRecordsOf,
  lapse,
  leaseOn,
  taskRow,
  wakeUpsFor,
} from "../../../../testing/tasks.ts";
import { useWorkerProcess } from "../../../../testing/worker.ts";
import { clearedAtOnce } from "./sweeper.ts";

const app = useApp();
const process = useWorkerProcess(app);

const queued = async (body: Record<string, unknown> = {}, options = {}) =>
  (await app.dispatch({ require_approval: false, ...body }, options)).task_id;
const inFuture = () => new Date(Date.now() + 3_600_000).toISOString();
/** Makes a task a day and an hour old, as its id tells it. Answers the id that it has now. */
const age = async (task: string): Promise<string> => {
  const aged = `${lowestId("tsk", Date.now() - 25 * 3_600_000).slice(0, 14)}${task.slice(14)}`;
  await app.pool.query("update tasks set id = $2 where id = $1", [task, aged]);
  return aged;
};
const overdue = (task: string) =>
  app.pool.query("update tasks set deadline = now() - interval '1 second' where id = $1", [task]);

describe("the sweeper", () => {
  it("queues a task again whose lease has lapsed, wakes a worker, and counts the attempt", async () => {
    const task = await queued();
    await process.port.start(leaseOn(app, task));
    await process.sweeper.sweep();
    expect((await taskRow(app, task)).status).toBe("running");
    await lapse(app, task);
    const before = await wakeUpsFor(app, task);
    await process.sweeper.sweep();
    expect(await taskRow(app, task)).toMatchObject({
      status: "queued",
      attempt: 1,
      lease_owner: null,
      lease_until: null,
    });
    expect(await wakeUpsFor(app, task)).toBe(before + 1);
    expect(await insideRecordsOf(app, task)).toEqual(["tasks.startTask allowed", "tasks.requeueTask allowed"]);
  });

  it("gives a task up whose workers were lost five times", async () => {
    const task = await queued();
    for (let attempt = 1; attempt <= 5; attempt++) {
      expect(await process.port.start(leaseOn(app, task))).toMatchObject({ claimed: true, run: { attempt } });
      await lapse(app, task);
      await process.sweeper.sweep();
    }
    expect(await taskRow(app, task)).toMatchObject({
      status: "failed",
      attempt: 5,
      failure: { code: "too_many_attempts" },
      lease_owner: null,
    });
    expect((await eventsOf(app, task)).at(-1)).toBe("task.failed");
  });

  it("expires tasks beyond their deadline, with the approval that they wait for", async () => {
    const waiting = await queued({ deadline: inFuture() });
    const { task_id: asked } = await app.dispatch({ deadline: inFuture() });
    const { task_id: approved } = await app.dispatch({ deadline: inFuture() });
    await approve(app, approved);
    const running = await queued({ deadline: inFuture() });
    await process.port.start(leaseOn(app, running));
    const later = await queued({ deadline: inFuture() });
    for (const task of [waiting, asked, approved, running]) await overdue(task);
    await process.sweeper.sweep();
    for (const task of [waiting, asked, approved]) {
      expect(await taskRow(app, task)).toMatchObject({ status: "expired", failure: { code: "deadline_passed" } });
      expect((await eventsOf(app, task)).at(-1)).toBe("task.expired");
    }
    expect(await approvalOf(app, asked)).toBe("expired");
    expect(await approvalOf(app, approved)).toBe("expired");
    expect((await taskRow(app, running)).status).toBe("running");
    expect((await taskRow(app, later)).status).toBe("queued");
  });

  it("leaves no step of a task open that it expires or gives up", async () => {
    const [expiring, given] = [await queued({ deadline: inFuture() }), await queued()];
    for (const task of [expiring, given]) {
      const lease = leaseOn(app, task);
      await process.port.start(lease);
      await beginStep(app, lease, { number: 1, kind: "model", name: "sample-model", input: {} });
      await beginStep(app, lease, { number: 2, kind: "tool", name: "get_lead", input: {} });
      await lapse(app, task);
    }
    await app.pool.query("update tasks set attempt = 5 where id = $1", [given]);
    await process.sweeper.sweep();
    await overdue(expiring);
    await process.sweeper.sweep();
    expect([(await taskRow(app, expiring)).status, (await taskRow(app, given)).status]).toEqual(["expired", "failed"]);
    const { rows } = await app.pool.query(
      "select number, state, failure::json ->> 'code' as code from steps where task_id = any($1) order by number, code",
      [[expiring, given]],
    );
    expect(rows).toEqual([
      { number: 1, state: "failed", code: "deadline_passed" },
      { number: 1, state: "failed", code: "too_many_attempts" },
      { number: 2, state: "unknown", code: "deadline_passed" },
      { number: 2, state: "unknown", code: "too_many_attempts" },
    ]);
  });

  it("counts for a run no time in which its worker was gone, nor a stand-still of the database", async () => {
    const [killed, paused] = [await queued(), await queued()];
    for (const task of [killed, paused]) await process.port.start(leaseOn(app, task));
    // Claimed eight hours ago; the worker was killed ten minutes later.
    await app.pool.query(
      "update tasks set claimed_at = now() - interval '8 hours', lease_until = now() - interval '470 minutes' + interval '25 seconds' where id = $1",
      [killed],
    );
    // Claimed ten minutes ago, of which the database stood still for nine.
    await app.pool.query(
      "insert into worker_gaps (started_at, ended_at) values (now() - interval '9 minutes 30 seconds', now() - interval '30 seconds')",
    );
    await app.pool.query(
      "update tasks set claimed_at = now() - interval '10 minutes', lease_until = now() - interval '1 second' where id = $1",
      [paused],
    );
    await process.sweeper.sweep();
    const { rows } = await app.pool.query(
      "select round(ran_ms / 1000.0)::int as seconds from tasks where id = any($1) order by id",
      [[killed, paused]],
    );
    expect(rows[0].seconds).toBe(600);
    expect(rows[1].seconds).toBeLessThanOrEqual(60);
    await app.pool.query("delete from worker_gaps");
  });

  it("wakes a worker for a task that lies queued with no wake-up, once", async () => {
    const fresh = await queued();
    const forgotten = await queued();
    await app.pool.query("delete from graphile_worker._private_jobs");
    await app.pool.query("update tasks set updated_at = now() - interval '6 seconds' where id = $1", [forgotten]);
    await process.sweeper.sweep();
    await process.sweeper.sweep();
    expect(await wakeUpsFor(app, forgotten)).toBe(1);
    expect(await wakeUpsFor(app, fresh)).toBe(0);
    // The process that took the wake-up died: its job is locked, and no wake-up any more.
    await app.pool.query("update graphile_worker._private_jobs set locked_at = now(), locked_by = 'gone'");
    await process.sweeper.sweep();
    expect(await wakeUpsFor(app, forgotten)).toBe(1);
  });

  it("does not leave a task to a wake-up that failed and comes again in hours", async () => {
    const task = await queued();
    await app.pool.query("update tasks set updated_at = now() - interval '6 seconds' where id = $1", [task]);
    await app.pool.query(
      "update graphile_worker._private_jobs set attempts = 10, run_at = now() + interval '6 hours' where key = $1",
      [task],
    );
    await process.sweeper.sweep();
    const { rows } = await app.pool.query(
      "select run_at <= now() as due from graphile_worker._private_jobs where key = $1",
      [task],
    );
    expect(rows).toEqual([{ due: true }]);
  });

  it("clears what dispatches keep for repetition after a day, and nothing younger", async () => {
    const old = await queued({}, { headers: { "idempotency-key": "old" } });
    const young = await queued({}, { headers: { "idempotency-key": "young" } });
    const aged = await age(old);
    await process.sweeper.sweep();
    const { rows } = await app.pool.query(
      "select id, idempotency_hash is null and request_digest is null and answer is null as cleared from tasks where id = any($1) order by id",
      [[aged, young]],
    );
    expect(rows).toEqual([
      { id: aged, cleared: true },
      { id: young, cleared: false },
    ]);
  });

  it("clears a bounded number of dispatches in one look, the oldest first, and goes on in the next", async () => {
    await process.sweeper.sweep();
    const task = await queued();
    const ids = Array.from({ length: clearedAtOnce + 2 }, (_, n) => lowestId("tsk", Date.now() - 48 * 3_600_000 + n));
    await app.pool.query(
      `insert into tasks (organization, environment, id, idempotency_hash, request_digest, answer, status, agent, version_id, version_number, skill,
         input, trust_score, trust, risk_level, risk, audit_ref, principal, subject, event_count)
       select organization, (array['development', 'staging'])[1 + n % 2], old, old, '-', '{}', 'completed', agent, version_id, version_number, skill,
         input, trust_score, trust, risk_level, risk, audit_ref, principal, subject, event_count
       from tasks, unnest($2::text[]) with ordinality as of_old (old, n) where id = $1`,
      [task, ids],
    );
    const kept = async () =>
      (await app.pool.query("select id from tasks where id = any($1) and answer is not null order by id", [ids])).rows;
    await process.sweeper.sweep();
    expect(await kept()).toEqual(ids.slice(-2).map((id) => ({ id })));
    await process.sweeper.sweep();
    expect(await kept()).toEqual([]);
  });

  it("does not wait for a task that a call holds, nor for one that was cleared", async () => {
    const held = await age(await queued({}, { headers: { "idempotency-key": "held" } }));
    const free = await age(await queued({}, { headers: { "idempotency-key": "free" } }));
    const answers = async () =>
      (await app.pool.query("select id, answer is null as cleared from tasks where id = any($1)", [[held, free]])).rows;
    const call = await app.pool.connect();
    try {
      await call.query("begin");
      await call.query("select from tasks where id = $1 for update", [held]);
      await process.sweeper.sweep();
      expect(await answers()).toEqual(
        expect.arrayContaining([
          { id: held, cleared: false },
          { id: free, cleared: true },
        ]),
      );
      await call.query("rollback");
    } finally {
      call.release();
    }
    await process.sweeper.sweep();
    expect(await answers()).toContainEqual({ id: held, cleared: true });
  });

  it("lets a key that is a day old stand for a new dispatch once it was cleared, and never replays the old answer", async () => {
    const headers = { "idempotency-key": "of-yesterday" };
    const body = { task: "qualify_lead", lead_id: "ld_1001", require_approval: false };
    const again = () => app.call("POST", "/v1/agents/sales/tasks", { body, headers });
    const first = await again();
    expect((await again()).headers.get("idempotent-replayed")).toBe("true");
    await age(first.body.task_id);
    expect(await again()).toMatchObject({ status: 503, body: { code: "audit_unavailable" } });
    await process.sweeper.sweep();
    const second = await again();
    expect(second.status).toBe(202);
    expect(second.headers.get("idempotent-replayed")).toBeNull();
    expect(second.body.task_id).not.toBe(first.body.task_id);
  });

  it("stands by while another process sweeps", async () => {
    const task = await queued();
    await process.port.start(leaseOn(app, task));
    await lapse(app, task);
    const other = await app.pool.connect();
    try {
      await other.query("select pg_advisory_lock(7020956953039594853)");
      expect(await process.sweeper.sweep()).toBe(false);
      expect((await taskRow(app, task)).status).toBe("running");
      await other.query("select pg_advisory_unlock_all()");
      expect(await process.sweeper.sweep()).toBe(true);
      expect((await taskRow(app, task)).status).toBe("queued");
    } finally {
      other.release();
    }
  });

  it("lets every slice look after its own, and tells of one that fails without keeping the others from it", async () => {
    const looks: unknown[] = [];
    const broken = { name: "sample.break", run: () => Promise.reject(new Error("nothing to look at")) };
    const sound = {
      name: "sample.look",
      run: async ({ db, now }: SweepParts) => {
        const [row] = await db.query<{ tasks: number }>("select count(*)::int as tasks from tasks");
        looks.push([row?.tasks, now]);
      },
    };
    const since = Date.now();
    const faults = process.faults.length;
    expect(await process.sweeperWith([broken, sound]).sweep()).toBe(true);
    expect(looks).toEqual([[expect.any(Number), expect.any(Number)]]);
    expect((looks[0] as number[])[1]).toBeGreaterThanOrEqual(since);
    expect(process.faults.slice(faults).map(String)).toEqual(["Error: the sweep sample.break failed"]);
  });
});
