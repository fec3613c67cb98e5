import { describe, expect, it } from "vitest";
import type { Statements } from "../../../../kernel/machines.ts";
import type { Lease } from "../../../../runtime/index.ts";
import { useApp } from "../../../../testing/app.ts";
import { approve, eventsOf, eventually, insideRecordsOf, leaseOn, taskRow } from "../../../../testing/tasks.ts";
import { useWorkerProcess } from "../../../../testing/worker.ts";
import { insertStep } from "../../steps/store.ts";
import { underKillSwitch } from "../testing.ts";

// A stop meets many runs of a process at the same moment. What it ends is written together, where nobody had to approve the run, and by itself elsewhere.

const app = useApp();
const process = useWorkerProcess(app);
const status = async (task: string): Promise<string> => (await taskRow(app, task)).status;

const started = async (task: string) => {
  const lease = leaseOn(app, task);
  expect((await process.port.start(lease)).claimed).toBe(true);
  return { task, lease };
};
const running = async () => started((await app.dispatch({ require_approval: false })).task_id);
const approvedRun = async () => {
  const { task_id } = await app.dispatch();
  await approve(app, task_id);
  return started(task_id);
};

describe("ending runs by a stop", () => {
  /** A turn of the model that is over, of which the end is written with what follows it. */
  const tookTurn = async (lease: Lease): Promise<void> => {
    const step = {
      number: 1,
      kind: "model",
      name: "sample-model",
      input: { prompt: "sha256:0", messages: 2 },
    } as const;
    const begun = await process.port.beginModel(lease, step, { steps: 1, tokens: 600 });
    if (begun.kind !== "begun") throw new Error("not begun");
    await process.port.endStep(lease, begun.id, { state: "finished", output: { text: "so" }, tokens: 120 });
    expect(await turnOf(lease.task)).toEqual([{ state: "started", tokens: 0, used: 0 }]);
  };
  const turnOf = async (task: string) =>
    (
      await app.pool.query(
        "select s.state, s.tokens::int, t.tokens::int as used from steps s join tasks t on t.id = s.task_id where s.task_id = $1",
        [task],
      )
    ).rows;
  const nothingUsed = { tool: null, model: null, aborted: true };

  it("ends runs of one moment together, each with its own record and event, and one that people approved by itself", async () => {
    const runs = [...(await Promise.all(Array.from({ length: 8 }, running))), await approvedRun()];
    const ids = runs.map(({ task }) => task);
    await underKillSwitch(app, process, { kind: "agent", target: "sales" }, async (stop) => {
      const ended = runs.map((run) => process.port.endHeld(run.lease, nothingUsed));
      expect(new Set(await Promise.all(ended))).toEqual(new Set([true]));
      const { rows } = await app.pool.query(
        `select distinct status, kill_switch_id, lease_owner, lease_until, finished_at is not null as finished, failure::json ->> 'code' as code
         from tasks where id = any($1)`,
        [ids],
      );
      expect(rows).toEqual([
        {
          status: "cancelled",
          kill_switch_id: stop,
          lease_owner: null,
          lease_until: null,
          finished: true,
          code: "kill_switch_engaged",
        },
      ]);
      const commits = await app.pool.query(
        "select count(distinct xmin::text)::int as n from tasks where id = any($1)",
        [ids],
      );
      expect(commits.rows[0].n).toBeLessThanOrEqual(4); // the first of a moment goes alone, and so does the approved one
      for (const task of ids) {
        expect((await eventsOf(app, task)).at(-1)).toBe("task.cancelled");
        expect((await insideRecordsOf(app, task)).at(-1)).toBe("tasks.endHeldTask allowed");
      }
    });
  });

  it.each([
    ["that nobody had to approve", running],
    ["that people approved", approvedRun],
  ])("keeps the end of the turn that was still to be written, and what it used, of a run %s", async (_what, begin) => {
    const { lease, task } = await begin();
    await tookTurn(lease);
    await underKillSwitch(app, process, { kind: "agent", target: "sales" }, async () => {
      expect(await process.port.endHeld(lease, { ...nothingUsed, aborted: false })).toBe(true);
    });
    expect(await status(task)).toBe("cancelled");
    expect(await turnOf(task)).toEqual([{ state: "finished", tokens: 120, used: 120 }]);
  });

  it("waits for who holds the task at this moment, and then ends what that wrote as well", async () => {
    const { lease, task } = await running();
    await tookTurn(lease);
    const other = await app.pool.connect();
    try {
      await other.query("begin");
      const step = { id: "stp_test_meanwhile", number: 2, kind: "tool", name: "get_lead", input: {} } as const;
      const db: Statements = { query: async (text, values) => (await other.query(text, [...(values ?? [])])).rows };
      expect(await insertStep(db, lease, step)).toBe(true);
      await underKillSwitch(app, process, { kind: "agent", target: "sales" }, async () => {
        const ended = process.port.endHeld(lease, nothingUsed);
        await eventually(async () => {
          const { rows } = await app.pool.query(
            "select count(*)::int as n from pg_stat_activity where wait_event_type = 'Lock'",
          );
          expect(rows[0].n).toBe(1);
        });
        await other.query("commit");
        expect(await ended).toBe(true);
      });
    } finally {
      other.release();
    }
    const { rows } = await app.pool.query("select state from steps where task_id = $1 order by number", [task]);
    expect(rows).toEqual([{ state: "finished" }, { state: "unknown" }]);
  });

  it("is refused to a worker whose lease went to another one, though it remembers the run", async () => {
    const { lease, task } = await running();
    await app.pool.query("update tasks set lease_owner = 'another' where id = $1", [task]);
    await underKillSwitch(app, process, { kind: "agent", target: "sales" }, async () => {
      expect(await process.port.endHeld(lease, nothingUsed)).toBe(false);
      expect(await status(task)).toBe("running");
    });
  });
});
