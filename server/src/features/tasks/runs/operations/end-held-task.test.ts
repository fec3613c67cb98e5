import { beforeEach, describe, expect, it } from "vitest";
import { useApp } from "../../../../testing/app.ts";
import {
  approvalOf,
  approve,
  beginStep,
  eventsOf,
  eventually,
  insideRecordsOf,
  leaseOn,
  taskRow,
  wakeUpsFor,
} from "../../../../testing/tasks.ts";
import { useWorkerProcess } from "../../../../testing/worker.ts";
import { changeFacts, underKillSwitch, underPause } from "../testing.ts";

const app = useApp();
const process = useWorkerProcess(app);

const queued = async (): Promise<string> => (await app.dispatch({ require_approval: false })).task_id;
const waiting = async (): Promise<string> => (await app.dispatch()).task_id;
const status = async (task: string): Promise<string> => (await taskRow(app, task)).status;
const refused = async (): Promise<string | null> => {
  const { body } = await app.call("POST", "/v1/agents/sales/tasks", {
    body: { task: "qualify_lead", lead_id: "ld_1001" },
  });
  return body.code ?? null;
};
/** A task that a worker has claimed, with the run. */
const running = async () => {
  const task = await queued();
  const lease = leaseOn(app, task);
  const claim = await process.port.start(lease);
  if (!claim.claimed) throw new Error(`not claimed: ${claim.reason}`);
  return { task, lease, run: claim.run };
};
const lookUp = { number: 1, tool: "get_lead", arguments: { lead_id: "ld_1001" } };
/** As if it had been engaged long enough for a worker to have done its part. */
const longAgo = (stop: string) =>
  app.pool.query("update kill_switches set engaged_at = engaged_at - interval '10 seconds' where id = $1", [stop]);
const stopOf = async (task: string) =>
  (await app.pool.query("select kill_switch_id from tasks where id = $1", [task])).rows[0].kill_switch_id;

describe.each([
  { kind: "agent", target: "sales" },
  { kind: "environment" },
  { kind: "skill", target: "sales.qualify_lead" },
])("a stop of $kind", (of) => {
  it("of the mode stop refuses, blocks what is queued, ends what runs, and leaves what waits for people", async () => {
    const [open, early, other] = [await queued(), await running(), await waiting()];
    await underKillSwitch(app, process, of, async (stop) => {
      expect(await refused()).toBe("kill_switch_engaged");
      expect(await process.port.isReady(app.scope, open)).toBe(false);
      expect(process.port.holdOf(early.lease, early.run, { tool: null, model: null })).toBe("stop");
      expect(await process.port.callTool(early.lease, lookUp)).toMatchObject({
        kind: "held",
        hold: "stop",
        failure: { code: "kill_switch_engaged" },
      });
      await beginStep(app, early.lease, { number: 2, kind: "tool", name: "get_lead", input: {} });
      expect(await process.port.endHeld(early.lease, { tool: "get_lead", model: null, aborted: true })).toBe(true);
      await process.sweeper.sweep();
      expect(await taskRow(app, early.task)).toMatchObject({
        status: "cancelled",
        failure: { code: "kill_switch_engaged", detail: expect.stringContaining("it harms") },
      });
      expect(await taskRow(app, open)).toMatchObject({ status: "blocked", failure: { code: "kill_switch_engaged" } });
      expect([await stopOf(early.task), await stopOf(open), await stopOf(other)]).toEqual([stop, stop, null]);
      expect(await status(other)).toBe("awaiting_approval");
      expect((await eventsOf(app, early.task)).at(-1)).toBe("task.cancelled");
      expect((await eventsOf(app, open)).at(-1)).toBe("task.blocked");
      const text = "select state, failure::json ->> 'code' as code from steps where task_id = $1 order by number";
      expect((await app.pool.query(text, [early.task])).rows).toEqual([
        { state: "failed", code: "kill_switch_engaged" },
        { state: "unknown", code: "kill_switch_engaged" },
      ]);
    });
    await app.call("POST", `/v1/tasks/${other}/cancel`, { body: {} });
  });

  it("of the mode pause accepts work and lets it wait, gives back what runs, and wakes it all when it is released", async () => {
    const early = await running();
    await underKillSwitch(app, process, { ...of, mode: "pause" }, async () => {
      const late = await queued();
      expect(await process.port.isReady(app.scope, late)).toBe(false);
      expect(await process.port.start(leaseOn(app, late))).toEqual({ claimed: false, reason: "held" });
      expect(process.port.holdOf(early.lease, early.run, { tool: null, model: null })).toBe("give_back");
      expect(await process.port.callTool(early.lease, lookUp)).toMatchObject({ kind: "held", hold: "give_back" });
      expect(await process.port.giveBack(early.lease)).toBe(true);
      await process.sweeper.sweep();
      expect([await status(late), await status(early.task)]).toEqual(["queued", "queued"]);
    });
    expect(await process.port.isReady(app.scope, early.task)).toBe(true);
    expect((await process.port.start(leaseOn(app, early.task))).claimed).toBe(true);
  });

  it("of the mode drain refuses new work, and lets what there is begin and end", async () => {
    const [open, early] = [await queued(), await running()];
    await underKillSwitch(app, process, { ...of, mode: "drain" }, async () => {
      expect(await refused()).toBe("kill_switch_engaged");
      expect(process.port.holdOf(early.lease, early.run, { tool: "get_lead", model: null })).toBe("go");
      expect((await process.port.callTool(early.lease, lookUp)).kind).toBe("output");
      expect(await process.port.isReady(app.scope, open)).toBe(true);
      expect((await process.port.start(leaseOn(app, open))).claimed).toBe(true);
      await process.sweeper.sweep();
      expect([await status(open), await status(early.task)]).toEqual(["running", "running"]);
    });
  });
});

describe("a task that people approve under a stop", () => {
  it.each([
    ["stop", "blocked", false],
    ["pause", "queued", false],
    ["drain", "queued", true],
  ])("of the mode %s is %s", async (mode, then, ready) => {
    const task = await waiting();
    await underKillSwitch(app, process, { kind: "agent", target: "sales", mode }, async () => {
      await process.sweeper.sweep();
      expect(await status(task)).toBe("awaiting_approval");
      await approve(app, task);
      await process.sweeper.sweep();
      expect([await status(task), await process.port.isReady(app.scope, task)]).toEqual([then, ready]);
    });
  });
});

describe("a stop of a tool", () => {
  it("of the mode stop cancels the run whose call it breaks off, and blocks one that comes to it", async () => {
    const [inCall, later] = [await running(), await running()];
    await underKillSwitch(app, process, { kind: "tool", target: "get_lead" }, async (stop) => {
      expect(await refused()).toBeNull();
      expect(process.port.holdOf(later.lease, later.run, { tool: null, model: null })).toBe("go");
      expect(process.port.holdOf(later.lease, later.run, { tool: "get_lead", model: null })).toBe("stop");
      expect(process.port.holdOf(later.lease, later.run, { tool: "get_order", model: null })).toBe("go");
      expect(await process.port.endHeld(inCall.lease, { tool: "get_lead", model: null, aborted: true })).toBe(true);
      expect(await process.port.endHeld(later.lease, { tool: "get_lead", model: null, aborted: false })).toBe(true);
      expect([await status(inCall.task), await status(later.task)]).toEqual(["cancelled", "blocked"]);
      expect([await stopOf(inCall.task), await stopOf(later.task)]).toEqual([stop, stop]);
    });
  });

  it("of the mode pause lets tasks wait whose skill may call it, and no others", async () => {
    await underKillSwitch(app, process, { kind: "tool", target: "get_lead", mode: "pause" }, async () => {
      const task = await queued();
      expect(await process.port.isReady(app.scope, task)).toBe(false);
    });
    await underKillSwitch(app, process, { kind: "tool", target: "another_tool", mode: "pause" }, async () => {
      const task = await queued();
      expect(await process.port.isReady(app.scope, task)).toBe(true);
    });
  });
});

describe("an agent's pause", () => {
  it("that drains refuses new work, and lets what there is begin and end", async () => {
    const [open, early] = [await queued(), await running()];
    await underPause(app, process, "drain", async () => {
      expect(await refused()).toBe("agent_paused");
      expect((await process.port.callTool(early.lease, lookUp)).kind).toBe("output");
      expect((await process.port.start(leaseOn(app, open))).claimed).toBe(true);
      await process.sweeper.sweep();
      expect(await status(early.task)).toBe("running");
    });
  });

  it("that cancels refuses new work and cancels everything open, with the approvals that it waited for", async () => {
    const [open, early, other] = [await queued(), await running(), await waiting()];
    await underPause(app, process, "cancel", async () => {
      expect(await refused()).toBe("agent_paused");
      expect(process.port.holdOf(early.lease, early.run, { tool: null, model: null })).toBe("stop");
      expect(await process.port.callTool(early.lease, lookUp)).toMatchObject({
        kind: "held",
        hold: "stop",
        failure: { code: "agent_paused" },
      });
      expect(await process.port.endHeld(early.lease, { tool: null, model: null, aborted: true })).toBe(true);
      await process.sweeper.sweep();
      expect([await status(open), await status(early.task), await status(other)]).toEqual([
        "cancelled",
        "cancelled",
        "cancelled",
      ]);
      expect((await taskRow(app, other)).failure).toMatchObject({
        code: "agent_paused",
        detail: expect.stringContaining("it rests"),
      });
      expect(await approvalOf(app, other)).toBe("cancelled");
    });
  });

  it("that cancels a task at its start, where a worker is faster than the sweeper", async () => {
    const task = await queued();
    await underPause(app, process, "cancel", async () => {
      expect(await process.port.start(leaseOn(app, task))).toEqual({ claimed: false, reason: "held" });
      expect(await status(task)).toBe("cancelled");
    });
  });
});

describe("ending a held task", () => {
  it("is the sweeper's matter where a worker lets its turn pass, and not before", async () => {
    const { task } = await running();
    await underKillSwitch(app, process, { kind: "agent", target: "sales" }, async (stop) => {
      await process.sweeper.sweep();
      expect(await status(task)).toBe("running");
      await longAgo(stop);
      await process.sweeper.sweep();
      expect(await status(task)).toBe("cancelled");
    });
  });

  it("does nothing where no stop stands any more, or the lease is another's", async () => {
    const { lease, task } = await running();
    expect(await process.port.endHeld(lease, { tool: null, model: null, aborted: true })).toBe(false);
    await underKillSwitch(app, process, { kind: "agent", target: "sales" }, async () => {
      expect(
        await process.port.endHeld({ ...lease, owner: "another" }, { tool: null, model: null, aborted: true }),
      ).toBe(false);
      expect(await status(task)).toBe("running");
    });
  });

  it("takes the stricter of a stop that lets work wait and a pause that cancels", async () => {
    const task = await queued();
    await underKillSwitch(app, process, { kind: "agent", target: "sales", mode: "pause" }, () =>
      underPause(app, process, "cancel", async () => {
        await process.sweeper.sweep();
        expect(await taskRow(app, task)).toMatchObject({ status: "cancelled", failure: { code: "agent_paused" } });
      }),
    );
  });

  it("leaves no record of a look that ends nothing", async () => {
    const task = await queued();
    await underKillSwitch(app, process, { kind: "agent", target: "sales", mode: "pause" }, async () => {
      expect(await process.port.isReady(app.scope, task)).toBe(false);
      await process.sweeper.sweep();
      expect(await insideRecordsOf(app, task)).toEqual([]);
    });
  });
});

describe("the sweeper", () => {
  const forget = (task: string) =>
    app.pool.query("update tasks set updated_at = now() - interval '1 minute' where id = $1", [task]);
  const woken = async (task: string): Promise<boolean> => {
    await app.pool.query("delete from graphile_worker._private_jobs");
    await process.sweeper.sweep();
    return (await wakeUpsFor(app, task)) > 0;
  };

  it.each([
    { kind: "environment" },
    { kind: "agent", target: "sales" },
    { kind: "skill", target: "sales.qualify_lead" },
    { kind: "tool", target: "get_lead" },
  ])("wakes nobody for tasks that a pause of $kind keeps waiting, and does once it is released", async (of) => {
    const task = await queued();
    await forget(task);
    await underKillSwitch(app, process, { ...of, mode: "pause" }, async () => {
      expect(await woken(task)).toBe(false);
    });
    expect(await woken(task)).toBe(true);
  });

  it("wakes nobody for a task whose time has not come", async () => {
    const task = await queued();
    await app.pool.query("update tasks set not_before = now() + interval '1 hour' where id = $1", [task]);
    await forget(task);
    expect(await woken(task)).toBe(false);
    await app.pool.query("update tasks set not_before = now() - interval '1 second' where id = $1", [task]);
    expect(await woken(task)).toBe(true);
  });
});

describe("a pause of a model", () => {
  it("lets the tasks wait that it runs, and no other", async () => {
    const task = await queued();
    for (const [target, ready] of [
      ["builtin", false],
      ["another-model", true],
    ] as const) {
      await underKillSwitch(app, process, { kind: "model", target, mode: "pause" }, async () => {
        expect([target, await process.port.isReady(app.scope, task)]).toEqual([target, ready]);
      });
    }
  });
});

describe("a worker", () => {
  /** Wake-ups of earlier tests are none of these. */
  beforeEach(() => app.pool.query("delete from graphile_worker._private_jobs"));

  it("breaks a call off within a second of a stop, and ends its task", async () => {
    const called = Promise.withResolvers<void>();
    const callTool = (): Promise<never> => {
      called.resolve();
      return new Promise(() => undefined);
    };
    const worker = await process.worker({ port: { callTool } });
    const task = await queued();
    await called.promise;
    await underKillSwitch(
      app,
      process,
      {
        kind: "version",
        target: (await app.pool.query("select version_id from tasks where id = $1", [task])).rows[0].version_id,
      },
      async () => {
        const stopped = performance.now();
        await eventually(async () => expect(await status(task)).toBe("cancelled"));
        expect(performance.now() - stopped).toBeLessThan(1_000);
      },
    );
    await worker.stop(20_000);
  });

  it("gives a task back before its next step under a pause, and ends it after the release", async () => {
    const worker = await process.worker({
      port: {
        // The pause comes between the claim and the first step.
        async start(lease) {
          const claim = await process.port.start(lease);
          const [row] = (
            await app.pool.query("select 1 from kill_switches where target = 'get_lead' and released_at is null")
          ).rows;
          if (!row)
            await changeFacts(
              app,
              process,
              "kill_switches",
              `insert into kill_switches (organization, environment, id, kind, target, mode, critical, reason, engaged_by)
            values ('default', 'development', $1, 'tool', 'get_lead', 'pause', false, 'it harms', 'test') on conflict do nothing`,
              [app.app.newId("ksw")],
            );
          return claim;
        },
      },
    });
    const task = await queued();
    await eventually(async () =>
      expect(await insideRecordsOf(app, task)).toEqual([
        "tasks.startTask allowed",
        "tasks.callModel allowed",
        "tasks.requeueTask allowed",
      ]),
    );
    expect(await taskRow(app, task)).toMatchObject({ status: "queued", attempt: 0 });
    await worker.stop(20_000);
    await changeFacts(
      app,
      process,
      "kill_switches",
      "update kill_switches set released_at = now(), released_by = 'test' where target = 'get_lead'",
      [],
    );
    const next = await process.worker();
    await app.pool.query("update tasks set updated_at = now() - interval '1 minute' where id = $1", [task]);
    await process.sweeper.sweep();
    await eventually(async () => expect(await status(task)).toBe("completed"));
    await next.stop(20_000);
  });
});
