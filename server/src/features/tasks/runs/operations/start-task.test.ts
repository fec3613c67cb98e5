import { describe, expect, it } from "vitest";
import { useApp } from "../../../../testing/app.ts";
import {
  approvalOf,
  approve,
  eventsOf,
  eventually,
  insideRecordsOf,
  lapse,
  leaseOn,
  taskRow,
} from "../../../../testing/tasks.ts";
import { startWorkerProcess, useWorkerProcess } from "../../../../testing/worker.ts";
import { approvalsOf, underPolicy as demanding } from "../testing.ts";
import { requeueTask } from "./requeue-task.ts";

const app = useApp();
const process = useWorkerProcess(app);

const queued = async (body: Record<string, unknown> = {}) =>
  (await app.dispatch({ require_approval: false, ...body })).task_id;
const start = (task: string) => process.port.start(leaseOn(app, task));

const underPolicy = (definition: Record<string, unknown>, work: (policy: string) => Promise<void>) =>
  demanding(app, process, { scope: { actions: ["task.run"] }, ...definition }, work);

describe("starting a task", () => {
  it("gives it to one worker under a lease of 30 seconds, with all that it needs to run it", async () => {
    const task = await queued();
    const lease = leaseOn(app, task);
    const before = Date.now();
    expect(await process.port.start(lease)).toEqual({
      claimed: true,
      run: {
        agent: "sales",
        version: 1,
        versionId: expect.stringMatching(/^ver_/),
        skill: "qualify_lead",
        input: { lead_id: "ld_1001" },
        attempt: 1,
        resumed: false,
        runId: expect.stringContaining(task),
        model: { provider: "builtin" },
        briefing: {
          agent: expect.stringContaining("You prepare inbound leads"),
          skill: expect.stringContaining("Look the lead up"),
          description: expect.any(String),
          input: expect.objectContaining({ required: ["lead_id"] }),
          output: expect.objectContaining({ type: "object" }),
          examples: [],
        },
        tools: [
          {
            name: "get_lead",
            effect: "read",
            idFields: ["lead_id"],
            costUsd: 0,
            repeatable: true,
            spec: expect.objectContaining({ kind: "record" }),
          },
        ],
        limits: { seconds: 120, steps: 12, tokens: 20_000, costUsd: 0.2 },
        spent: { tokens: 0, costUsd: 0, ms: 0 },
        stepsBefore: 0,
        waitedMs: expect.any(Number),
      },
    });
    const row = await taskRow(app, task);
    expect(row).toMatchObject({ status: "running", attempt: 1, lease_owner: lease.owner, tags: ["gate:missing"] });
    const lasts = (row.lease_until as Date).getTime() - before;
    expect(lasts).toBeGreaterThan(24_000);
    expect(lasts).toBeLessThan(60_000);
    expect(await eventsOf(app, task)).toEqual(["task.created", "task.started"]);
    expect(await insideRecordsOf(app, task)).toEqual(["tasks.startTask allowed"]);
  });

  it("waits until its time has come", async () => {
    const task = await queued();
    await app.pool.query("update tasks set not_before = now() + interval '1 hour' where id = $1", [task]);
    expect(await process.port.isReady(app.scope, task)).toBe(false);
    expect(await start(task)).toEqual({ claimed: false, reason: "not_queued" });
    expect(await taskRow(app, task)).toMatchObject({ status: "queued", attempt: 0 });
    await app.pool.query("update tasks set not_before = now() where id = $1", [task]);
    expect(await process.port.isReady(app.scope, task)).toBe(true);
    expect((await start(task)).claimed).toBe(true);
  });

  it("does not begin with a version that another one replaced while it was looked at", async () => {
    const task = await queued();
    const mover = await app.pool.connect();
    try {
      await mover.query("begin");
      await mover.query("update tasks set version_id = 'ver_replaced' where id = $1", [task]);
      const starting = start(task);
      await eventually(async () => {
        const waiting = await app.pool.query(
          "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
        );
        expect(waiting.rowCount).toBe(1);
      });
      await mover.query("commit");
      expect(await starting).toEqual({ claimed: false, reason: "not_queued" });
    } finally {
      await mover.query("rollback"); // of a test that failed before it committed
      mover.release();
    }
    expect(await taskRow(app, task)).toMatchObject({ status: "queued", attempt: 0 });
  });

  it("bounds the run by the strictest of what its skill, the policies at dispatch and those of this moment allow", async () => {
    const task = await queued();
    await app.pool.query("update tasks set run_limits = $2, cost_usd = 0.01, tokens = 5 where id = $1", [
      task,
      JSON.stringify({ steps: 30, seconds: 20, cost_usd: 0.05 }),
    ]);
    expect(await start(task)).toMatchObject({
      run: { limits: { steps: 12, seconds: 20, tokens: 20_000, costUsd: 0.05 }, spent: { costUsd: 0.01, tokens: 5 } },
    });
  });

  it("happens once, however many workers of several processes try", async () => {
    const other = await startWorkerProcess(app.connectionString);
    try {
      const task = await queued();
      const tries = Array.from({ length: 10 }, (_, n) => (n % 2 ? other : process).port.start(leaseOn(app, task)));
      const claims = await Promise.all(tries);
      expect(claims.filter((claim) => claim.claimed)).toHaveLength(1);
      expect(
        claims.filter((claim) => !claim.claimed).every((claim) => "reason" in claim && claim.reason === "not_queued"),
      ).toBe(true);
      expect(await eventsOf(app, task)).toEqual(["task.created", "task.started"]);
    } finally {
      await other.close();
    }
  });

  it("uses an approval up in the same transaction: ten workers, one consumption, one start", async () => {
    const { task_id: task } = await app.dispatch();
    expect(await start(task)).toEqual({ claimed: false, reason: "not_queued" });
    await approve(app, task);
    const claims = await Promise.all(Array.from({ length: 10 }, () => start(task)));
    expect(claims.filter((claim) => claim.claimed)).toHaveLength(1);
    expect(await approvalOf(app, task)).toBe("consumed");
    expect((await eventsOf(app, task)).filter((type) => type === "task.started")).toHaveLength(1);
  });

  it("asks nobody again when a task is resumed whose approval was used up", async () => {
    const { task_id: task } = await app.dispatch();
    await approve(app, task);
    await start(task);
    await lapse(app, task);
    await process.inside(requeueTask, app.scope, { task, owner: null });
    expect(await start(task)).toMatchObject({ claimed: true, run: { attempt: 2, resumed: true } });
  });

  it("refuses an action other than the approved one: the approval is stale, the task blocked", async () => {
    const { task_id: task } = await app.dispatch();
    await approve(app, task);
    await app.pool.query(`update tasks set input = '{"lead_id":"ld_1002"}' where id = $1`, [task]);
    expect(await start(task)).toEqual({ claimed: false, reason: "blocked" });
    expect(await taskRow(app, task)).toMatchObject({
      status: "blocked",
      failure: { code: "approval_stale" },
      attempt: 0,
    });
    expect(await approvalOf(app, task)).toBe("stale");
    expect((await eventsOf(app, task)).at(-1)).toBe("task.blocked");
  });

  it("never runs a task whose approval nobody gave, however it came to be queued", async () => {
    const { task_id: task } = await app.dispatch();
    await app.pool.query("update tasks set status = 'queued' where id = $1", [task]);
    expect(await start(task)).toEqual({ claimed: false, reason: "blocked" });
    expect(await taskRow(app, task)).toMatchObject({ status: "blocked", failure: { code: "not_approved" } });
  });

  it("leaves a task beyond its deadline to the sweeper", async () => {
    const task = await queued({ deadline: new Date(Date.now() + 60_000).toISOString() });
    await app.pool.query("update tasks set deadline = now() - interval '1 second' where id = $1", [task]);
    expect(await process.port.isReady(app.scope, task)).toBe(false);
    expect(await start(task)).toEqual({ claimed: false, reason: "not_queued" });
    expect((await taskRow(app, task)).status).toBe("queued");
  });

  it("does not find a task of another environment", async () => {
    const task = await queued();
    const lease = leaseOn(app, task, "staging");
    expect(await process.port.isReady(lease.scope, task)).toBe(false);
    await expect(process.port.start(lease)).rejects.toMatchObject({ type: { code: "not_found" } });
  });
});

describe("gate and policies at the start", () => {
  it("block a version that failed its gate since it was dispatched, and void the approval", async () => {
    await app.deploy("staging");
    await app.verdict("open", "staging");
    const { task_id: task } = await app.dispatch({}, { environment: "staging" });
    await approve(app, task, "staging");
    await app.verdict("failed", "staging");
    await process.refresh();
    expect(await process.port.start(leaseOn(app, task, "staging"))).toEqual({ claimed: false, reason: "blocked" });
    const row = await taskRow(app, task);
    expect(row).toMatchObject({ status: "blocked", attempt: 0, failure: { code: "evaluation_gate_failed" } });
    expect(row.failure?.detail).toContain("it failed its evaluation gate");
    expect(await approvalOf(app, task)).toBe("cancelled");
    expect((await eventsOf(app, task)).at(-1)).toBe("task.blocked");
    expect(await insideRecordsOf(app, task)).toEqual(["tasks.startTask refused", "tasks.blockTask allowed"]);
  });

  it("block a task that a policy denies, and name the policy", async () => {
    const task = await queued();
    await underPolicy(
      {
        when: 'skill.name == "qualify_lead" && has(input.lead_id) && input.lead_id == "ld_1001"',
        effect: "deny",
        message: "Not today.",
      },
      async (policy) => {
        expect(await start(task)).toEqual({ claimed: false, reason: "blocked" });
        const { status, failure } = await taskRow(app, task);
        expect(status).toBe("blocked");
        expect(failure).toMatchObject({
          code: "policy_blocked",
          detail: `Not today. (policy ${policy}, version 1, test)`,
        });
      },
    );
    const { rows } = await app.pool.query(
      "select body::json->>'agent' as agent from events where type = 'policy.blocked'",
    );
    expect(rows).toEqual([{ agent: "sales" }]);
  });

  it("put a task before people that nobody was asked about, and are satisfied by their approval", async () => {
    const task = await queued();
    await underPolicy(
      { effect: "require_approval", params: { approvers: 1 }, message: "Somebody has to look." },
      async () => {
        expect(await start(task)).toEqual({ claimed: false, reason: "awaiting_approval" });
        const row = await taskRow(app, task);
        expect(row).toMatchObject({ status: "awaiting_approval", attempt: 0 });
        expect(await eventsOf(app, task)).toEqual(["task.created", "task.approval_required"]);
        await approve(app, task);
        expect(await start(task)).toMatchObject({ claimed: true });
        expect(await approvalOf(app, task)).toBe("consumed");
      },
    );
  });

  it("do not ask again where the caller had asked and people approved", async () => {
    const { task_id: task } = await app.dispatch();
    await approve(app, task);
    await underPolicy({ effect: "require_approval", params: {} }, async () => {
      expect(await start(task)).toMatchObject({ claimed: true });
    });
  });
});

describe("a demand that grew after people approved", () => {
  const approvedByRequester = async () => {
    const { task_id: task } = await app.dispatch();
    const { digest } = (await app.call("GET", `/v1/approvals/${task}`)).body;
    const { body, status } = await app.call("POST", `/v1/approvals/${task}/approve`, { body: { digest } });
    expect({ status, decision: body.status }).toEqual({ status: 200, decision: "approved" });
    return task;
  };

  it("supersedes the approval of the requester where another person is demanded, and runs once such a person approves", async () => {
    const task = await approvedByRequester();
    const strict = {
      effect: "require_approval",
      params: { approvers: 1, requester_allowed: false },
      message: "Four eyes.",
    };
    await underPolicy(strict, async () => {
      expect(await start(task)).toEqual({ claimed: false, reason: "awaiting_approval" });
      expect(await approvalsOf(app, task)).toMatchObject([
        { status: "superseded", requester_allowed: true },
        {
          status: "pending",
          approvers: 1,
          requester_allowed: false,
          reasons: ["The caller asked for approval.", "Four eyes."],
        },
      ]);
      expect(await taskRow(app, task)).toMatchObject({ status: "awaiting_approval", attempt: 0 });
      await approve(app, task);
      expect(await start(task)).toMatchObject({ claimed: true });
    });
    expect(await approvalOf(app, task)).toBe("consumed");
    expect(await eventsOf(app, task)).toEqual([
      "task.created",
      "task.approval_required",
      "task.approved",
      "task.approval_required",
      "task.approved",
      "task.started",
    ]);
  });

  it("supersedes an approval by one person where two are demanded, once, however many workers try", async () => {
    const { task_id: task } = await app.dispatch();
    await approve(app, task);
    await underPolicy({ effect: "require_approval", params: { approvers: 2 } }, async () => {
      const claims = await Promise.all(Array.from({ length: 6 }, () => start(task)));
      expect(claims.filter((claim) => "reason" in claim && claim.reason === "awaiting_approval")).toHaveLength(1);
      expect(claims.some((claim) => claim.claimed)).toBe(false);
      expect(await approvalsOf(app, task)).toMatchObject([
        { status: "superseded" },
        { status: "pending", approvers: 2 },
      ]);
    });
  });

  it("starts the task where the votes already meet it, though less was asked for", async () => {
    const { task_id: task } = await app.dispatch();
    await approve(app, task);
    await underPolicy({ effect: "require_approval", params: { approvers: 1, requester_allowed: false } }, async () => {
      expect(await start(task)).toMatchObject({ claimed: true });
    });
    expect(await approvalsOf(app, task)).toMatchObject([{ status: "consumed", requester_allowed: true }]);
  });

  it("puts a resumed task before people again, and leaves its first approval used up", async () => {
    const task = await approvedByRequester();
    expect(await start(task)).toMatchObject({ claimed: true });
    await lapse(app, task);
    await process.inside(requeueTask, app.scope, { task, owner: null });
    await underPolicy({ effect: "require_approval", params: { approvers: 1, requester_allowed: false } }, async () => {
      expect(await start(task)).toEqual({ claimed: false, reason: "awaiting_approval" });
    });
    expect(await approvalsOf(app, task)).toMatchObject([
      { status: "consumed" },
      { status: "pending", requester_allowed: false },
    ]);
  });

  it("does not hide that something else would run than was approved", async () => {
    const task = await approvedByRequester();
    await app.pool.query(`update tasks set input = '{"lead_id":"ld_1002"}' where id = $1`, [task]);
    await underPolicy({ effect: "require_approval", params: { approvers: 2 } }, async () => {
      expect(await start(task)).toEqual({ claimed: false, reason: "blocked" });
    });
    expect(await approvalsOf(app, task)).toMatchObject([{ status: "stale" }]);
  });
});

describe("the version of a task", () => {
  it("is the one that it pinned, also when another one is deployed by now", async () => {
    const task = await queued();
    await app.pool.query(
      `insert into agent_versions (organization, agent, number, id, definition, author)
       select organization, agent, 2, 'ver_00000000000000000000000002', definition || '{"tools":[]}', author from agent_versions where agent = 'sales' and number = 1`,
    );
    await app.pool.query(
      "update deployments set version_number = 2 where agent = 'sales' and environment = 'development'",
    );
    await app.pool.query("update fact_epochs set epoch = epoch + 1 where topic = 'agents'");
    await process.refresh();
    expect(await start(task)).toMatchObject({ claimed: true, run: { version: 1, tools: [{ name: "get_lead" }] } });
  });
});
