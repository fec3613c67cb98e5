import { describe, expect, it } from "vitest";
import { leaseTimes, type RunTool, type TaskRun, type TaskRunnerPort } from "./port.ts";
import { orAborted, plannedCalls, runTask } from "./run-task.ts";

const tool = (name: string, idFields: string[], effect: RunTool["effect"] = "read"): RunTool => ({
  name,
  kind: "record",
  effect,
  idFields,
  costUsd: 0,
});
const limits = { seconds: 120, steps: 12, tokens: null, costUsd: null };
const run = (more: Partial<TaskRun> = {}): TaskRun => ({
  agent: "sales",
  version: 1,
  versionId: "ver_1",
  skill: "qualify_lead",
  input: { lead_id: "ld_1", account_id: "ac_1" },
  attempt: 1,
  resumed: false,
  tools: [tool("get_lead", ["lead_id"]), tool("get_account", ["account_id"])],
  limits,
  spent: { tokens: 0, costUsd: 0 },
  ...more,
});

/** A port that finds every record and keeps the journal in memory. */
function portOf(costUsd = 0): { port: TaskRunnerPort; calls: string[] } {
  const calls: string[] = [];
  const port: Partial<TaskRunnerPort> = {
    holdOf: () => "go",
    journal: async () => [],
    beginStep: async (_lease, step) => `stp_${step.number}`,
    endStep: async () => true,
    async callTool(_lease, call) {
      calls.push(call.tool);
      return { kind: "output", output: call.arguments, verdict: "allow", costUsd };
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
    expect(await runTask({ port, lease, run: run(), signal, progress: { tool: null } })).toEqual({
      kind: "completed",
      output: {
        records: { get_lead: { lead_id: "ld_1" }, get_account: { account_id: "ac_1" } },
        summary: expect.stringContaining("get_lead looked up ld_1; get_account looked up ac_1. No model was run"),
      },
    });
  });

  it("says so where the input supplies nothing to look up", async () => {
    const { port, calls } = portOf();
    const ended = await runTask({ port, lease, run: run({ input: { text: "hello" } }), signal, progress: { tool: null } });
    expect(ended).toMatchObject({ kind: "completed", output: { records: {}, summary: expect.stringContaining("nothing was looked up") } });
    expect(calls).toEqual([]);
  });

  it("stops before the first step that would be over its limit", async () => {
    const { port, calls } = portOf();
    const ended = await runTask({ port, lease, run: run({ limits: { ...limits, steps: 1 } }), signal, progress: { tool: null } });
    expect(ended).toMatchObject({ kind: "failed", failure: { code: "step_limit" } });
    expect(calls).toEqual([]);
  });

  it("stops before the call that would cost more than its limit allows, and not before", async () => {
    const cents = (...costs: number[]) =>
      costs.map((costUsd, n) => ({ ...tool(n ? "get_account" : "get_lead", [n ? "account_id" : "lead_id"]), costUsd }));
    const { port, calls } = portOf(0.03);
    const ofTask = (costUsd: number, spent: number) =>
      run({ tools: cents(0.03, 0.03), limits: { ...limits, costUsd }, spent: { tokens: 0, costUsd: spent } });
    const ended = await runTask({ port, lease, run: ofTask(0.05, 0), signal, progress: { tool: null } });
    expect(ended).toEqual({
      kind: "failed",
      failure: { code: "cost_limit", detail: "qualify_lead may cost $0.05 and has cost $0.03; get_account would cost $0.03 more." },
    });
    expect(calls).toEqual(["get_lead"]);
    expect((await runTask({ port, lease, run: ofTask(0.06, 0), signal, progress: { tool: null } })).kind).toBe("completed");
    expect((await runTask({ port, lease, run: ofTask(0.06, 0.01), signal, progress: { tool: null } })).kind).toBe("failed");
  });

  it("stops before a call where the task has used its tokens up", async () => {
    const { port, calls } = portOf();
    const used = run({ limits: { ...limits, tokens: 100 }, spent: { tokens: 100, costUsd: 0 } });
    expect(await runTask({ port, lease, run: used, signal, progress: { tool: null } })).toMatchObject({
      kind: "failed",
      failure: { code: "token_limit" },
    });
    expect(calls).toEqual([]);
  });

  it.each([
    ["give_back", { kind: "given_back" }],
    ["stop", { kind: "held", tool: "get_account" }],
  ] as const)("asks before each step whether a stop stands against it: %s", async (hold, ending) => {
    const { port, calls } = portOf();
    const begun: string[] = [];
    const beginStep = async (_lease: unknown, { name }: { name: string }) => `stp_${begun.push(name)}`;
    port.holdOf = (_lease, _run, called) => (called === "get_account" ? hold : "go");
    expect(await runTask({ port: { ...port, beginStep }, lease, run: run(), signal, progress: { tool: null } })).toEqual(ending);
    expect([calls, begun]).toEqual([["get_lead"], ["get_lead"]]);
  });

  it("closes the step whose call a stop refused, and ends as the stop says", async () => {
    const { port } = portOf();
    const ends: unknown[] = [];
    const failure = { code: "kill_switch_engaged", detail: "stopped" };
    const endStep = async (_lease: unknown, id: string, end: unknown) => ends.push([id, end]) > 0;
    const stopped = { ...port, endStep, callTool: async () => ({ kind: "held", hold: "give_back", failure }) as const };
    expect(await runTask({ port: stopped, lease, run: run(), signal, progress: { tool: null } })).toEqual({ kind: "given_back" });
    expect(ends).toEqual([["stp_1", { state: "failed", failure, verdict: "deny", costUsd: 0 }]]);
  });

  it("says which tool it calls, while it does", async () => {
    const { port } = portOf();
    const progress = { tool: null as string | null };
    const during: (string | null)[] = [];
    const callTool = port.callTool;
    port.callTool = (one, call) => {
      during.push(progress.tool);
      return callTool(one, call);
    };
    await runTask({ port, lease, run: run(), signal, progress });
    expect([during, progress.tool]).toEqual([["get_lead", "get_account"], null]);
  });

  it("makes a step again whose journal holds another call", async () => {
    const { port, calls } = portOf();
    port.journal = async () => [
      { id: "stp_1", number: 1, kind: "tool", name: "get_lead", input: { lead_id: "ld_2" }, state: "finished", output: "of another lead" },
    ];
    await runTask({ port, lease, run: run({ resumed: true }), signal, progress: { tool: null } });
    expect(calls).toEqual(["get_lead", "get_account"]);
  });

  it("ends at once when the lease is lost, wherever that shows", async () => {
    for (const part of ["beginStep", "endStep", "callTool"] as const) {
      const { port, calls } = portOf();
      const losing = { beginStep: async () => null, endStep: async () => false, callTool: async () => ({ kind: "lost" }) as const };
      const ended = await runTask({ port: { ...port, [part]: losing[part] }, lease, run: run(), signal, progress: { tool: null } });
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
    await expect(runTask({ port, lease, run: run(), signal: controller.signal, progress: { tool: null } })).rejects.toBe(reason);
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
