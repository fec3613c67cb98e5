import { describe, expect, it } from "vitest";
import { advance, newRun } from "./advance.ts";
import { threadBudget } from "./budgets.ts";
import type { Step, WorkflowDefinition } from "./definition.ts";
import { planOf } from "./plan.ts";
import type { Command, Outcome, RunState } from "./state.ts";

const start = Date.parse("2026-07-01T08:00:00Z");
const call = (skill: string, input: Record<string, unknown> = {}) => ({ name: "support", skill, input });

/** A run that a test plays by hand: what it commands, and what it is told. */
function play(steps: readonly Step[], more: Partial<WorkflowDefinition> = {}, input: unknown = {}) {
  const plan = planOf({ workflow: "played", ...more, steps });
  let state: RunState = newRun({ input, run: { id: "wfr_1" } }, start);
  let wakeAt: number | null = null;
  const commands: Command[] = [];
  const go = (outcomes: readonly Outcome[] = [], at = start): Command[] => {
    const next = advance(plan, state, outcomes, at, threadBudget());
    ({ state, wakeAt } = next);
    commands.push(...next.commands);
    return [...next.commands];
  };
  const ended = (step: string, more: Partial<Extract<Outcome, { kind: "ended" }>> = {}, at = start): Command[] =>
    go([{ kind: "ended", step, attempt: state.steps.get(step)?.attempt ?? 1, status: "completed", ...more }], at);
  return {
    go,
    ended,
    commands,
    lose: (lost: RunState["lost"]) => {
      state = { ...state, ...(lost && { lost }) };
    },
    ask: (asked: RunState["asked"]) => {
      state = asked === undefined ? { ...state, asked: undefined as never } : { ...state, asked };
    },
    status: () => state.status,
    wakeAt: () => wakeAt,
    ending: () => state.ending,
    statuses: () => Object.fromEntries([...state.steps].map(([id, { status }]) => [id, status])),
    step: (id: string) => state.steps.get(id),
  };
}

const started = (commands: readonly Command[]): string[] =>
  commands.flatMap((one) => (one.kind === "start" ? [one.step] : []));

describe("a run", () => {
  it("does one step after the other, hands outputs on, and answers its output", () => {
    const run = play(
      [
        { id: "judge", agent: call("judge", { text: "input.message" }) },
        { id: "sum", set: { amount: "steps.judge.output.amount * 2.0", note: "'so ' + input.message" } },
      ],
      { output: { refunded: "steps.sum.output.amount" } },
      { message: "hello" },
    );
    expect(run.go()).toMatchObject([
      { kind: "start", step: "judge", attempt: 1, action: { agent: "support", input: { text: "hello" } } },
    ]);
    run.ended("judge", { output: { amount: 21 } });
    expect(run.step("sum")?.output).toEqual({ amount: 42, note: "so hello" });
    expect([run.status(), run.ending()?.output]).toEqual(["completed", { refunded: 42 }]);
  });

  it("skips a step whose condition does not hold, and goes on behind it", () => {
    const run = play([
      { id: "first", set: { amount: 50 } },
      { id: "route", when: "steps.first.output.amount > 100.0", approval: { title: "'Refund'" } },
      { id: "pay", tool: { agent: "support", name: "pay" } },
    ]);
    expect(started(run.go())).toEqual(["pay"]);
    expect(run.statuses()).toMatchObject({ route: "skipped", pay: "running" });
  });

  it("tries a failed step again after pauses that double, and gives up after its attempts", () => {
    const run = play([
      { id: "judge", agent: call("judge"), retry: { attempts: 3, backoff: "5s", not_on: ["denied"] } },
    ]);
    const fails = (at: number, code = "busy") =>
      run.ended("judge", { status: "failed", failure: { code, detail: "It was busy." } }, at);
    run.go();
    expect(fails(start)).toEqual([]);
    expect([run.wakeAt(), run.status()]).toEqual([start + 5_000, "waiting"]);
    expect(run.go([], start + 4_999)).toEqual([]);
    expect(started(run.go([], start + 5_000))).toEqual(["judge"]);
    fails(start + 6_000);
    expect(run.wakeAt()).toBe(start + 16_000);
    expect(started(run.go([], start + 16_000))).toEqual(["judge"]);
    fails(start + 17_000);
    expect([run.status(), run.ending()?.failure]).toEqual(["failed", { code: "busy", detail: "judge: It was busy." }]);
  });

  it("undoes completed steps in reverse when a later one fails, and goes on past one that cannot be undone", () => {
    const undo = (name: string) => ({ tool: { agent: "support", name, arguments: { of: "steps.a.output.id" } } });
    const run = play([
      { id: "a", tool: { agent: "support", name: "a" }, compensate: undo("undo_a") },
      { id: "b", tool: { agent: "support", name: "b" }, compensate: undo("undo_b") },
      { id: "c", tool: { agent: "support", name: "c" }, on_error: "compensate" },
    ]);
    run.go();
    run.ended("a", { output: { id: "one" } });
    run.ended("b");
    const undone = (step: string, ok: boolean) => run.go([{ kind: "undone", step, ok }]);
    expect(run.ended("c", { status: "failed" })).toMatchObject([
      { kind: "undo", step: "b", action: { tool: "undo_b", arguments: { of: "one" } } },
    ]);
    expect(run.status()).toBe("compensating");
    expect(undone("b", false)).toMatchObject([{ kind: "undo", step: "a" }]);
    undone("a", true);
    expect(run.status()).toBe("compensation_failed");
    expect(run.statuses()).toEqual({ a: "compensated", b: "completed", c: "failed" });
  });

  it("ends a parallel step with its first branch where that is enough, and takes the others back", () => {
    const branch = (id: string): Step[] => [
      { id, agent: call(id) },
      { id: `${id}_after`, set: { of: `steps.${id}.output.x` } },
    ];
    const run = play([
      { id: "both", parallel: { branches: { one: branch("one"), two: branch("two") }, join: "any" } },
      { id: "then", set: { how: "steps.both.output" } },
    ]);
    expect(started(run.go())).toEqual(["one", "two"]);
    expect(run.ended("two", { output: { x: 1 } })).toEqual([{ kind: "cancel", step: "one", attempt: 1 }]);
    expect(run.step("then")?.output).toEqual({ how: { one: "cancelled", two: "completed" } });
    expect(run.status()).toBe("running"); // what was taken back has not ended yet
    run.ended("one", { status: "cancelled" });
    expect(run.status()).toBe("completed");
  });

  it("fails a parallel step with the branch that fails, unless the step tolerates it", () => {
    const steps = (more: Partial<Step>): Step[] =>
      [
        {
          id: "both",
          parallel: { branches: { one: [{ id: "one", agent: call("x") }], two: [{ id: "two", agent: call("y") }] } },
        },
        { id: "end_well", set: { x: 1 } },
      ].map((step) => (step.id === "both" ? { ...step, ...more } : step)) as Step[];
    for (const [on_error, end] of [
      ["fail", "failed"],
      ["continue", "completed"],
    ] as const) {
      const run = play(steps({ on_error }));
      run.go();
      run.ended("one", { status: "failed", failure: { code: "bad", detail: "It is bad." } });
      run.ended("two", { status: "cancelled" });
      expect(run.status()).toBe(end);
    }
  });

  it("waits for a time without anything to do, and for an event no longer than it says", () => {
    const run = play([
      { id: "nap", wait: { for: "2d" } },
      { id: "settle", wait: { event: "bank.settled", at_most: "5d", on_timeout: "continue" } },
      { id: "late", set: { late: "has(steps.settle.output.timed_out)" } },
    ]);
    const day = 86_400_000;
    run.go();
    expect([run.status(), run.wakeAt()]).toEqual(["waiting", start + 2 * day]);
    expect(run.go([], start + 2 * day)).toEqual([{ kind: "listen", step: "settle", attempt: 1, since: start }]);
    run.go([], start + 7 * day);
    expect([run.status(), run.step("late")?.output]).toEqual(["completed", { late: true }]);
  });

  it("ends at once where an end step says so, and takes back what has begun", () => {
    const run = play(
      [
        { id: "slow", needs: [], agent: call("slow") },
        { id: "stop", needs: [], when: "input.stop", end: { status: "failed", reason: "'No ' + 'stock.'" } },
      ],
      {},
      { stop: true },
    );
    expect(run.go()).toEqual([]); // what began in the same look has not been heard of outside
    expect([run.status(), run.ending()?.failure?.detail]).toEqual(["failed", "No stock."]);
    expect(run.statuses()).toEqual({ slow: "cancelled", stop: "completed" });
  });

  it("starts nothing while it is paused, and what was cancelled counts once it has ended", () => {
    const run = play([
      { id: "a", agent: call("a") },
      { id: "b", agent: call("b") },
    ]);
    run.go();
    run.ask("pause");
    expect(run.ended("a")).toEqual([]);
    expect(run.status()).toBe("paused");
    run.ask(undefined);
    expect(started(run.go())).toEqual(["b"]);
    run.ask("cancel");
    expect(run.go()).toMatchObject([{ kind: "cancel", step: "b" }]);
    expect(run.status()).toBe("running");
    run.ended("b", { status: "cancelled" });
    expect(run.status()).toBe("cancelled");
  });

  it("fails a step whose expression has nothing to read, and says which one", () => {
    const run = play([{ id: "a", set: { x: "input.missing.deep" } }]);
    run.go();
    expect(run.status()).toBe("failed");
    expect(run.ending()?.failure?.detail).toContain("input.missing.deep");
  });

  it("counts no time without a worker for its limits on work", () => {
    const night = 8 * 3_600_000;
    const run = play([{ id: "a", agent: call("a"), timeout: "10m" }], { limits: { duration: "2h" } });
    run.go();
    run.lose({ run: night, steps: { a: night } });
    run.go([], start + night);
    expect([run.statuses(), run.step("a")?.timedOut]).toEqual([{ a: "running" }, undefined]);
    expect(run.wakeAt()).toBe(start + night + 600_000);
    run.go([], start + night + 600_000);
    expect(run.step("a")?.timedOut).toBe(true);
    run.go([], start + night + 7_199_999);
    expect(run.ending()).toBeUndefined();
    run.go([], start + night + 7_200_000);
    expect(run.ending()).toMatchObject({ failure: { code: "duration_limit" } });
  });

  it("ends a wait at its moment, and the time that people were given, whether workers lived until then or not", () => {
    const night = 8 * 3_600_000;
    const waiting = play([{ id: "pause", wait: { for: "1h" } }], { limits: { duration: "30d" } });
    waiting.go();
    waiting.lose({ run: night, steps: { pause: night } });
    waiting.go([], start + 3_600_000);
    expect(waiting.status()).toBe("completed");
    const asking = play([{ id: "ask", approval: { title: "'May it?'" }, timeout: "1h" }]);
    asking.go();
    asking.lose({ run: night, steps: { ask: night } });
    asking.go([], start + 3_600_000);
    expect(asking.step("ask")?.timedOut).toBe(true);
  });

  it("takes a step back whose time is over, and waits for how it ended", () => {
    const run = play([{ id: "a", agent: call("a"), timeout: "10s", retry: { attempts: 2 } }]);
    run.go();
    expect(run.go([], start + 10_000)).toEqual([{ kind: "cancel", step: "a", attempt: 1 }]);
    run.ended("a", { status: "cancelled" }, start + 10_100);
    expect(run.step("a")).toMatchObject({ status: "pending", failure: { code: "timeout" } });
  });
});
