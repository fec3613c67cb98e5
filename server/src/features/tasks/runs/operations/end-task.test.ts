import { describe, expect, it } from "vitest";
import type { TrustCase } from "../../../../kernel/trust/index.ts";
import { useApp } from "../../../../testing/app.ts";
import {
  approve,
  eventsOf,
  eventually,
  insideRecordsOf,
  lapse,
  leaseOn,
  taskRow,
  wakeUpsFor,
} from "../../../../testing/tasks.ts";
import { useWorkerProcess } from "../../../../testing/worker.ts";
import { mostAttempts } from "../rules.ts";
import { underPolicy } from "../testing.ts";
import { blockTask } from "./block-task.ts";
import { callTool } from "./call-tool.ts";
import { expireTask } from "./expire-task.ts";
import { requeueTask } from "./requeue-task.ts";

const app = useApp();
const process = useWorkerProcess(app);
const failure = { code: "tool_failed", detail: "The tool failed." };
const wrongState = { type: { code: "wrong_state" } };

async function running(body: Record<string, unknown> = { require_approval: false }) {
  const { task_id } = await app.dispatch(body);
  if (body.require_approval !== false) await approve(app, task_id);
  const lease = leaseOn(app, task_id);
  expect(await process.port.start(lease)).toMatchObject({ claimed: true });
  return lease;
}

const judgedOf = async (task: string) =>
  (await app.pool.query("select source, origin, outcome, signals from trust_judgements where id = $1", [task])).rows;

describe("completing a task", () => {
  it("stores its result, computes its trust again and tells subscribers", async () => {
    const lease = await running({});
    expect(await process.port.complete(lease, { records: {}, summary: "Done." })).toBe(true);
    const row = await taskRow(app, lease.task);
    expect(row).toMatchObject({
      status: "completed",
      output: { records: {}, summary: "Done." },
      failure: null,
      lease_owner: null,
    });
    expect(row.finished_at).not.toBeNull();
    expect(row.trust_score).toBe(0.5); // nothing was judged, and that people let it run says nothing of its outcome
    expect(await eventsOf(app, lease.task)).toEqual([
      "task.created",
      "task.approval_required",
      "task.approved",
      "task.started",
      "task.completed",
    ]);
  });

  it("starts its trust from the model's own probability, lowered by what is novel and ungrounded", async () => {
    const of = async (features: TrustCase) => {
      const lease = await running();
      await process.port.complete(lease, {}, features);
      return (await app.call("GET", `/v1/tasks/${lease.task}`)).body.trust;
    };
    const known = { probability: 0.9, probability_source: "trained" } as const;
    const sure = await of(known);
    expect(sure).toMatchObject({ score: 0.9, case: known, parts: { base: 0, drift: 0 } });
    expect(sure.parts.probability).toBeCloseTo(Math.log(9), 9);
    expect((await of({ ...known, probability: 0.2 })).score).toBeCloseTo(0.2, 4);
    expect((await of({ ...known, novelty: 1 })).score).toBeLessThan(0.4);
    expect((await of({ ungrounded: 0 })).score).toBe(0.5);
    expect((await of({ ungrounded: 1 })).score).toBeLessThan(0.3);
  });

  it("is no evidence, while a failed run is one of failure, and one that was stopped says nothing", async () => {
    const [done, failed, blocked] = [await running(), await running(), await running()];
    await process.port.complete(done, {}, { probability: 0.99, ungrounded: 0 });
    await process.port.fail(failed, failure);
    await process.port.block(blocked, failure);
    expect([await judgedOf(done.task), await judgedOf(blocked.task)]).toEqual([[], []]);
    expect(await judgedOf(failed.task)).toEqual([{ source: "run", origin: "volunteered", outcome: 0, signals: "{}" }]);
  });

  it("tells what people judged before of the same task what was known of its case", async () => {
    const lease = await running({});
    const [row] = (await app.pool.query("select agent, skill, version_id from tasks where id = $1", [lease.task])).rows;
    await app.pool.query(
      `insert into trust_judgements (organization, environment, agent, skill, id, version_id, source, origin, outcome, observed_at)
       values ($1, $2, $3, $4, $5, $6, 'approval', 'volunteered', 1, now())`,
      [app.scope.organization, app.scope.environment, row.agent, row.skill, lease.task, row.version_id],
    );
    await process.port.complete(lease, {}, { probability: 0.7, probability_source: "trained" });
    expect(await judgedOf(lease.task)).toEqual([
      {
        source: "approval",
        origin: "volunteered",
        outcome: 1,
        signals: '{"probability":0.7,"probability_source":"trained"}',
      },
    ]);
  });

  it("takes back what an earlier run of the same task said, whichever way either ended", async () => {
    const first = await running();
    const again = async (task: string) => {
      expect((await app.call("POST", `/v1/tasks/${task}/retry`, { body: {} })).status).toBe(202);
      const lease = leaseOn(app, task);
      await process.port.start(lease);
      return lease;
    };
    await process.port.fail(first, failure);
    await process.port.fail(await again(first.task), failure);
    expect(await judgedOf(first.task)).toHaveLength(1);
    await process.port.complete(await again(first.task), {});
    expect(await judgedOf(first.task)).toEqual([]);
    const lost = await running();
    await process.port.fail(lost, failure);
    await again(lost.task);
    await lapse(app, lost.task);
    await app.pool.query("update tasks set attempt = attempts_before + $2 where id = $1", [lost.task, mostAttempts]);
    expect(await process.inside(requeueTask, app.scope, { task: lost.task, owner: null })).toMatchObject({
      status: "failed",
    });
    expect(await judgedOf(lost.task)).toHaveLength(1);
  });

  it("takes back what an earlier run said also where a version deployed meanwhile takes the task over", async () => {
    const first = await running();
    await process.port.fail(first, failure);
    await app.call("POST", `/v1/tasks/${first.task}/retry`, { body: {} });
    const { headers } = await app.call("GET", "/v1/agents/sales");
    const change = {
      body: { description: "Takes over what was queued." },
      headers: { "if-match": headers.get("etag") as string },
    };
    expect((await app.call("PATCH", "/v1/agents/sales", change)).status).toBe(200);
    const { version, version_id } = (await app.call("POST", "/v1/agents/sales/versions", { body: {} })).body;
    await app.pool.query("update tasks set version_id = $2, version_number = $3 where id = $1", [
      first.task,
      version_id,
      version,
    ]);
    const lease = leaseOn(app, first.task);
    await process.port.start(lease);
    await process.port.complete(lease, {});
    expect(await judgedOf(first.task)).toEqual([]);
  });

  it("is refused to a worker whose lease went to another one", async () => {
    const lost = await running();
    await lapse(app, lost.task);
    await process.inside(requeueTask, app.scope, { task: lost.task, owner: null });
    const holder = leaseOn(app, lost.task);
    await process.port.start(holder);
    for (const end of [
      process.port.complete(lost, {}),
      process.port.fail(lost, failure),
      process.port.block(lost, failure),
      process.port.giveBack(lost),
    ]) {
      expect(await end).toBe(false);
    }
    expect(
      await process.port.callTool(lost, { number: 1, tool: "get_lead", arguments: { lead_id: "ld_1001" } }),
    ).toEqual({ kind: "lost" });
    expect(await taskRow(app, lost.task)).toMatchObject({ status: "running", lease_owner: holder.owner });
    expect(await process.port.complete(holder, {})).toBe(true);
  });

  it("is refused after the task was cancelled", async () => {
    const lease = await running();
    expect((await app.call("POST", `/v1/tasks/${lease.task}/cancel`, { body: {} })).status).toBe(202);
    expect(await process.port.complete(lease, {})).toBe(false);
    expect((await taskRow(app, lease.task)).status).toBe("cancelled");
  });
});

describe("other ends of a running task", () => {
  it("are failed and blocked, each with its reason and its event", async () => {
    const [one, two] = [await running(), await running()];
    expect(await process.port.fail(one, failure)).toBe(true);
    expect(await taskRow(app, one.task)).toMatchObject({ status: "failed", failure, lease_owner: null });
    expect((await eventsOf(app, one.task)).at(-1)).toBe("task.failed");
    expect(await process.port.block(two, failure)).toBe(true);
    expect(await taskRow(app, two.task)).toMatchObject({ status: "blocked", failure, lease_owner: null });
    expect((await eventsOf(app, two.task)).at(-1)).toBe("task.blocked");
  });

  it("do not include a lease given back: that task is queued, and the attempt does not count", async () => {
    const lease = await running();
    const before = await wakeUpsFor(app, lease.task);
    expect(await process.port.giveBack(lease)).toBe(true);
    expect(await taskRow(app, lease.task)).toMatchObject({ status: "queued", attempt: 0, lease_owner: null });
    expect(await wakeUpsFor(app, lease.task)).toBe(before + 1);
    expect(await process.port.start(leaseOn(app, lease.task))).toMatchObject({ claimed: true, run: { attempt: 1 } });
  });
});

describe("machines that come too late or too early", () => {
  it("are refused: a lease that holds is not taken, a task that runs or ended is not expired, one that is not queued is not blocked", async () => {
    const lease = await running({ require_approval: false, deadline: new Date(Date.now() + 3_600_000).toISOString() });
    const { task, scope } = lease;
    await expect(process.inside(requeueTask, scope, { task, owner: null })).rejects.toMatchObject(wrongState);
    await expect(process.inside(expireTask, scope, { task })).rejects.toMatchObject(wrongState);
    await app.pool.query("update tasks set deadline = now() where id = $1", [task]);
    await expect(process.inside(expireTask, scope, { task })).rejects.toMatchObject(wrongState);
    await expect(process.inside(blockTask, scope, { task, owner: null, failure })).rejects.toMatchObject(wrongState);
    expect((await taskRow(app, task)).status).toBe("running");
  });
});

describe("a task that is changed while it is to expire", () => {
  it.each([
    ["its deadline", "deadline = now() + interval '1 hour'"],
    ["what it waits for", "approval_id = 'apr_of_the_next_round'"],
  ])("does not, and its approval stays as it is: %s", async (_what, change) => {
    const { task_id: task } = await app.dispatch({ deadline: new Date(Date.now() + 3_600_000).toISOString() });
    const approval = (await taskRow(app, task)).approval_id;
    await app.pool.query("update tasks set deadline = now() - interval '1 second' where id = $1", [task]);
    const changer = await app.pool.connect();
    try {
      await changer.query("begin");
      await changer.query(`update tasks set ${change} where id = $1`, [task]);
      const expiring = process.inside(expireTask, app.scope, { task });
      const refused = expect(expiring).rejects.toMatchObject(wrongState);
      await eventually(async () => {
        const waiting =
          "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
        expect((await app.pool.query(waiting)).rowCount).toBe(1);
      });
      await changer.query("commit");
      await refused;
    } finally {
      await changer.query("rollback"); // of a test that failed before it committed
      changer.release();
    }
    expect((await taskRow(app, task)).status).toBe("awaiting_approval");
    expect((await app.pool.query("select status from approvals where id = $1", [approval])).rows).toEqual([
      { status: "pending" },
    ]);
    await app.pool.query("update tasks set deadline = null where id = $1", [task]);
  });
});

describe("calling a tool", () => {
  it("answers the record, under a record of its own in the audit log", async () => {
    const lease = await running();
    const result = await process.port.callTool(lease, {
      number: 1,
      tool: "get_lead",
      arguments: { lead_id: "ld_1002" },
    });
    expect(result).toMatchObject({
      kind: "output",
      output: { id: "ld_1002", base: "leads", fields: { company: expect.any(String) } },
    });
    expect(await insideRecordsOf(app, lease.task)).toEqual(["tasks.startTask allowed", "tasks.callTool allowed"]);
  });

  it("tells a record that is not there", async () => {
    const lease = await running();
    expect(
      await process.port.callTool(lease, { number: 1, tool: "get_lead", arguments: { lead_id: "ld_9" } }),
    ).toMatchObject({
      kind: "failed",
      failure: { code: "record_not_found", detail: "The knowledge base leads has no record ld_9." },
    });
  });

  it("is possible only with tools that the skill names", async () => {
    const { scope, task, owner } = await running();
    const given = { lead_id: "ld_1001" };
    const call = {
      task,
      owner,
      number: 1,
      tool: "send_email",
      arguments: given,
      shown: given,
      again: false,
      tainted: true,
    };
    await expect(process.inside(callTool, scope, call)).rejects.toMatchObject({ type: { code: "not_found" } });
  });

  it("passes policies that see the tool and its arguments", async () => {
    const lease = await running();
    const policy = await app.policy({
      scope: { actions: ["tool.call"] },
      when: 'tool.name == "get_lead" && tool.effect == "read" && has(input.lead_id) && input.lead_id == "ld_1003"',
      effect: "deny",
      message: "This lead is closed.",
    });
    await process.refresh();
    const refused = await process.port.callTool(lease, {
      number: 1,
      tool: "get_lead",
      arguments: { lead_id: "ld_1003" },
    });
    expect(refused).toMatchObject({
      kind: "refused",
      failure: { code: "policy_blocked", detail: `This lead is closed. (policy ${policy}, version 1, test)` },
    });
    expect(
      await process.port.callTool(lease, { number: 1, tool: "get_lead", arguments: { lead_id: "ld_1004" } }),
    ).toMatchObject({
      kind: "output",
      verdict: "allow",
    });
  });

  it("is covered by the approval of its task where a policy demands approval of all that agents do", async () => {
    await underPolicy(app, process, { scope: {}, effect: "require_approval" }, async () => {
      const lease = await running({});
      expect(
        await process.port.callTool(lease, { number: 1, tool: "get_lead", arguments: { lead_id: "ld_1001" } }),
      ).toMatchObject({
        kind: "output",
        output: { id: "ld_1001" },
        verdict: "require_approval",
      });
    });
  });

  it("goes before people where a policy demands approval of it and nobody approved the task, or fewer than are demanded", async () => {
    const [free, approved] = [await running(), await running({})];
    const definition = {
      scope: { actions: ["tool.call"] },
      effect: "require_approval",
      params: { approvers: 2 },
      message: "Two look.",
    };
    await underPolicy(app, process, definition, async () => {
      for (const lease of [free, approved]) {
        const asked = await process.port.callTool(lease, {
          number: 1,
          tool: "get_lead",
          arguments: { lead_id: "ld_1001" },
        });
        expect(asked).toMatchObject({ kind: "waits" });
        const { body } = await app.call("GET", `/v1/approvals/${lease.task}`);
        expect(body).toMatchObject({
          ...{
            approval_id: (asked as { approval: string }).approval,
            status: "pending",
            tool: "get_lead",
            approvers: 2,
            digest_matches: true,
          },
          action: { tool: "get_lead", arguments: { lead_id: "ld_1001" } },
          reasons: [expect.stringContaining("Two look.")],
        });
        expect(await taskRow(app, lease.task)).toMatchObject({ status: "awaiting_approval", lease_owner: null });
      }
    });
  });
});
