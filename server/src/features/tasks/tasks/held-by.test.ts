import { describe, expect, it } from "vitest";
import type { Hold } from "../../../kernel/hold.ts";
import { useApp } from "../../../testing/app.ts";
import { approve, leaseOn } from "../../../testing/tasks.ts";
import { useWorkerProcess } from "../../../testing/worker.ts";
import { narrowedKey } from "../../approvals/testing.ts";
import { underKillSwitch, underPolicy } from "../runs/testing.ts";

const app = useApp();
const worker = useWorkerProcess(app);

const queued = async (): Promise<string> => (await app.dispatch({ require_approval: false })).task_id;
const waiting = async (): Promise<string> => (await app.dispatch()).task_id;
const read = async (path: string, key?: string) => (await app.call("GET", path, key === undefined ? {} : { key })).body;
/** What holds a task, the same at the object and in the list. */
const heldBy = async (task: string): Promise<Hold | null> => {
  const one = (await read(`/v1/tasks/${task}`)).held_by;
  const { data } = await read("/v1/tasks?limit=100");
  expect(data.find(({ task_id }: { task_id: string }) => task_id === task).held_by).toEqual(one);
  return one;
};
/** What holds the task of an approval besides it, the same at the object and in the list. */
const besides = async (task: string): Promise<Hold | null> => {
  const one = await read(`/v1/approvals/${task}`);
  const { data } = await read("/v1/approvals?status=pending,approved,consumed,cancelled&limit=100");
  const listed = data.find(({ approval_id }: { approval_id: string }) => approval_id === one.approval_id);
  expect(listed.held_by).toEqual(one.held_by);
  return one.held_by;
};
const budget = (scope: string, limits: readonly object[]) =>
  app.call("PUT", `/v1/governance/budgets/${scope}`, { body: { limits } });

describe("a task that nothing holds", () => {
  it("says so, at the object and in lists", async () => {
    expect(await heldBy(await queued())).toBeNull();
  });
});

describe("a queued task", () => {
  it.each([
    { kind: "environment" },
    { kind: "agent", target: "sales" },
    { kind: "skill", target: "sales.qualify_lead" },
    { kind: "tool", target: "get_lead" },
    { kind: "model", target: "builtin" },
  ])("names the kill switch of $kind that pauses it, until it is released", async (of) => {
    const task = await queued();
    await underKillSwitch(app, worker, { ...of, mode: "pause" }, async (id) => {
      expect(await heldBy(task)).toEqual({
        kind: "kill_switch",
        source: id,
        text: expect.stringContaining("it harms"),
        since: expect.any(String),
        lifted_by: "governance:release",
        remedy: `Release it: DELETE /v1/governance/kill-switch/${id}.`,
        url: "http://127.0.0.1:4000/agents/sales",
      });
    });
    expect(await heldBy(task)).toBeNull();
  });

  it("is not held by a kill switch of a tool that its skill does not use, or one that only accepts no new work", async () => {
    const task = await queued();
    await underKillSwitch(app, worker, { kind: "tool", target: "another_tool", mode: "pause" }, async () => {
      expect(await heldBy(task)).toBeNull();
    });
    await underKillSwitch(app, worker, { kind: "agent", target: "sales", mode: "drain" }, async () => {
      expect(await heldBy(task)).toBeNull();
    });
  });

  it("names the budget that is used up where its next step needs some of it, and no other", async () => {
    const task = await queued();
    await budget("agent:sales", [{ unit: "usd", period: "day", hard: 0 }]);
    await app.app.facts.refresh();
    expect(await heldBy(task)).toBeNull(); // the built-in model costs nothing
    await budget("agent:sales", [{ unit: "steps", period: "day", hard: 0 }]);
    await app.app.facts.refresh();
    expect(await heldBy(task)).toMatchObject({
      kind: "budget",
      source: "agent:sales",
      text: "The budget agent:sales has no steps left today.",
      lifted_by: "governance:write",
    });
    await budget("agent:sales", []);
    await app.app.facts.refresh();
    expect(await heldBy(task)).toBeNull();
  });
});

describe("a gate that was closed", () => {
  const staging = { environment: "staging" } as const;
  const inStaging = async (path: string) => (await app.call("GET", path, staging)).body;

  it("holds a queued task and an approval, before the vote and after it", async () => {
    await app.deploy("staging");
    await app.verdict("open", "staging");
    const { task_id: free } = await app.dispatch({ require_approval: false }, staging);
    await app.pool.query("update tasks set status = 'queued' where id = $1", [free]);
    const { task_id: asked } = await app.dispatch({}, staging);
    expect((await inStaging(`/v1/approvals/${asked}`)).held_by).toBeNull();
    await app.verdict("failed", "staging");
    await worker.refresh();
    const closed = { kind: "gate", source: "sales", lifted_by: "evaluations:write" };
    expect((await inStaging(`/v1/tasks/${free}`)).held_by).toMatchObject(closed);
    expect((await inStaging(`/v1/approvals/${asked}`)).held_by).toMatchObject(closed);
    const text = expect.stringContaining("Then: The evaluation gate of sales, version 1, is failed");
    expect((await inStaging(`/v1/tasks/${asked}`)).held_by).toMatchObject({ kind: "approval", text });
    await approve(app, asked, "staging");
    expect((await inStaging(`/v1/approvals/${asked}`)).held_by).toMatchObject(closed);
    await worker.port.start(leaseOn(app, asked, "staging"));
    const remedy = expect.stringContaining(`Then try the task again: POST /v1/tasks/${asked}/retry.`);
    expect(await inStaging(`/v1/tasks/${asked}`)).toMatchObject({ status: "blocked", held_by: { ...closed, remedy } });
    expect((await inStaging(`/v1/approvals/${asked}`)).held_by).toMatchObject({ ...closed, remedy });
    await app.verdict("open", "staging");
    expect((await inStaging(`/v1/tasks/${asked}`)).held_by).toBeNull();
  });
});

describe("a task that waits for people", () => {
  it("names the approval, who may decide and where, and what holds it afterwards", async () => {
    const task = await waiting();
    const { approval_id } = await read(`/v1/approvals/${task}`);
    const asked = {
      kind: "approval",
      source: approval_id,
      since: expect.any(String),
      lifted_by: "approvals:decide",
      url: `http://127.0.0.1:4000/approvals/${task}`,
    };
    expect(await heldBy(task)).toMatchObject({
      ...asked,
      text: expect.stringMatching(/^Waits for approval\. Qualify/),
    });
    expect(await besides(task)).toBeNull();
    await underKillSwitch(app, worker, { kind: "agent", target: "sales", mode: "pause" }, async (id) => {
      expect(await heldBy(task)).toMatchObject({
        ...asked,
        text: expect.stringContaining(`Then: The agent sales is paused`),
      });
      expect(await besides(task)).toMatchObject({ kind: "kill_switch", source: id });
      await approve(app, task);
      expect([await besides(task), await heldBy(task)]).toMatchObject([{ source: id }, { source: id }]);
    });
    expect(await besides(task)).toBeNull();
  });

  it("names its question and who answers it", async () => {
    const task = await queued();
    await app.pool.query(`update tasks set status = 'input_required', question = $2 where id = $1`, [
      task,
      JSON.stringify({
        step_id: "stp_1",
        kind: "answer",
        text: "Which plan?",
        options: null,
        asked_at: "2026-11-20T10:00:00.000Z",
      }),
    ]);
    expect(await heldBy(task)).toEqual({
      kind: "question",
      source: task,
      text: "Waits for an answer. Which plan?",
      since: "2026-11-20T10:00:00.000Z",
      lifted_by: "tasks:write",
      remedy: `Answer it: POST /v1/tasks/${task}/input.`,
      url: `http://127.0.0.1:4000/tasks/${task}`,
    });
  });

  it("does not tell a key that may not read approvals what people are asked", async () => {
    const task = await waiting();
    const key = await narrowedKey(app, { scopes: ["tasks:read"] });
    expect((await read(`/v1/tasks/${task}`, key)).held_by.text).toBe("Waits for approval.");
  });

  it("says that its input is to be changed where people sent it back", async () => {
    const task = await waiting();
    const { secret } = await app.signedInMember("approver");
    const { digest } = await read(`/v1/approvals/${task}`);
    await app.call("POST", `/v1/approvals/${task}/request-changes`, {
      key: secret,
      body: { digest, note: "Another lead." },
    });
    expect((await read(`/v1/tasks/${task}`)).held_by).toMatchObject({
      kind: "approval",
      text: "Waits for changes: Another lead.",
      lifted_by: "tasks:write",
    });
  });
});

describe("a task that was blocked", () => {
  it("names the policy that refused it and how to go on", async () => {
    const task = await queued();
    await underPolicy(
      app,
      worker,
      { scope: { actions: ["task.run"] }, effect: "deny", message: "Not on Sundays." },
      async (policy) => {
        await worker.port.start(leaseOn(app, task));
        expect(await heldBy(task)).toMatchObject({
          kind: "policy",
          source: policy,
          url: `http://127.0.0.1:4000/policies/${policy}`,
          text: expect.stringContaining("Not on Sundays."),
          remedy: expect.stringContaining(`POST /v1/tasks/${task}/retry`),
        });
      },
    );
  });
});
