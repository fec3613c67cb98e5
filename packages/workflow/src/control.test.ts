import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { advance, newRun } from "./advance.ts";
import { threadBudget } from "./budgets.ts";
import { type Control, type Controlled, control, migrationOf } from "./control.ts";
import type { Step, WorkflowDefinition } from "./definition.ts";
import { type Plan, planOf } from "./plan.ts";
import { isOver, isRunOver, type Outcome, type RunState } from "./state.ts";

const start = Date.parse("2026-07-01T08:00:00Z");
const tool = (name: string, given: Record<string, unknown> = {}) => ({ agent: "support", name, arguments: given });
const calls = (id: string, more: Partial<Step> = {}): Step => ({ id, tool: tool(id), ...more });

/** A run whose calls end as told, until it is over or waits for nothing that ends. */
function driver(plan: Plan, input: unknown = {}) {
  let state: RunState = newRun({ input, run: { id: "wfr_1" } }, start);
  let now = start;
  const started: string[] = [];
  const undone: string[] = [];
  const actions = new Map<string, unknown>();
  const go = (ends: (step: string, attempt: number) => "completed" | "failed" | "open") => {
    let outcomes: Outcome[] = [];
    for (let looks = 0; looks < 500; looks++) {
      const next = advance(plan, state, outcomes, now, threadBudget());
      ({ state } = next);
      outcomes = [];
      for (const one of next.commands) {
        if (one.kind === "start") {
          started.push(`${one.step} ${one.attempt}`);
          actions.set(one.step, one.action);
          const status = ends(one.step, one.attempt);
          if (status !== "open")
            outcomes.push({ kind: "ended", step: one.step, attempt: one.attempt, status, output: { n: one.attempt } });
        } else if (one.kind === "undo") {
          undone.push(one.step);
          outcomes.push({ kind: "undone", step: one.step, ok: true });
        } else if (one.kind === "cancel")
          outcomes.push({ kind: "ended", step: one.step, attempt: one.attempt, status: "cancelled" });
      }
      if (outcomes.length > 0) continue;
      if (next.wakeAt === null || isRunOver(state.status) || next.wakeAt > now + 3_600_000) return;
      now = Math.max(now, next.wakeAt);
    }
  };
  const told = (asked: Control): Controlled => {
    const next = control(plan, state, asked);
    if (next.ok) ({ state } = next);
    return next;
  };
  return { go, told, started, undone, actions, state: () => state, at: (id: string) => state.steps.get(id) };
}
const played = (steps: readonly Step[], more: Partial<WorkflowDefinition> = {}) =>
  driver(planOf({ workflow: "played", steps, ...more }));
const well = () => "completed" as const;
const failing = (id: string) => (step: string) => (step === id ? ("failed" as const) : ("completed" as const));

describe("doing a run again from a step", () => {
  it("does the step and what comes after it, and nothing before it", () => {
    const run = played([calls("a"), calls("b"), calls("c"), calls("aside", { needs: ["a"] })]);
    run.go(failing("c"));
    expect(run.state().status).toBe("failed");
    expect(run.told({ action: "retry_from", step: "b" })).toMatchObject({ ok: true, again: ["b", "c"] });
    run.go(well);
    expect(run.state().status).toBe("completed");
    expect(run.started).toEqual(["a 1", "b 1", "aside 1", "c 1", "b 2", "c 2"]);
  });

  it("does what did not complete where no step is named, and refuses where all of it did", () => {
    const run = played([calls("a"), calls("b")]);
    run.go(failing("a"));
    expect(run.told({ action: "retry_from", step: null })).toMatchObject({ ok: true, again: ["a"] });
    run.go(well);
    expect(run.told({ action: "retry_from", step: null })).toMatchObject({ ok: false, of: "state" });
  });

  it("puts edited members in place of what expressions come to, also of one that came to nothing", () => {
    const run = played([{ id: "a", tool: tool("pay", { order: "input.order", amount: 5 }) }]);
    run.go(well);
    expect(run.state().status).toBe("failed");
    run.told({ action: "retry_from", step: "a", input: { order: "or_2" } });
    run.go(well);
    expect(run.actions.get("a")).toMatchObject({ arguments: { order: "or_2", amount: 5 } });
    expect(run.state().status).toBe("completed");
  });

  it("counts the step's retries again", () => {
    const run = played([calls("a", { retry: { attempts: 2 } })]);
    run.go(failing("a"));
    run.told({ action: "retry_from", step: "a", input: { order: "or_2" } });
    run.go((_step, attempt) => (attempt === 4 ? "completed" : "failed"));
    expect(run.started).toEqual(["a 1", "a 2", "a 3", "a 4"]);
    expect(run.actions.get("a")).toMatchObject({ arguments: { order: "or_2" } });
    expect(run.state().status).toBe("completed");
  });

  it("looks at the condition of a later step again", () => {
    const run = played([calls("a"), calls("b", { when: "steps.a.output.n < 2.0" }), calls("c")]);
    run.go(failing("c"));
    run.told({ action: "retry_from", step: "a" });
    run.go(well);
    expect([run.at("b")?.status, run.state().status]).toEqual(["skipped", "completed"]);
  });

  it("begins a step around branches again, and leaves branches that completed", () => {
    const branches = { left: [calls("l")], right: [calls("r1"), calls("r2")] };
    const run = played([{ id: "both", parallel: { branches } }, calls("after")]);
    run.go(failing("r2"));
    expect(run.told({ action: "retry_from", step: "r2" })).toMatchObject({ ok: true, again: ["both", "r2"] });
    run.go(well);
    expect(run.state().status).toBe("completed");
    expect(run.started).toEqual(["l 1", "r1 1", "r2 1", "r2 2", "after 1"]);
  });

  it("refuses steps that are not there, have not begun or take no input, and what is under way", () => {
    const run = played([calls("a"), { id: "s", set: {} }, calls("b"), calls("c")]);
    run.go((step) => (step === "b" ? "open" : "completed"));
    const of = (asked: Control) => (run.told(asked) as { of?: string }).of;
    expect(of({ action: "retry_from", step: "x" })).toBe("step");
    expect(of({ action: "retry_from", step: "c" })).toBe("step");
    expect(of({ action: "retry_from", step: "s", input: {} })).toBe("input");
    expect(of({ action: "retry_from", step: "a" })).toBe("state");
  });
});

describe("going on without a step", () => {
  it("takes it as met, with the output that it is given, in a run that failed by it", () => {
    const run = played([calls("a"), { id: "b", set: { n: "steps.a.output.n" } }]);
    run.go(failing("a"));
    expect(run.told({ action: "skip", step: "a", output: { n: 7 } })).toMatchObject({ ok: true, skipped: ["a"] });
    run.go(well);
    expect([run.state().status, run.at("b")?.output]).toEqual(["completed", { n: 7 }]);
    expect(run.told({ action: "skip", step: "a" })).toMatchObject({ ok: false, of: "step" });
  });

  it("takes back what is under way", () => {
    const run = played([calls("a"), calls("b")]);
    run.go((step) => (step === "a" ? "open" : "completed"));
    expect(run.told({ action: "skip", step: "a" })).toMatchObject({ ok: true, cancel: ["a"] });
    run.go(well);
    expect(run.state().status).toBe("completed");
  });
});

describe("stopping and undoing a run", () => {
  it("pauses before the next step, and goes on", () => {
    const run = played([calls("a"), calls("b")]);
    expect(run.told({ action: "resume" })).toMatchObject({ ok: false });
    expect(run.told({ action: "pause" }).ok).toBe(true);
    run.go(well);
    expect([run.state().status, run.started]).toEqual(["paused", []]);
    expect(run.told({ action: "resume" }).ok).toBe(true);
    run.go(well);
    expect(run.state().status).toBe("completed");
    expect(run.told({ action: "pause" })).toMatchObject({ ok: false });
  });

  it("undoes a completed run in reverse, and once", () => {
    const undo = (id: string) => ({ compensate: { tool: tool(`undo_${id}`) } });
    const run = played([calls("a", undo("a")), calls("b"), calls("c", undo("c"))]);
    run.go(well);
    expect(run.told({ action: "compensate" }).ok).toBe(true);
    run.go(well);
    expect([run.state().status, run.undone]).toEqual(["compensated", ["c", "a"]]);
    expect(run.told({ action: "compensate" })).toMatchObject({ ok: false, of: "state" });
  });

  it("undoes what it was not asked to at first, while it is being cancelled", () => {
    const run = played([calls("a", { compensate: { tool: tool("undo") } }), calls("b")]);
    run.go((step) => (step === "b" ? "open" : "completed"));
    run.told({ action: "cancel", compensate: false });
    run.told({ action: "cancel", compensate: true });
    run.go(well);
    expect([run.state().status, run.undone]).toEqual(["compensated", ["a"]]);
    expect(run.told({ action: "cancel", compensate: false })).toMatchObject({ ok: false });
  });
});

const ids = ["a", "b", "c", "d", "e", "f"];
const shape = fc.record({
  needs: fc.array(fc.nat({ max: 5 }), { maxLength: 2 }),
  tries: fc.integer({ min: 1, max: 3 }),
  undo: fc.boolean(),
  onError: fc.constantFrom("fail" as const, "continue" as const, "compensate" as const),
  branches: fc.boolean(),
});
const definitions = fc.array(shape, { minLength: 2, maxLength: ids.length }).map((shapes): Plan => {
  const steps = shapes.map(({ needs, tries, undo, onError, branches }, at): Step => {
    const id = ids[at] as string;
    const before = [...new Set(needs.filter((need) => need < at).map((need) => ids[need] as string))];
    if (branches)
      return {
        id,
        needs: before,
        parallel: { branches: { x: [calls(`${id}_x`)], y: [calls(`${id}_y`), calls(`${id}_z`)] } },
      };
    const compensate = undo ? { compensate: { tool: tool(`undo_${id}`) } } : {};
    return calls(id, { needs: before, retry: { attempts: tries, backoff: "1s" }, on_error: onError, ...compensate });
  });
  return planOf({ workflow: "random", steps });
});

describe("any run", () => {
  it("completes when what failed is done again, begins no attempt twice, and leaves what stands", () => {
    fc.assert(
      fc.property(
        definitions,
        fc.array(fc.boolean(), { minLength: 40, maxLength: 40 }),
        fc.nat(),
        (plan, luck, chosen) => {
          const run = driver(plan);
          let calls = 0;
          run.go(() => (luck[calls++ % luck.length] ? "completed" : "failed"));
          expect(isRunOver(run.state().status)).toBe(true);
          for (const pick of [null, chosen]) {
            const before = run.state();
            const begun = plan.steps.filter(({ id }) => (before.steps.get(id)?.attempt ?? 0) > 0);
            const step = pick === null ? null : (begun[pick % begun.length]?.id ?? null);
            const next = run.told({ action: "retry_from", step });
            if (next.ok) {
              const stands = [...before.steps].filter(([id, one]) => isOver(one) && !next.again.includes(id));
              run.go(well);
              for (const [id, one] of stands) expect(run.at(id)).toEqual(one);
              if (step !== null) expect(run.at(step)?.attempt).toBe((before.steps.get(step)?.attempt ?? 0) + 1);
            }
            expect(run.state().status).toBe("completed");
          }
          expect(new Set(run.started).size).toBe(run.started.length);
        },
      ),
    );
  });
});

describe("moving a run to another version", () => {
  const one = planOf({ workflow: "moved", steps: [calls("a"), { id: "hold", wait: { for: "1d" } }, calls("c")] });
  const run = driver(one);
  run.go(well);
  const moved = (steps: Step[]) => migrationOf(one, planOf({ workflow: "moved", steps }), run.state());

  it("is possible where what has begun is there, and what is under way is the same", () => {
    const hold: Step = { id: "hold", title: "Another title", wait: { for: "1d" } };
    expect(moved([calls("a", { tool: tool("other") }), hold, calls("more"), calls("c")])).toEqual({
      obstacles: [],
      added: ["more"],
      removed: [],
      changed: ["a"],
    });
  });

  it("is not where a step is gone, another one, or elsewhere", () => {
    const stepsOf = (steps: Step[]) => moved(steps).obstacles.map(({ step }) => step);
    expect(stepsOf([calls("a"), { id: "hold", wait: { for: "2d" } }])).toEqual(["hold"]);
    expect(stepsOf([{ id: "hold", wait: { for: "1d" } }])).toEqual(["a"]);
    expect(
      stepsOf([
        { id: "a", set: {} },
        { id: "hold", wait: { for: "1d" } },
      ]),
    ).toEqual(["a"]);
  });
});
