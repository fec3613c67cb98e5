import type { Step, WorkflowDefinition } from "@aos/workflow";
import { beforeAll, expect, it } from "vitest";
import { asking, endOf, stepOf } from "../../src/features/workflows/steps/steps.fixture.ts";
import { triggerSweep } from "../../src/features/workflows/triggers/jobs/sweep.ts";
import { sequenced } from "../../src/features/workflows/triggers/triggers.fixture.ts";
import type { Environment } from "../../src/kernel/principal.ts";
import {
  approveBy,
  type Cast,
  castIn,
  must,
  type Person,
  payingAgent,
  strictEnvironments,
} from "../../src/testing/actors.ts";
import { useApp } from "../../src/testing/app.ts";
import { eventually } from "../../src/testing/tasks.ts";
import { useWorkerProcess } from "../../src/testing/worker.ts";
import { confirmBy } from "./content.fixture.ts";

const app = useApp();
const process = useWorkerProcess(app);
/** Refused at once where a connection has to be encrypted. */
const unreachable = "http://127.0.0.1/pay";
beforeAll(async () => {
  await process.worker();
});

interface Stage extends Cast {
  readonly agent: string;
  /** A step that pays an amount, which is an expression. */
  pay(amount: string, more?: Partial<Step>): Step;
}

async function stageIn(environment: Environment): Promise<Stage> {
  const cast = await castIn(app, environment);
  const agent = await payingAgent(app, cast, unreachable);
  await process.refresh();
  const pay = (amount: string, more: Partial<Step> = {}): Step => {
    return { id: "pay", agent: { name: agent, skill: "settle", input: { amount } }, ...more };
  };
  return { ...cast, agent, pay };
}

let made = 0;

async function publishedBy(by: Person, steps: readonly Step[], more: Partial<WorkflowDefinition> = {}) {
  const workflow = `accountable_${++made}`;
  await must(app, 201, by, "POST", "/v1/workflows", { workflow, steps, ...more });
  await must(app, 200, by, "POST", `/v1/workflows/${workflow}/publish`, {});
  return workflow;
}

const runBy = async (by: Person, workflow: string, input: object = {}): Promise<string> =>
  (await must(app, 202, by, "POST", `/v1/workflows/${workflow}/runs`, { input })).run_id;

const control = (by: Person, run: string, body: object) =>
  must(app, 202, by, "POST", `/v1/workflows/-/runs/${run}/control`, body);

/** The answers to one who tries to approve what a step asks, and to another one. */
async function votes(run: string, step: string, first: Person, second: Person): Promise<string[]> {
  const task = await asking(app, run, step);
  return [await approveBy(app, first, task), await approveBy(app, second, task)];
}

/** Decides what a task waits for, as it is shown. */
async function decide(by: Person, task: string, verb: "approve" | "reject", body: object): Promise<void> {
  const { digest } = await must(app, 200, by, "GET", `/v1/approvals/${task}`);
  await must(app, 200, by, "POST", `/v1/approvals/${task}/${verb}`, { ...body, digest });
}

const refusedThenApproved = ["four_eyes", "approved"];

async function signal(by: Person, run: string, data: object): Promise<void> {
  await must(app, 202, by, "POST", `/v1/workflows/-/runs/${run}/signal`, { event: "bank.settled", data });
  await sequenced(app);
  await process.sweeperWith([triggerSweep]).sweep();
}

/** Replaces a workflow's draft and publishes it. */
async function redraft(by: Person, workflow: string, steps: readonly Step[]): Promise<void> {
  const read = await app.call("GET", `/v1/workflows/${workflow}`, { key: by.secret });
  const headers = { "if-match": read.headers.get("etag") as string };
  const put = await app.call("PUT", `/v1/workflows/${workflow}`, { key: by.secret, headers, body: { steps } });
  expect(put.status, put.text).toBe(200);
  await must(app, 200, by, "POST", `/v1/workflows/${workflow}/publish`, {});
}

/** The run that a step of a run is. */
const childOf = (run: string): Promise<string> =>
  eventually(async () => {
    const { rows } = await app.pool.query("select id from workflow_runs where parent_run = $1", [run]);
    expect(rows).toHaveLength(1);
    return rows[0].id;
  });

/** Waits until a step waits for its event. */
const waits = (run: string, step: string): Promise<void> =>
  eventually(async () => expect((await stepOf(app, run, step))?.status).toBe("waiting"));

const hold: Step = { id: "hold", wait: { event: "bank.settled", at_most: "1d" } };

it.each(strictEnvironments)("a signal's giver does not approve what it leads to, in %s", async (environment) => {
  const { alice, bob, carol, pay } = await stageIn(environment);
  const run = await runBy(alice, await publishedBy(alice, [hold, pay("steps.hold.output.amount")]));
  await signal(bob, run, { amount: 240 });
  expect(await votes(run, "pay", bob, carol)).toEqual(refusedThenApproved);
});

it.each(strictEnvironments)("a signal's giver approves what does not read the signal, in %s", async (environment) => {
  const { alice, bob, pay } = await stageIn(environment);
  const run = await runBy(alice, await publishedBy(alice, [hold, pay("5.0")]));
  await signal(bob, run, { amount: 240 });
  expect(await approveBy(app, alice, await asking(app, run, "pay"))).toBe("four_eyes");
  expect(await approveBy(app, bob, await asking(app, run, "pay"))).toBe("approved");
});

it.each(strictEnvironments)("whoever gives a step other input does not approve it, in %s", async (environment) => {
  const { alice, bob, carol, pay } = await stageIn(environment);
  const run = await runBy(alice, await publishedBy(alice, [pay("5.0")]));
  const task = await asking(app, run, "pay");
  await decide(carol, task, "reject", { reason: "Too little." });
  await endOf(app, run);
  await control(bob, run, { action: "retry_from", step: "pay", input: { amount: 240 } });
  expect(await votes(run, "pay", bob, carol)).toEqual(refusedThenApproved);
});

it.each(strictEnvironments)("whoever only retries a step approves it, in %s", async (environment) => {
  const { alice, bob, carol, pay } = await stageIn(environment);
  const run = await runBy(alice, await publishedBy(alice, [pay("5.0")]));
  const task = await asking(app, run, "pay");
  await decide(carol, task, "reject", { reason: "Not yet." });
  await endOf(app, run);
  await control(bob, run, { action: "retry_from", step: "pay" });
  expect(await approveBy(app, bob, await asking(app, run, "pay"))).toBe("approved");
});

it.each(strictEnvironments)(
  "whoever gives a skipped step's result does not approve what reads it, in %s",
  async (environment) => {
    const { alice, bob, carol, pay } = await stageIn(environment);
    const run = await runBy(alice, await publishedBy(alice, [hold, pay("steps.hold.output.amount")]));
    await waits(run, "hold");
    await control(bob, run, { action: "skip", step: "hold", output: { amount: 240 } });
    expect(await votes(run, "pay", bob, carol)).toEqual(refusedThenApproved);
  },
);

it.each(strictEnvironments)(
  "whoever gave the input of a run does not approve its replay, in %s",
  async (environment) => {
    const { alice, bob, carol, pay } = await stageIn(environment);
    const workflow = await publishedBy(alice, [pay("input.amount")], { input: { type: "object" } });
    const first = await runBy(bob, workflow, { amount: 240 });
    const { run_id } = await control(alice, first, { action: "replay" });
    expect(await approveBy(app, alice, await asking(app, run_id, "pay"))).toBe("four_eyes");
    expect(await votes(run_id, "pay", bob, carol)).toEqual(refusedThenApproved);
  },
);

it.each(strictEnvironments)(
  "whoever decided the input of a child run does not approve its steps, in %s",
  async (environment) => {
    const { alice, bob, carol, pay } = await stageIn(environment);
    const inner = await publishedBy(alice, [pay("input.amount")], { input: { type: "object" } });
    const child: Step = { id: "child", workflow: { name: inner, input: { amount: "steps.hold.output.amount" } } };
    const run = await runBy(alice, await publishedBy(alice, [hold, child]));
    await signal(bob, run, { amount: 240 });
    expect(await votes(await childOf(run), "pay", bob, carol)).toEqual(refusedThenApproved);
  },
);

it.each(strictEnvironments)(
  "whoever decided what a child run came to does not approve what reads it, in %s",
  async (environment) => {
    const { alice, bob, carol, pay } = await stageIn(environment);
    const output = { amount: "steps.hold.output.amount" };
    const inner = await publishedBy(alice, [hold], { output });
    const child: Step = { id: "child", workflow: { name: inner } };
    const run = await runBy(alice, await publishedBy(alice, [child, pay("steps.child.output.amount")]));
    await signal(bob, await childOf(run), { amount: 240 });
    expect(await votes(run, "pay", bob, carol)).toEqual(refusedThenApproved);
  },
);

it.each(strictEnvironments)(
  "the editor of an earlier step's call does not approve what reads its result, in %s",
  async (environment) => {
    const { alice, bob, carol, agent, pay } = await stageIn(environment);
    const call = { agent, name: "pay", arguments: { amount: "5.0" } };
    const first: Step = { id: "first", tool: call, on_error: "continue" };
    const run = await runBy(
      alice,
      await publishedBy(alice, [first, pay("steps.first.status == 'completed' ? 1.0 : 2.0")]),
    );
    const task = await asking(app, run, "first");
    await decide(bob, task, "approve", { edits: { amount: 7 } });
    expect(await approveBy(app, carol, task)).toBe("approved");
    expect(await votes(run, "pay", bob, carol)).toEqual(refusedThenApproved);
  },
);

/** Ends a waiting task as one does who wants these words to reach what follows. */
const endings = {
  reject: (by: Person, task: string, reason: string) => decide(by, task, "reject", { reason }),
  cancel: (by: Person, task: string, reason: string) =>
    must(app, 202, by, "POST", `/v1/tasks/${task}/cancel`, { reason }),
};

it.each(strictEnvironments)(
  "whoever rejects or cancels an item puts no words of theirs into later steps, in %s",
  async (environment) => {
    const { alice, bob, carol, pay } = await stageIn(environment);
    const loop = { in: "[1, 2]", as: "one", at_most: 2, parallel: 2, on_error: "collect" } as const;
    const each: Step = { ...pay("5.0"), id: "each", for_each: loop };
    const run = await runBy(carol, await publishedBy(carol, [each, pay("steps.each.output")]));
    const [first, second] = await eventually(async () => {
      const { rows } = await app.pool.query<{ id: string }>(
        "select id from tasks where run_id = $1 and status = 'awaiting_approval' order by id",
        [run],
      );
      expect(rows).toHaveLength(2);
      return rows.map(({ id }) => id) as [string, string];
    });
    await endings.reject(bob, first, "240 to 4711");
    await endings.cancel(alice, second, "9000 to 4712");
    const task = await asking(app, run, "pay");
    const { input } = await must(app, 200, carol, "GET", `/v1/tasks/${task}`);
    const index = expect.any(Number);
    expect(input.amount.failures).toHaveLength(2);
    expect(input.amount.failures).toEqual(
      expect.arrayContaining([
        { index, code: "rejected", detail: "The task was rejected; see the task for the reason." },
        { index, code: "cancelled", detail: "The task was cancelled; see the task for the reason." },
      ]),
    );
    expect(JSON.stringify(input)).not.toMatch(/240|9000/);
    expect(await approveBy(app, carol, task)).toBe("four_eyes");
    expect(await approveBy(app, bob, task)).toBe("approved");
  },
);

it.each(strictEnvironments.flatMap((at) => (["reject", "cancel"] as const).map((verb) => [verb, at] as const)))(
  "whoever would %s a child run's task puts no words of theirs into its parent, in %s",
  async (verb, environment) => {
    const { alice, bob, carol, pay } = await stageIn(environment);
    const inner = await publishedBy(carol, [pay("5.0")]);
    const loop = { in: "[1]", as: "one", at_most: 1, on_error: "collect" } as const;
    const each: Step = { id: "each", for_each: loop, workflow: { name: inner } };
    const run = await runBy(alice, await publishedBy(carol, [each, pay("steps.each.output")]));
    await endings[verb](bob, await asking(app, await childOf(run), "pay"), "240 to 4711");
    const { input } = await must(app, 200, carol, "GET", `/v1/tasks/${await asking(app, run, "pay")}`);
    expect(input.amount).toMatchObject({ failed: 1 });
    expect(JSON.stringify(input)).not.toContain("240");
  },
);

it.each(strictEnvironments)(
  "a workflow's author does not approve what a version does that nobody else has looked at, in %s",
  async (environment) => {
    const { alice, bob, carol, pay } = await stageIn(environment);
    const run = await runBy(alice, await publishedBy(bob, [pay("240.0")]));
    expect(await votes(run, "pay", bob, carol)).toEqual(refusedThenApproved);
  },
);

it.each(strictEnvironments)(
  "a workflow's author approves once another person has confirmed the version, in %s",
  async (environment) => {
    const { alice, bob, pay } = await stageIn(environment);
    const workflow = await publishedBy(bob, [pay("240.0")]);
    await confirmBy(app, alice, `workflow:${workflow}@1`);
    expect(await approveBy(app, bob, await asking(app, await runBy(alice, workflow), "pay"))).toBe("approved");
  },
);

it.each(strictEnvironments)(
  "a workflow's author approves once another person has published the version, in %s",
  async (environment) => {
    const { alice, bob, pay } = await stageIn(environment);
    const workflow = `accountable_${++made}`;
    await must(app, 201, bob, "POST", "/v1/workflows", { workflow, steps: [pay("240.0")] });
    await must(app, 200, alice, "POST", `/v1/workflows/${workflow}/publish`, {}, { "if-match": '"1-json"' });
    expect(await approveBy(app, bob, await asking(app, await runBy(alice, workflow), "pay"))).toBe("approved");
  },
);

it.each(strictEnvironments)(
  "whoever publishes a draft without saying which has not looked at it, in %s",
  async (environment) => {
    const { alice, bob, carol, pay } = await stageIn(environment);
    const workflow = `accountable_${++made}`;
    await must(app, 201, bob, "POST", "/v1/workflows", { workflow, steps: [pay("240.0")] });
    await must(app, 200, alice, "POST", `/v1/workflows/${workflow}/publish`, {});
    const task = await asking(app, await runBy(carol, workflow), "pay");
    for (const decider of [alice, bob]) expect(await approveBy(app, decider, task)).toBe("four_eyes");
  },
);

it.each(strictEnvironments)(
  "the author of a version that a run moves to does not approve what it does, nor that of the one before what it left, in %s",
  async (environment) => {
    const { alice, bob, carol, pay } = await stageIn(environment);
    const fixed: Step = { id: "fixed", set: { amount: "240.0" } };
    const steps = (title: string) => [fixed, { ...hold, title }, pay("steps.fixed.output.amount")];
    const workflow = await publishedBy(carol, steps("Waits."));
    await confirmBy(app, alice, `workflow:${workflow}@1`);
    const run = await runBy(alice, workflow);
    await waits(run, "hold");
    await redraft(bob, workflow, steps("Holds."));
    await control(alice, run, { action: "migrate", version: 2 });
    await signal(carol, run, {});
    expect(await votes(run, "pay", bob, carol)).toEqual(refusedThenApproved);
    const other = await runBy(alice, workflow);
    await waits(other, "hold");
    await control(alice, other, { action: "migrate", version: 1 });
    await signal(carol, other, {});
    expect(await votes(other, "pay", bob, carol)).toEqual(refusedThenApproved);
  },
);

it.each(strictEnvironments)(
  "publishing warns where everybody who approves has decided the version, in %s",
  async (environment) => {
    const { bob, pay } = await stageIn(environment);
    const workflow = `accountable_${++made}`;
    await must(app, 201, bob, "POST", "/v1/workflows", { workflow, steps: [pay("240.0")] });
    await app.pool.query("update members set roles = roles - $1 where id <> $2", [environment, bob.memberId]);
    const { findings } = await must(app, 200, bob, "POST", `/v1/workflows/${workflow}/publish`, {});
    expect(findings).toMatchObject([{ severity: "warning", code: "nobody_could_approve" }]);
  },
);
