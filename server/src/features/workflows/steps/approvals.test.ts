import type { Step } from "@aos/workflow";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { useApp } from "../../../testing/app.ts";
import { approve, eventually } from "../../../testing/tasks.ts";
import { useWorkerProcess } from "../../../testing/worker.ts";
import { approvalsOf, underPolicy } from "../../tasks/runs/testing.ts";
import { asking, createTarget, endOf, startedRun, stepOf, wakeAgain, withTools } from "./steps.fixture.ts";

const app = useApp();
const process = useWorkerProcess(app);
const target = createTarget();

beforeAll(async () => {
  await target.listen();
  await withTools(app, process, target);
  await process.worker();
});
afterAll(() => target.close());
afterEach(() => {
  target.received.length = 0;
});

const given = { order: "o_1", amount: 2000 };
const pay = (more: Partial<Step> = {}): Step => ({
  id: "pay",
  tool: { agent: "sales", name: "issue_refund", arguments: { order: "input.order", amount: "input.amount" } },
  ...more,
});
const route = (more: object = {}): Step => ({
  id: "route",
  approval: { title: "'Refund ' + input.order", covers: ["pay"], ...more },
});
const read = async (task: string) => (await app.call("GET", `/v1/approvals/${task}`)).body;

describe("an approval that covers a later step", () => {
  it("shows the very call, and the call runs once without asking again", async () => {
    const run = await startedRun(app, { steps: [route(), pay()], given });
    const task = await asking(app, run, "route");
    const shown = await read(task);
    expect(shown).toMatchObject({
      run: { run_id: run, step: "route" },
      title: "Refund o_1",
      action: { arguments: { calls: { pay: { agent: "sales", tool: "issue_refund", arguments: given } } } },
    });
    expect(shown.summary).toContain("sales asks for a decision");
    await approve(app, task);
    expect(await endOf(app, run)).toMatchObject({ status: "completed", failure: null });
    expect(target.received).toMatchObject([{ path: "/issue_refund", body: given }]);
    const paid = await stepOf(app, run, "pay");
    expect(paid).toMatchObject({ status: "completed", output: { ok: true } });
    expect(await approvalsOf(app, paid?.task_id as string)).toEqual([]);
    const { body } = await app.call("GET", `/v1/tasks?run=${run}`);
    expect(body.data.map((one: { run: { step: string } }) => one.run.step)).toEqual(["pay", "route"]);
    expect((await app.call("GET", `/v1/approvals?status=consumed&run=${run}`)).body.data).toHaveLength(1);
  });

  it("counts for no attempt beside the run: its task is not tried again by itself", async () => {
    target.answer = () => ({ status: 422 });
    const run = await startedRun(app, { steps: [route(), pay()], given });
    await approve(app, await asking(app, run, "route"));
    expect(await endOf(app, run)).toMatchObject({ status: "failed" });
    target.answer = () => ({ status: 200 });
    const task = (await stepOf(app, run, "pay"))?.task_id;
    const { status, body } = await app.call("POST", `/v1/tasks/${task}/retry`, { body: {} });
    expect([status, body.detail]).toEqual([409, expect.stringMatching(`step pay of the run ${run}.*retry_from`)]);
  });

  it("takes the strictest of the covered calls' rules, at the risk of the worst", async () => {
    const two = {
      name: "two",
      scope: { actions: ["tool.call"] },
      effect: "require_approval",
      params: { approvers: 2 },
    };
    await underPolicy(app, process, { ...two, when: 'tool.name == "issue_refund"' }, async () => {
      const run = await startedRun(app, { steps: [route(), pay()], given });
      const shown = await read(await asking(app, run, "route"));
      expect([shown.approvers, shown.risk]).toEqual([2, "critical"]);
    });
  });

  it("is not asked for where a policy denies what it covers", async () => {
    const never = {
      name: "never",
      scope: { actions: ["tool.call"] },
      effect: "deny",
      when: 'tool.name == "issue_refund"',
    };
    await underPolicy(app, process, never, async () => {
      const run = await startedRun(app, { steps: [route(), pay()], given });
      expect(await endOf(app, run)).toMatchObject({ status: "failed", failure: { code: "policy_blocked" } });
    });
  });

  it("does not count for other arguments: people are asked again, and read why", async () => {
    const amount = "steps.between.status == 'completed' ? 2.0 : 1.0";
    const between: Step = { id: "between", set: { a: 1 } };
    const tool = { agent: "sales", name: "note", arguments: { order: "input.order", amount } };
    const run = await startedRun(app, { steps: [route(), between, { id: "pay", tool }], given });
    await approve(app, await asking(app, run, "route"));
    const again = await read(await asking(app, run, "pay"));
    expect(again.reasons).toContain("People approved it at route with other arguments.");
    expect(target.received).toEqual([]);
    await approve(app, again.task_id);
    expect(await endOf(app, run)).toMatchObject({ status: "completed", failure: null });
  });

  it("does not count where a policy demands more by then", async () => {
    const between: Step = { id: "between", approval: { title: "'Go on?'" } };
    const run = await startedRun(app, { steps: [route(), between, pay()], given });
    await approve(app, await asking(app, run, "route"));
    const held = await asking(app, run, "between");
    const two = {
      name: "two",
      scope: { actions: ["tool.call"] },
      effect: "require_approval",
      params: { approvers: 2 },
    };
    await underPolicy(app, process, { ...two, when: 'tool.name == "issue_refund"' }, async () => {
      await approve(app, held);
      const again = await read(await asking(app, run, "pay"));
      expect(again.approvers).toBe(2);
      expect(again.reasons).toContain("More is demanded by now than people gave at route.");
    });
  });

  it("is for one attempt: another one is asked for again", async () => {
    target.answer = () => ({ status: 422, body: {} });
    const steps = [route(), pay({ retry: { attempts: 2, backoff: "1s" } })];
    const run = await startedRun(app, { steps, given });
    await approve(app, await asking(app, run, "route"));
    await eventually(async () => {
      await wakeAgain(app, run); // no sweep runs here
      expect((await stepOf(app, run, "pay"))?.attempt).toBe(2);
    });
    const again = await read(await asking(app, run, "pay"));
    expect(again.reasons).toContain("What people approved at route was one attempt, which has begun before.");
    expect(target.received).toHaveLength(1);
    target.answer = () => ({ status: 200 });
  });
});

describe("an approval step", () => {
  it("asks at the least risk, for as many people and as long as the workflow says", async () => {
    const steps: Step[] = [
      {
        id: "ask",
        approval: {
          title: "'May we?'",
          agent: "sales",
          risk: "high",
          approvers: 2,
          expires: "2d",
          on_expiry: "escalate",
        },
      },
    ];
    const shown = await read(await asking(app, await startedRun(app, { steps }), "ask"));
    expect(shown).toMatchObject({ risk: "high", approvers: 2, on_expiry: "escalate" });
    expect(Date.parse(shown.expires_at) - Date.parse(shown.created_at)).toBeCloseTo(2 * 86_400_000, -3);
    expect(shown.risk_assessment.reasons).toContain("At least high, because of what the workflow says of this step.");
  });

  it("ends as rejected where people do not want it", async () => {
    const run = await startedRun(app, { steps: [route(), pay()], given });
    const task = await asking(app, run, "route");
    const { secret } = await app.signedInMember("approver");
    const { digest } = await read(task);
    await app.call("POST", `/v1/approvals/${task}/reject`, { key: secret, body: { reason: "Too much.", digest } });
    expect(await endOf(app, run)).toMatchObject({ status: "failed", failure: { code: "rejected" } });
    expect(await stepOf(app, run, "route")).toMatchObject({ status: "rejected" });
    expect(await stepOf(app, run, "pay")).toBeUndefined();
  });
});
