import type { Step } from "@aos/workflow";
import { beforeAll, describe, expect, it } from "vitest";
import { useApp } from "../../../testing/app.ts";
import { approve, eventually } from "../../../testing/tasks.ts";
import { useWorkerProcess } from "../../../testing/worker.ts";
import { underKillSwitch, underPause, underPolicy } from "../../tasks/runs/testing.ts";
import { asking, endOf, startedRun, stepOf, wakeAgain } from "./steps.fixture.ts";

const app = useApp();
const process = useWorkerProcess(app);
beforeAll(async () => {
  await process.worker();
});

/** People are asked first, so that there is time between two steps of a run. */
const steps: Step[] = [
  { id: "ask", approval: { title: "'Go on?'", agent: "sales" } },
  { id: "look", tool: { agent: "sales", name: "get_lead", arguments: { lead_id: "'ld_1001'" } } },
];

/** A run that waits for people after its first step began. */
async function asked(by?: { memberId: string; keyId: string | null }) {
  const run = await startedRun(app, { steps, ...(by && { by }) });
  return { run, task: await asking(app, run, "ask") };
}

async function refusedFor(withdraw: (by: { memberId: string; keyId: string }) => Promise<unknown>, keyed = true) {
  const { memberId, keyId } = await app.member("operator");
  const { run, task } = await asked({ memberId, keyId: keyed ? keyId : null });
  await withdraw({ memberId, keyId });
  await approve(app, task);
  const { status, failure } = await endOf(app, run);
  // Whichever looks first: the task of the step that was approved, or the start of the next step.
  expect([status, failure?.code]).toEqual(["failed", expect.stringMatching(/^(actor|run)_not_permitted$/)]);
  return failure?.detail;
}

describe("a step of a run", () => {
  it.each([
    ["was revoked", "update keys set revoked_at = now() where id = $1"],
    ["is limited to the agents support", "update keys set agents = '{support}' where id = $1"],
    ["is narrowed to scopes without workflows:run", "update keys set scopes = '{tasks:read}' where id = $1"],
  ])("fails where the key that started the run %s since", async (why, text) => {
    expect(await refusedFor(({ keyId }) => app.pool.query(text, [keyId]))).toContain(why);
  });

  it("goes on where the key that started the run has expired since", async () => {
    const { memberId, keyId } = await app.member("operator");
    const { run, task } = await asked({ memberId, keyId });
    await app.pool.query("update keys set expires_at = now() where id = $1", [keyId]);
    await approve(app, task);
    expect(await endOf(app, run)).toMatchObject({ status: "completed" });
  });

  it.each([
    ["was removed from the organization", "update members set removed_at = now() where id = $1"],
    ["which does not include workflows:run", `update members set roles = '{"development":"viewer"}' where id = $1`],
    ["has no role in development", "update members set roles = '{}' where id = $1"],
  ])("fails where the member who started the run %s", async (why, text) => {
    expect(await refusedFor(({ memberId }) => app.pool.query(text, [memberId]), false)).toContain(why);
  });
});

describe("a step that may not begin yet", () => {
  /** The step is held with this reason while the run stays open, and begins once that is over. */
  async function holds(
    code: string,
    during: (work: () => Promise<void>) => Promise<void>,
    environment: "development" | "staging" = "development",
  ) {
    let run = "";
    await during(async () => {
      run = await startedRun(app, { steps: steps.slice(1), environment });
      await eventually(async () => expect((await stepOf(app, run, "look"))?.held).toMatchObject({ code }));
      expect(await stepOf(app, run, "look")).toMatchObject({ status: "running", task_id: null });
    });
    await eventually(async () => {
      await wakeAgain(app, run, environment);
      expect((await stepOf(app, run, "look"))?.task_id).not.toBeNull();
    });
    await endOf(app, run);
    expect((await stepOf(app, run, "look"))?.held).toBeNull();
  }

  it("is held by a gate that is closed", async () => {
    await app.deploy("staging");
    const closed = async (work: () => Promise<void>) => {
      await app.verdict("failed", "staging");
      await process.refresh();
      await work();
      await app.verdict("open", "staging");
      await process.refresh();
    };
    await holds("evaluation_gate_failed", closed, "staging");
  });

  it("is held by a kill switch of its workflow, which tasks of others do not know", async () => {
    const { run, task } = await asked();
    const { body } = await app.call("GET", `/v1/tasks/${task}`);
    await underKillSwitch(app, process, { kind: "workflow", target: body.run.workflow, mode: "drain" }, async () => {
      await approve(app, task);
      await eventually(async () =>
        expect((await stepOf(app, run, "look"))?.held).toMatchObject({
          code: "kill_switch_engaged",
          detail: expect.stringContaining(`The workflow ${body.run.workflow}`),
        }),
      );
      const other = await startedRun(app, { steps: steps.slice(1) });
      expect(await endOf(app, other)).toMatchObject({ status: "completed" });
    });
    await eventually(async () => {
      await wakeAgain(app, run);
      expect((await stepOf(app, run, "look"))?.task_id).not.toBeNull();
    });
  });

  it("waits for people where a policy names its workflow's step", async () => {
    const policy = { name: "looks", scope: { actions: ["task.dispatch"] }, effect: "require_approval" };
    const when = 'has(workflow.step) && workflow.step == "look"';
    await underPolicy(app, process, { ...policy, when, params: { approvers: 1 } }, async () => {
      const run = await startedRun(app, { steps: steps.slice(1) });
      await approve(app, await asking(app, run, "look"));
      expect(await endOf(app, run)).toMatchObject({ status: "completed" });
    });
  });

  it("is held by a budget that is used up, until it is raised", async () => {
    const limit = async (hard: number) => {
      const body = { limits: [{ unit: "tasks", period: "month", hard }] };
      const set = await app.call("PUT", "/v1/governance/budgets/agent:sales", { body });
      if (set.status >= 300) throw new Error(set.text);
      await process.refresh();
    };
    await holds("budget_exhausted", async (work) => {
      await app.dispatch();
      await limit(1);
      await work();
      await limit(1_000_000);
    });
  });

  it("is held by a kill switch, and by an agent's pause", async () => {
    await holds("kill_switch_engaged", (work) =>
      underKillSwitch(app, process, { kind: "agent", target: "sales", mode: "drain" }, work),
    );
    await holds("agent_paused", (work) => underPause(app, process, "drain", work));
  });
});
