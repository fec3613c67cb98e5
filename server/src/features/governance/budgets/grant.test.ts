import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Grant, goneOf, takeOf } from "./grant.ts";

/** A window as the database keeps it, and the statements that processes send it. */
class Window {
  used = 0;
  granted = 0;
  readonly grants = new Map<string, number>();
  hard: number | null;
  constructor(hard: number | null) {
    this.hard = hard;
  }

  grant(holder: string, missing: readonly number[], ahead: number): number {
    const taken = takeOf(this, missing, ahead);
    this.granted += taken;
    if (taken > 0) this.grants.set(holder, (this.grants.get(holder) ?? 0) + taken);
    return taken;
  }

  report(holder: string, spent: number, back: number): number | undefined {
    const amount = this.grants.get(holder);
    if (amount === undefined) return undefined;
    const gone = goneOf(amount, spent, back);
    this.used += spent;
    this.granted -= gone;
    if (amount === gone) this.grants.delete(holder);
    else this.grants.set(holder, amount - gone);
    return amount - gone;
  }

  rename(from: string, to: string): number {
    const amount = this.grants.get(from);
    this.grants.delete(from);
    if (amount !== undefined) this.grants.set(to, amount);
    return amount ?? 0;
  }

  lapse(holder: string): void {
    const amount = this.grants.get(holder) ?? 0;
    this.grants.delete(holder);
    this.used += amount;
    this.granted -= amount;
  }
}

/** A process: its grant, its calls under way, and what it really used. */
class Process {
  grant = new Grant();
  holder: string;
  readonly calls: { grant: Grant; amount: number }[] = [];
  #names = 0;
  readonly #name: string;
  constructor(name: string) {
    this.#name = name;
    this.holder = this.nextHolder();
  }

  nextHolder(): string {
    return `${this.#name}-${++this.#names}`;
  }

  replace(holder = this.nextHolder(), held = 0): void {
    this.grant.lose();
    this.grant = new Grant();
    this.grant.add(held, held);
    this.holder = holder;
  }
}

const amounts = fc.integer({ min: 1, max: 12 });
const limits = fc.integer({ min: 0, max: 400 });
const who = fc.integer({ min: 0, max: 3 });
/** What became of a statement: carried out and told; carried out, but the answer was lost; or never carried out. */
const fate = fc.constantFrom("told", "carried out", "lost");
const steps = fc.array(
  fc.oneof(
    fc.record({ do: fc.constant("call" as const), who, need: amounts, ahead: fc.nat(200), fate }),
    fc.record({ do: fc.constant("settle" as const), who, part: fc.double({ min: 0, max: 1, noNaN: true }) }),
    fc.record({ do: fc.constant("release" as const), who }),
    fc.record({ do: fc.constant("report" as const), who, back: fc.boolean(), fate, meanwhile: amounts }),
    fc.record({ do: fc.constant("lapse" as const), who }),
    fc.record({ do: fc.constant("crash" as const), who }),
  ),
  { maxLength: 150, size: "max" },
);
type Step = typeof steps extends fc.Arbitrary<(infer S)[]> ? S : never;

/** Several processes on one window: what calls really used, against what the window says. */
function play(hard: number, all: readonly Step[]) {
  const window = new Window(hard);
  const processes = [0, 1, 2, 3].map((n) => new Process(`p${n}`));
  let used = 0;
  let lapsed = 0;
  const begin = (process: Process, need: number): void => {
    if (process.grant.take(need)) process.calls.push({ grant: process.grant, amount: need });
  };
  const found = (process: Process): void => {
    const next = process.nextHolder();
    const amount = window.rename(process.holder, next);
    process.grant.found(amount);
    process.holder = next;
    if (process.grant.lost) process.replace(next, amount);
  };
  // Plain comparisons: this runs a million times.
  const hold = (what: string, holds: boolean): void => {
    if (!holds) throw new Error(`it does not hold: ${what}`);
  };
  const sum = (all: Iterable<number>): number => Array.from(all).reduce((total, n) => total + n, 0);
  const check = (): void => {
    const underWay = sum(processes.flatMap(({ calls }) => calls.map(({ amount }) => amount)));
    hold("used and granted are within the limit", window.used + window.granted <= hard);
    hold("what calls use is within the limit", used + underWay <= hard);
    hold("nothing is counted that was neither used nor lapsed", window.used <= used + lapsed);
    hold("what is granted is what processes hold", sum(window.grants.values()) === window.granted);
    for (const { grant, holder } of processes) {
      hold("nothing is handed out that is not held", grant.free >= 0);
      hold(
        "nothing counts as held that is not, but for what lapsed unnoticed",
        (window.grants.get(holder) ?? grant.held) === grant.held,
      );
    }
  };
  const run: { [S in Step as S["do"]]: (process: Process, step: S) => void } = {
    call(process, { need, ahead, fate }) {
      if (process.grant.free < need && fate !== "lost") {
        const taken = window.grant(process.holder, [need - process.grant.free], ahead);
        const held = window.grants.get(process.holder) ?? 0;
        if (fate === "told" && !process.grant.add(taken, held)) process.replace(process.holder, held);
      }
      if (fate !== "told") found(process);
      begin(process, need);
    },
    settle(process, { part }) {
      const call = process.calls.shift();
      if (!call) return;
      const actual = Math.round(call.amount * part);
      used += actual;
      call.grant.settle(call.amount, actual);
    },
    release(process) {
      const call = process.calls.pop();
      call?.grant.release(call.amount);
    },
    report(process, { back, fate, meanwhile }) {
      if (process.grant.held === 0) return;
      const report = process.grant.beginReport(back);
      begin(process, meanwhile); // calls do not wait for it
      const held = fate === "lost" ? undefined : window.report(process.holder, report.spent, report.back);
      if (fate !== "told") found(process);
      else if (held === undefined) process.replace();
      else process.grant.reported(held);
    },
    lapse(process) {
      lapsed += window.grants.get(process.holder) ?? 0;
      window.lapse(process.holder);
    },
    crash(process) {
      for (const { amount } of process.calls) used += amount; // the worst: all of them had committed
      process.calls.length = 0;
      process.grant = new Grant();
      process.holder = process.nextHolder(); // its grant stays behind, until it lapses
    },
  };
  for (const step of all) {
    (run[step.do] as (process: Process, step: Step) => void)(processes[step.who] as Process, step);
    check();
  }
  return { window, processes, used: () => used };
}

describe("grants of a budget", () => {
  it("never let used and granted exceed the hard limit, nor calls, whatever is lost and whoever dies", () => {
    fc.assert(fc.property(limits, steps, (hard, all) => void play(hard, all)));
  });

  it("count every use once all have reported, and nothing else while no grant lapsed", () => {
    const alive = steps.map((all) => all.filter((step) => step.do !== "lapse" && step.do !== "crash"));
    fc.assert(
      fc.property(limits, alive, (hard, all) => {
        const { window, processes, used } = play(hard, all);
        for (const process of processes) {
          for (const { grant, amount } of process.calls.splice(0)) grant.release(amount);
          if (process.grant.held === 0) continue;
          const { spent, back } = process.grant.beginReport(true);
          process.grant.reported(window.report(process.holder, spent, back) as number);
          expect([process.grant.held, process.grant.free]).toEqual([0, 0]);
        }
        expect([window.used, window.granted]).toEqual([used(), 0]);
      }),
    );
  });

  it("hand out all of a limit and no more, one call after the other over all processes", () => {
    const calls = fc.array(fc.record({ who, need: fc.constant(3) }), { minLength: 200, maxLength: 200 });
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 500 }), calls, (hard, all) => {
        const { processes } = play(
          hard,
          all.map(({ who: at, need }) => ({ do: "call", who: at, need, ahead: 0, fate: "told" }) as const),
        );
        const made = processes.reduce((sum, { calls: those }) => sum + those.length, 0);
        expect(made).toBe(Math.min(200, Math.floor(hard / 3)));
      }),
    );
  });
});

describe("what a process gets", () => {
  it("is at most a twentieth of what is left, and no more than it expects to use", () => {
    const plenty = { hard: 10_000, used: 2_000, granted: 0 };
    expect(takeOf(plenty, [1, 2, 3], 1_000)).toBe(400);
    expect(takeOf(plenty, [1, 2, 3], 50)).toBe(50);
    expect(takeOf(plenty, [1, 2, 3], 0)).toBe(3);
  });

  it("is exactly what waits, once little is left", () => {
    expect(takeOf({ hard: 1_000, used: 800, granted: 0 }, [1, 2, 3], 500)).toBe(3);
    expect(takeOf({ hard: 1_000, used: 990, granted: 9 }, [], 500)).toBe(0);
  });

  it("serves as many waiting calls as possible, and takes nothing that no call could use", () => {
    expect(takeOf({ hard: 20, used: 15, granted: 0 }, [2, 4, 7], 0)).toBe(4);
    expect(takeOf({ hard: 20, used: 19, granted: 0 }, [2, 4], 0)).toBe(0);
    expect(takeOf({ hard: 20, used: 15, granted: 10 }, [1], 0)).toBe(0);
  });

  it("is without end where nothing is ever refused", () => {
    expect(takeOf({ hard: null, used: 10 ** 12, granted: 5 }, [1, 8], 3)).toBe(8);
    expect(takeOf({ hard: null, used: 0, granted: 0 }, [1], 300)).toBe(300);
  });
});

it("counts what a call used beyond what it had reserved", () => {
  const grant = new Grant();
  expect(grant.add(10, 10)).toBe(true);
  expect(grant.take(10)).toBe(true);
  grant.settle(10, 14);
  const { spent, back } = grant.beginReport(true);
  expect([spent, back, goneOf(10, spent, back)]).toEqual([14, 0, 10]);
});
