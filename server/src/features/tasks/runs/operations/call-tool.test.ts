import { describe, expect, it } from "vitest";
import { useApp } from "../../../../testing/app.ts";
import { eventually, leaseOn, taskRow } from "../../../../testing/tasks.ts";
import { useWorkerProcess } from "../../../../testing/worker.ts";
import { changeFacts, underPolicy } from "../testing.ts";

const app = useApp();
const process = useWorkerProcess(app);

const lookUp = { number: 1, tool: "get_lead", arguments: { lead_id: "ld_1001" } };
/** A task that a worker has claimed; of the admin's key by default. */
const running = async (key?: string) => {
  const { task_id: task } = await app.dispatch({ require_approval: false }, key === undefined ? {} : { key });
  const lease = leaseOn(app, task);
  const claim = await process.port.start(lease);
  if (!claim.claimed) throw new Error(`not claimed: ${claim.reason}`);
  return { task, lease, run: claim.run };
};
const costOf = async (task: string): Promise<number> =>
  (await app.pool.query("select cost_usd from tasks where id = $1", [task])).rows[0].cost_usd;

/** Gives the sample's first tool a price, and its skill limits of this kind. */
const price = (costUsd: number, limits: object = {}) =>
  changeFacts(
    app,
    process,
    "agents",
    `update agent_versions set definition = jsonb_set(jsonb_set(definition, '{tools,0,cost_usd}', to_jsonb($1::float8)), '{skills,0,limits}', $2::jsonb)
     where agent = 'sales'`,
    [costUsd, JSON.stringify(limits)],
  );

/** Sets a budget in total, does `work`, and takes it back. */
async function underBudget(
  scope: string,
  unit: "usd" | "steps",
  hard: number,
  work: () => Promise<void>,
): Promise<void> {
  const key = [app.scope.organization, app.scope.environment, scope, unit];
  const add =
    "insert into budgets (organization, environment, scope, unit, period, hard, author) values ($1, $2, $3, $4, 'total', $5, 'test')";
  await changeFacts(app, process, "budgets", add, [...key, hard]);
  try {
    await work();
  } finally {
    await changeFacts(
      app,
      process,
      "budgets",
      "delete from budgets where organization = $1 and environment = $2 and scope = $3 and unit = $4",
      key,
    );
  }
}

describe("calling a tool", () => {
  it("answers the record, what it cost, and counts that on the task", async () => {
    await price(0.03);
    const { task, lease } = await running();
    const answered = await process.port.callTool(lease, lookUp);
    expect(answered).toMatchObject({ kind: "output", output: { id: "ld_1001", base: "leads" }, costUsd: 0.03 });
    await process.port.callTool(lease, { ...lookUp, arguments: { lead_id: "ld_none" } });
    expect(await costOf(task)).toBeCloseTo(0.06, 9);
  });

  it("does nothing for a worker that has lost the task", async () => {
    await price(0.03);
    const { task, lease } = await running();
    expect(await process.port.callTool({ ...lease, owner: "another" }, lookUp)).toEqual({ kind: "lost" });
    expect(await costOf(task)).toBe(0);
  });

  it("does not keep the task locked while the tool works", async () => {
    await price(0.03); // a price, so that the look-up is made in a transaction of its own
    const { task, lease } = await running();
    const turn = await process.port.beginModel(lease, { number: 1, kind: "model", name: "builtin", input: {} }, {});
    if (turn.kind === "begun") await process.port.endStep(lease, turn.id, { state: "finished", output: {} }); // written with the look-up
    const holder = await app.pool.connect();
    try {
      await holder.query("begin");
      await holder.query("lock table documents in access exclusive mode");
      const called = process.port.callTool(lease, { ...lookUp, number: 2 });
      const waits =
        "select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like '%documents%' and datname = current_database()";
      await eventually(async () => expect((await app.pool.query(waits)).rows).toHaveLength(1));
      expect((await app.call("POST", `/v1/tasks/${task}/cancel`, { body: {} })).status).toBe(202);
      await holder.query("commit");
      expect(await called).toEqual({ kind: "lost" });
    } finally {
      holder.release();
    }
  });

  it("looks nothing up any more for a worker that lost the task while an earlier look-up waited", async () => {
    await price(0.03); // a price, so that each look-up is made in a transaction of its own
    const { task, lease } = await running();
    expect((await app.call("POST", `/v1/tasks/${task}/cancel`, { body: {} })).status).toBe(202);
    const holder = await app.pool.connect();
    try {
      await holder.query("begin");
      await holder.query("lock table documents in access exclusive mode");
      expect(await process.port.callTool(lease, lookUp)).toEqual({ kind: "lost" });
    } finally {
      await holder.query("rollback");
      holder.release();
    }
  });

  it("writes what a step cost into the journal", async () => {
    await price(0.02);
    await app.pool.query("delete from graphile_worker._private_jobs");
    const { task_id: task } = await app.dispatch({ require_approval: false });
    const worker = await process.worker();
    await eventually(async () => expect((await taskRow(app, task)).status).toBe("completed"));
    const { rows } = await app.pool.query(
      "select name, state, cost_usd from steps where task_id = $1 order by number",
      [task],
    );
    expect(rows).toEqual([
      { name: "builtin", state: "finished", cost_usd: 0 },
      { name: "get_lead", state: "finished", cost_usd: 0.02 },
      { name: "builtin", state: "finished", cost_usd: 0 },
    ]);
    expect((await app.call("GET", `/v1/tasks/${task}`)).body.cost_usd).toBe(0.02);
    await worker.stop(20_000);
  });

  it("is shown to policies with what the task has cost so far", async () => {
    await price(0.03);
    const { lease } = await running();
    const rule = {
      scope: { actions: ["tool.call"] },
      when: "has(spend.task_usd) && spend.task_usd > 0.02",
      effect: "deny",
    };
    await underPolicy(app, process, rule, async () => {
      expect((await process.port.callTool(lease, lookUp)).kind).toBe("output");
      expect(await process.port.callTool(lease, lookUp)).toMatchObject({
        kind: "refused",
        failure: { code: "policy_blocked" },
      });
    });
  });
});

describe("a budget", () => {
  it("of the agent is charged with what the tool costs, and refuses the call that it does not cover", async () => {
    await price(0.03);
    const { task, lease } = await running();
    await underBudget("agent:sales", "usd", 70_000, async () => {
      const kinds = [];
      for (let n = 0; n < 3; n++) kinds.push((await process.port.callTool(lease, lookUp)).kind);
      expect(kinds).toEqual(["output", "output", "refused"]);
      expect(await costOf(task)).toBeCloseTo(0.06, 9);
    });
  });

  it("is charged nothing for a call that waits for people", async () => {
    await price(0.03);
    const { lease } = await running();
    const asked = { scope: { actions: ["tool.call"] }, effect: "require_approval" };
    await underBudget("agent:sales", "usd", 30_000, async () => {
      await underPolicy(app, process, asked, async () => {
        expect((await process.port.callTool(lease, lookUp)).kind).toBe("waits");
      });
      const other = await running();
      expect((await process.port.callTool(other.lease, lookUp)).kind).toBe("output");
    });
  });

  it("of the key that dispatched the task is charged, whichever worker runs it", async () => {
    await price(0);
    const { secret, keyId } = await app.member("operator");
    const [own, other] = [await running(secret), await running()];
    await underBudget(`key:${keyId}`, "steps", 1, async () => {
      expect((await process.port.callTool(own.lease, lookUp)).kind).toBe("output");
      expect(await process.port.callTool(own.lease, lookUp)).toMatchObject({
        kind: "refused",
        failure: { code: "budget_exhausted" },
      });
      expect((await process.port.callTool(other.lease, lookUp)).kind).toBe("output");
    });
  });

  it("of which calls under way hold the rest lets the run wait in the queue, with what it did kept, and go on when one of them ended", async () => {
    await price(0);
    await app.pool.query("delete from graphile_worker._private_jobs");
    const holder = await running();
    await app.pool.query("delete from graphile_worker._private_jobs");
    await underBudget("agent:sales", "steps", 4, async () => {
      const turn = await process.port.beginModel(
        holder.lease,
        { number: 1, kind: "model", name: "builtin", input: {} },
        { steps: 2 },
      );
      const { task_id: task } = await app.dispatch({ require_approval: false });
      const worker = await process.worker();
      const wake = () =>
        app.pool.query("select run_at > now() as later from graphile_worker.jobs where key = $1", [task]);
      await eventually(async () => expect((await wake()).rows).toEqual([{ later: true }]));
      expect(await taskRow(app, task)).toMatchObject({ status: "queued", failure: null, attempt: 0 });
      if (turn.kind === "begun") await turn.settle({ steps: 1 });
      await eventually(async () => expect((await taskRow(app, task)).status).toBe("completed"));
      const { rows } = await app.pool.query("select name, state from steps where task_id = $1 order by number, id", [
        task,
      ]);
      expect(rows).toEqual(["builtin", "get_lead", "builtin"].map((name) => ({ name, state: "finished" })));
      await worker.stop(20_000);
    });
  });

  it("keeps no denied call in the journal that is only to be made later", async () => {
    await price(0.03);
    const [holder, other] = [await running(), await running()];
    await underBudget("agent:sales", "usd", 50_000, async () => {
      const turn = await process.port.beginModel(
        holder.lease,
        { number: 1, kind: "model", name: "builtin", input: {} },
        { usd: 0.03 },
      );
      expect(await process.port.callTool(other.lease, lookUp)).toMatchObject({ kind: "later", seconds: 2 });
      expect(await process.port.journal(other.lease)).toEqual([]);
      if (turn.kind === "begun") await turn.settle({ usd: 0.01 });
      expect((await process.port.callTool(other.lease, lookUp)).kind).toBe("output");
    });
  });

  it("that is used up in mid-run blocks the task, with that as its reason", async () => {
    await price(0.03);
    await app.pool.query("delete from graphile_worker._private_jobs");
    await underBudget("agent:sales", "usd", 20_000, async () => {
      const { task_id: task } = await app.dispatch({ require_approval: false });
      const worker = await process.worker();
      await eventually(async () => expect((await taskRow(app, task)).status).toBe("blocked"));
      expect((await taskRow(app, task)).failure).toMatchObject({ code: "budget_exhausted" });
      expect(await costOf(task)).toBe(0);
      await worker.stop(20_000);
    });
  });
});

describe("limits of a run", () => {
  it("of the skill end it before the call that would cost more", async () => {
    await price(0.03, { cost_usd: 0.02 });
    await app.pool.query("delete from graphile_worker._private_jobs");
    const { task_id: task } = await app.dispatch({ require_approval: false });
    const worker = await process.worker();
    await eventually(async () => expect((await taskRow(app, task)).status).toBe("failed"));
    expect((await taskRow(app, task)).failure).toMatchObject({ code: "cost_limit" });
    expect(await costOf(task)).toBe(0);
    await worker.stop(20_000);
  });

  it("of policies at its start are the strictest that apply", async () => {
    await price(0, { seconds: 100, steps: 10 });
    const limit = (params: object) => ({ scope: { actions: ["task.run"] }, effect: "limit", params });
    await underPolicy(app, process, limit({ steps: 4, cost_usd: 0.5 }), () =>
      underPolicy(app, process, limit({ steps: 6, seconds: 30 }), async () => {
        expect((await running()).run.limits).toEqual({ seconds: 30, steps: 4, tokens: null, costUsd: 0.5 });
      }),
    );
  });
});

describe("policies that redact", () => {
  it("keep personal data of the input from the run, and of the record from the loop and the journal", async () => {
    await price(0);
    const fields = JSON.stringify({ mail: "ann.lee@example.com" });
    await app.pool.query(
      "update documents set fields = $1 where external_id = 'ld_1001' and environment = 'development'",
      [fields],
    );
    const redact = (action: string) => ({
      scope: { actions: [action] },
      effect: "redact",
      params: { kinds: ["email"] },
    });
    const atStart = await running();
    expect(atStart.run.input).toEqual({ lead_id: "ld_1001" });
    await underPolicy(app, process, redact("task.run"), async () => {
      const { task_id: task } = await app.dispatch({ require_approval: false, lead_id: "ld_ann.lee@example.com" });
      const claim = await process.port.start(leaseOn(app, task));
      expect(claim).toMatchObject({ claimed: true, run: { input: { lead_id: "[email_1]" } } });
    });
    await underPolicy(app, process, redact("tool.call"), async () => {
      expect(await process.port.callTool(atStart.lease, lookUp)).toMatchObject({
        kind: "output",
        output: { fields: { mail: "[email_1]" } },
      });
    });
    expect(await process.port.callTool(atStart.lease, lookUp)).toMatchObject({
      kind: "output",
      output: { fields: { mail: "ann.lee@example.com" } },
    });
  });
});
