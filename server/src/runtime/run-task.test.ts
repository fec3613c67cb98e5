import { describe, expect, it } from "vitest";
import { leaseTimes, type RunTool, type TaskRun, type TaskRunnerPort } from "./port.ts";
import { orAborted, plannedCalls, runTask } from "./run-task.ts";

const tool = (name: string, idFields: string[], effect: RunTool["effect"] = "read"): RunTool => ({
  name,
  kind: "record",
  effect,
  idFields,
});
const run = (more: Partial<TaskRun> = {}): TaskRun => ({
  agent: "sales",
  version: 1,
  skill: "qualify_lead",
  input: { lead_id: "ld_1", account_id: "ac_1" },
  attempt: 1,
  resumed: false,
  tools: [tool("get_lead", ["lead_id"]), tool("get_account", ["account_id"])],
  limits: { seconds: 120, steps: 12 },
  ...more,
});

/** A port that finds every record and keeps the journal in memory. */
function portOf(): { port: TaskRunnerPort; calls: string[] } {
  const calls: string[] = [];
  const port: Partial<TaskRunnerPort> = {
    journal: async () => [],
    beginStep: async (_lease, step) => `stp_${step.number}`,
    endStep: async () => true,
    async callTool(_lease, call) {
      calls.push(call.tool);
      return { kind: "output", output: call.arguments, verdict: "allow" };
    },
  };
  return { port: port as TaskRunnerPort, calls };
}

const lease = { scope: { organization: "default", environment: "development" }, task: "tsk_1", owner: "w-1" } as const;
const signal = new AbortController().signal;

describe("planning the calls of a run", () => {
  it("takes the read tools whose id the input supplies, in the skill's order, by the likeliest field", () => {
    const tools = [
      tool("get_lead", ["lead_id", "subject"]),
      tool("get_order", ["order_id"]),
      tool("send_letter", ["lead_id"], "write"),
      tool("get_person", ["person_id", "subject"]),
    ];
    const input = { lead_id: "ld_1", subject: "p_1", order_id: 7 };
    expect(plannedCalls({ tools, input }).map((call) => [call.tool.name, call.arguments])).toEqual([
      ["get_lead", { lead_id: "ld_1" }],
      ["get_person", { subject: "p_1" }],
    ]);
  });
});

describe("a run", () => {
  it("answers each record under its tool's name", async () => {
    const { port } = portOf();
    expect(await runTask({ port, lease, run: run(), signal })).toEqual({
      kind: "completed",
      output: {
        records: { get_lead: { lead_id: "ld_1" }, get_account: { account_id: "ac_1" } },
        summary: expect.stringContaining("get_lead looked up ld_1; get_account looked up ac_1. No model was run"),
      },
    });
  });

  it("says so where the input supplies nothing to look up", async () => {
    const { port, calls } = portOf();
    const ended = await runTask({ port, lease, run: run({ input: { text: "hello" } }), signal });
    expect(ended).toMatchObject({ kind: "completed", output: { records: {}, summary: expect.stringContaining("nothing was looked up") } });
    expect(calls).toEqual([]);
  });

  it("stops before the first step that would be over its limit", async () => {
    const { port, calls } = portOf();
    const ended = await runTask({ port, lease, run: run({ limits: { seconds: 120, steps: 1 } }), signal });
    expect(ended).toMatchObject({ kind: "failed", failure: { code: "step_limit" } });
    expect(calls).toEqual([]);
  });

  it("makes a step again whose journal holds another call", async () => {
    const { port, calls } = portOf();
    port.journal = async () => [
      { id: "stp_1", number: 1, kind: "tool", name: "get_lead", input: { lead_id: "ld_2" }, state: "finished", output: "of another lead" },
    ];
    await runTask({ port, lease, run: run({ resumed: true }), signal });
    expect(calls).toEqual(["get_lead", "get_account"]);
  });

  it("ends at once when the lease is lost, wherever that shows", async () => {
    for (const part of ["beginStep", "endStep", "callTool"] as const) {
      const { port, calls } = portOf();
      const losing = { beginStep: async () => null, endStep: async () => false, callTool: async () => ({ kind: "lost" }) as const };
      const ended = await runTask({ port: { ...port, [part]: losing[part] }, lease, run: run(), signal });
      expect(ended).toEqual({ kind: "lost" });
      expect(calls.length).toBeLessThan(2);
    }
  });

  it("takes no further step once it is aborted", async () => {
    const { port, calls } = portOf();
    const controller = new AbortController();
    const reason = new Error("cancelled");
    const callTool = port.callTool.bind(port);
    port.callTool = async (...given) => {
      controller.abort(reason);
      return callTool(...given);
    };
    await expect(runTask({ port, lease, run: run(), signal: controller.signal })).rejects.toBe(reason);
    expect(calls).toEqual(["get_lead"]);
  });
});

describe("waiting for work that may be aborted", () => {
  it("throws the reason, and not what the work itself comes to", async () => {
    const controller = new AbortController();
    for (let n = 0; n < 20; n++) expect(await orAborted(controller.signal, Promise.resolve(n))).toBe(n);
    controller.abort(new Error("over"));
    // The work's own failure comes too late to matter; left alone, it would end the process.
    await expect(orAborted(controller.signal, Promise.reject(new Error("late")))).rejects.toThrow("over");
  });

  it("renews a lease well before it lapses, and looks often enough to stop within two seconds", () => {
    expect(leaseTimes.renewEvery * 2).toBeLessThan(leaseTimes.lasts);
    expect(leaseTimes.checkEvery).toBeLessThanOrEqual(1_000);
  });
});
