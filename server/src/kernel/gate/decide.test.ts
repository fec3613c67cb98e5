import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  decideGate,
  type GateDecision,
  type GateInput,
  type GateItem,
  type GateRule,
  type GateScorer,
} from "./index.ts";
import { levelsAt } from "./looks.ts";

const rule: GateRule = { floor: 0.7, tolerance: 0.05, repeats: 3, max_repeats: 12 };

/** Items of which so many of three repeats pass; both versions alike by default. */
function items(count: number, candidate: (index: number) => number, deployed?: (index: number) => number): GateItem[] {
  const runs = (passed: number) => [0, 1, 2].map((repeat) => (repeat < passed ? 1 : 0));
  return Array.from({ length: count }, (_, index): GateItem => {
    const item = { item: `item-${index}`, candidate: runs(candidate(index)) };
    return deployed === undefined ? item : { ...item, deployed: runs(deployed(index)) };
  });
}

const scorer = (list: readonly GateItem[], over: Partial<GateScorer> = {}): GateScorer => ({
  scorer: "exact",
  pass_at: 1,
  items: list,
  ...over,
});
const gate = (scorers: readonly GateScorer[], over: Partial<GateInput> = {}): GateInput => ({
  rule,
  compared: true,
  repeats: 3,
  scorers,
  ...over,
});
const codes = (input: GateInput) => decideGate(input).reasons.map(({ code }) => code);
/** Repeats that vary from item to item as chance would have it: 3, 2, 3, 1, 3, 2, … of three. */
const mixed = (index: number) => [3, 2, 3, 1, 3, 2, 3, 3][index % 8]!;

describe("the gate's decision", () => {
  it("opens where the version is as good as the deployed one and above the floor", () => {
    const decision = decideGate(gate([scorer(items(400, (i) => mixed(i + 3), mixed))]));
    expect(decision).toMatchObject({ verdict: "open", n: 400, repeats: 3, look: 1, repeats_to_add: 0 });
    expect(decision.reasons).toEqual([expect.objectContaining({ code: "holds", scorer: "exact", item: null })]);
    const { score, difference } = decision.scorers[0]!;
    expect(difference!.low!).toBeGreaterThan(-0.05);
    expect(score.low!).toBeGreaterThanOrEqual(0.7);
    expect(difference!.p_holds).toBeLessThanOrEqual(0.01);
  });

  it("fails where the upper bound of the difference lies below 0", () => {
    const decision = decideGate(
      gate([scorer(items(200, (i) => (i % 10 === 0 ? 0 : mixed(i)), mixed))], { rule: { ...rule, floor: 0 } }),
    );
    expect(decision.verdict).toBe("failed");
    expect(decision.reasons.map(({ code }) => code)).toEqual(["worse_than_deployed"]);
    expect(decision.scorers[0]!.difference!.high!).toBeLessThan(0);
    expect(decision.scorers[0]!.difference!.p_worse).toBeLessThanOrEqual(0.02);
  });

  it("fails where the upper bound of the score lies below the floor, though nothing is deployed", () => {
    const input = gate([scorer(items(60, (i) => (i % 2 === 0 ? 3 : 0)))], { compared: false });
    expect(decideGate(input)).toMatchObject({
      verdict: "failed",
      reasons: [{ code: "below_floor" }],
      scorers: [{ difference: null }],
    });
  });

  it("is inconclusive where neither is shown, and says what is missing", () => {
    const decision = decideGate(
      gate([
        scorer(
          items(30, (i) => mixed(i + 3), mixed),
          { floor: 0.78 },
        ),
      ]),
    );
    expect(decision.verdict).toBe("inconclusive");
    expect(decision.reasons.map(({ code }) => code)).toEqual(["drop_not_excluded", "floor_not_reached"]);
    expect(decision.reasons[0]!.text).toContain("30 independent items");
    expect(decision).toMatchObject({
      repeats_to_add: 3,
      next: { look: 2, repeats: 6, levels: { fail: 0.01, open: 0.005 } },
    });
    expect(decision.items_to_settle!).toBeGreaterThan(30);
  });

  it("fails when an item that must pass fails in most repeats, however good the rest is", () => {
    const list = (passed: number) =>
      items(200, (i) => (i === 7 ? passed : 3)).map((item, i) => (i === 7 ? { ...item, must_pass: true } : item));
    const decision = decideGate(gate([scorer(list(1))], { compared: false }));
    expect(decision).toMatchObject({
      verdict: "failed",
      reasons: [{ code: "must_pass_failed", item: "item-7", scorer: "exact" }],
    });
    expect(decision.reasons[0]!.text).toContain("2 of 3 repeats");
    expect(decideGate(gate([scorer(list(2))], { compared: false })).verdict).toBe("open");
    // Half of the repeats is not most of them.
    const half = [{ item: "a", must_pass: true, candidate: [1, 0] }, ...items(100, () => 3)];
    expect(decideGate(gate([scorer(half)], { compared: false })).verdict).toBe("open");
  });

  it("counts items of one cluster as one", () => {
    const alike = items(60, (i) => mixed(i + 3), mixed);
    const clustered = alike.map((item, index) => ({ ...item, cluster: String(Math.floor(index / 10)) }));
    expect(decideGate(gate([scorer(alike)])).n).toBe(60);
    expect(decideGate(gate([scorer(clustered)])).n).toBe(6);
  });

  it("ignores the deployed version's scores where nothing is compared", () => {
    const list = items(
      80,
      () => 3,
      () => 0,
    );
    expect(decideGate(gate([scorer(list)], { compared: false })).scorers[0]!.difference).toBeNull();
    expect(decideGate(gate([scorer(list)])).scorers[0]!.difference!.mean).toBe(1);
  });

  it("does not open where the deployed version was run on none of the items", () => {
    const decision = decideGate(gate([scorer(items(200, () => 3))]));
    expect(decision).toMatchObject({
      verdict: "inconclusive",
      reasons: [{ code: "not_compared" }],
      items_to_settle: null,
    });
  });

  it("compares only the items that both versions ran", () => {
    const list = [
      ...items(
        70,
        () => 3,
        () => 3,
      ),
      ...items(30, () => 0).map(({ candidate }, i) => ({ item: `new-${i}`, candidate })),
    ];
    const { score, difference } = decideGate(gate([scorer(list)])).scorers[0]!;
    expect([score.n, difference!.n]).toEqual([100, 70]);
    expect(difference!.mean).toBe(0);
  });

  it("knows nothing from one item, and says so", () => {
    const decision = decideGate(
      gate([
        scorer(
          items(
            1,
            () => 3,
            () => 3,
          ),
        ),
      ]),
    );
    expect(decision).toMatchObject({ verdict: "inconclusive", smallest_detectable_drop: null, items_to_settle: null });
    expect(new Set(decision.reasons.map(({ code }) => code))).toEqual(new Set(["too_few_items"]));
  });

  it("holds every version at a floor of 0, where nothing is asked", () => {
    expect(
      decideGate(gate([scorer(items(1, () => 0))], { compared: false, rule: { ...rule, floor: 0 } })).verdict,
    ).toBe("open");
  });
});

describe("several scorers", () => {
  const good = scorer(
    items(400, (i) => mixed(i + 3), mixed),
    { scorer: "good" },
  );
  /** Worse with a p-value between .005 and .02: enough alone, not among four. */
  const weak = scorer(
    items(400, (i) => (i % 6 === 0 ? Math.max(0, mixed(i + 3) - 1) : mixed(i + 3)), mixed),
    { scorer: "weak", floor: 0 },
  );

  it("must all hold for the gate to open", () => {
    const small = scorer(items(20, mixed, mixed), { scorer: "small", floor: 0 });
    expect(decideGate(gate([good])).verdict).toBe("open");
    expect(decideGate(gate([good, small]))).toMatchObject({
      verdict: "inconclusive",
      n: 20,
      reasons: [{ scorer: "small" }],
    });
  });

  it("fail the gate by any of them only beyond what Holm allows", () => {
    const p = decideGate(gate([weak])).scorers[0]!.difference!.p_worse;
    expect(p).toBeGreaterThan(0.005);
    expect(p).toBeLessThanOrEqual(0.02);
    expect(decideGate(gate([weak])).verdict).toBe("failed");
    const others = ["b", "c", "d"].map((name) => ({ ...good, scorer: name }));
    const among = decideGate(gate([weak, ...others]));
    expect(among.verdict).not.toBe("failed");
    expect(among.scorers[0]!.difference!.p_worse).toBeCloseTo(4 * p, 12);
  });

  it("fall below a floor only beyond what Holm allows", () => {
    const low = scorer(items(60, (i) => (i < 25 ? 0 : 3)));
    const perfect = scorer(
      items(60, () => 3),
      { scorer: "perfect" },
    );
    const p = decideGate(gate([low], { compared: false })).scorers[0]!.score.p_worse;
    const among = decideGate(gate([low, perfect], { compared: false }));
    expect(decideGate(gate([low], { compared: false })).verdict).toBe("failed");
    expect(among.verdict).not.toBe("failed");
    expect(among.scorers[0]!.score.p_worse).toBeCloseTo(2 * p, 12);
  });

  it("have floors of their own", () => {
    const list = items(80, (i) => (i % 4 === 0 ? 0 : 3));
    const input = (floor: number) => gate([scorer(list, { floor })], { compared: false });
    expect([0.9, 0.5].map((floor) => decideGate(input(floor)).verdict)).toEqual(["failed", "open"]);
    expect(decideGate(input(0.5)).scorers[0]!.floor).toBe(0.5);
  });
});

describe("reruns", () => {
  const grown = (repeats: number, drop: number, count = 200) =>
    scorer(
      Array.from({ length: count }, (_, index): GateItem => {
        const run = (shift: number, share: number) =>
          Array.from({ length: repeats }, (_, r) => ((index * 7 + r * 13 + shift) % 20 < 20 * share ? 1 : 0));
        return { item: String(index), candidate: run(3, 0.8 - drop), deployed: run(11, 0.8) };
      }),
      { floor: 0 },
    );
  const levelsOf = (decision: GateDecision) =>
    decision.looks.map(({ repeats, levels: { fail, open } }) => [repeats, fail, open]);

  it("are one test with the first run: each look is surer than all before leave room for", () => {
    const decision = decideGate(gate([grown(18, 0.04, 60)], { repeats: 18 }));
    expect(levelsOf(decision)).toEqual([
      [3, 0.02, 0.01],
      [6, 0.01, 0.005],
      [12, 0.015, 0.01],
      [15, 0.005 / 2, 0.002 / 2],
      [18, 0.005 / 6, 0.002 / 6],
    ]);
    expect(decision.next).toMatchObject({ look: 6, repeats: 21 });
  });

  it("never mend a version that failed, however well they go", () => {
    const failed = grown(3, 0.3);
    const mended = failed.items.map((item) => ({
      ...item,
      candidate: [...item.candidate, ...Array<number>(27).fill(1)],
      deployed: [...item.deployed!, ...Array<number>(27).fill(0)],
    }));
    const decision = decideGate(gate([{ ...failed, items: mended }], { repeats: 30 }));
    expect(decision).toMatchObject({
      verdict: "failed",
      next: null,
      repeats_to_add: 0,
      reasons: [{ code: "worse_than_deployed" }],
    });
    expect(decision.looks).toHaveLength(1);
  });

  it("never mend a version that failed where all repeats agreed, by one that differs", () => {
    const agreeing = items(60, (i) => (i < 35 ? 3 : 0));
    const first = decideGate(gate([scorer(agreeing)], { compared: false }));
    expect(first).toMatchObject({ verdict: "failed", looks: [{ levels: { fail: 0.045 } }] });
    expect(first.looks[0]!.p_worse).toBeGreaterThan(0.02);
    const rerun = agreeing.map((item, i) => ({
      ...item,
      candidate: [...item.candidate, ...(i === 35 ? [1, 0, 1] : item.candidate)],
    }));
    expect(decideGate(gate([scorer(rerun)], { compared: false, repeats: 6 }))).toMatchObject({
      verdict: "failed",
      looks: [{ repeats: 3 }],
    });
  });

  it("leave a gate open that has opened, until they show a drop", () => {
    const opened = grown(3, 0);
    const then = (passes: (index: number) => boolean): GateScorer => ({
      ...opened,
      items: opened.items.map(({ item, candidate, deployed }, index) => ({
        item,
        candidate: [...candidate, ...Array<number>(3).fill(passes(index) ? 1 : 0)],
        deployed: [...deployed!, ...Array<number>(3).fill((index + 2) % 5 < 4 ? 1 : 0)],
      })),
    });
    const [wavering, worse] = [(i: number) => i % 5 < 4, (i: number) => i % 2 === 0].map((passes) =>
      decideGate(gate([then(passes)], { repeats: 6 })),
    );
    expect(wavering).toMatchObject({ verdict: "open", looks: [{ verdict: "open" }, { verdict: "inconclusive" }] });
    expect(worse).toMatchObject({ verdict: "failed", looks: [{ verdict: "open" }, { verdict: "failed" }] });
  });

  it("are not judged before there are enough of them for the next look", () => {
    const decisions = [3, 4, 5].map((repeats) => decideGate(gate([grown(repeats, 0.04, 60)], { repeats })));
    expect(decisions.map(({ scorers }) => scorers[0]!.difference)).toEqual(
      Array(3).fill(decisions[0]!.scorers[0]!.difference),
    );
    expect(decisions.map(({ repeats_to_add }) => repeats_to_add)).toEqual([3, 2, 1]);
  });

  it("are not asked for when the budget is used up", () => {
    expect(decideGate(gate([grown(3, 0.04, 60)], { rule: { ...rule, max_repeats: 5 } }))).toMatchObject({
      verdict: "inconclusive",
      repeats_to_add: 0,
      next: { repeats: 6 },
    });
  });

  it("tell nothing when repeats agree: one look decides, and then only more items can tell", () => {
    const agreeing = items(
      30,
      (i) => (i % 5 === 0 ? 0 : 3),
      (i) => (i % 6 === 0 ? 0 : 3),
    );
    const decision = decideGate(gate([scorer(agreeing, { floor: 0 })]));
    expect(decision).toMatchObject({
      verdict: "inconclusive",
      repeats_to_add: 0,
      next: null,
      looks: [{ levels: { fail: 0.045, open: 0.025 } }],
    });
    const once = agreeing.map(({ item, candidate, deployed }) => ({
      item,
      candidate: candidate.slice(0, 1),
      deployed: deployed!.slice(0, 1),
    }));
    expect(
      decideGate(gate([scorer(once, { floor: 0 })], { repeats: 1, rule: { ...rule, repeats: 1 } })).repeats_to_add,
    ).toBe(1);
  });

  it("spend at most .05 on failing and .027 on opening, however many there are", () => {
    const spent = (of: "fail" | "open") =>
      Array.from({ length: 5_000 }, (_, look) => levelsAt(look + 1)[of]).reduce((sum, level) => sum + level, 0);
    expect(spent("fail")).toBeLessThanOrEqual(0.05);
    expect(spent("open")).toBeLessThanOrEqual(0.027);
  });

  it("judge an earlier look by the items that had been run by then", () => {
    const list = grown(6, 0, 100).items.map((item, i) =>
      i < 50 ? item : { ...item, candidate: item.candidate.slice(0, 3), deployed: item.deployed!.slice(0, 3) },
    );
    const decision = decideGate(gate([scorer(list, { floor: 0 })], { repeats: 6 }));
    expect(decision.looks.map(({ repeats }) => repeats)).toEqual([3, 6]);
    expect(decision).toMatchObject({ n: 100, repeats: 3 });
  });
});

describe("what a decision reports", () => {
  it("bounds the failures of a set without one by 3/n", () => {
    for (const n of [20, 100]) {
      const { failures } = decideGate(gate([scorer(items(n, () => 3))], { compared: false })).scorers[0]!;
      expect(failures.items).toBe(0);
      expect(failures.share_at_most).toBeCloseTo(1 - 0.05 ** (1 / n), 9);
      expect(failures.share_at_most * n).toBeCloseTo(3, 0);
    }
    const one = decideGate(gate([scorer(items(100, (i) => (i === 3 ? 2 : 3)))], { compared: false })).scorers[0]!
      .failures;
    expect(one.items).toBe(1);
    expect(one.share_at_most).toBeCloseTo(0.0466, 3); // Clopper and Pearson: 1 of 100
    expect(decideGate(gate([scorer(items(4, () => 0))], { compared: false })).scorers[0]!.failures).toEqual({
      items: 4,
      share_at_most: 1,
    });
  });

  it("names a drop that it would have seen: one as large fails, one that is less may not", () => {
    const base = items(200, (i) => mixed(i + 3), mixed);
    const drop = decideGate(gate([scorer(base, { floor: 0 })])).smallest_detectable_drop!;
    const lowered = (by: number) =>
      base.map((item, index) => ({
        ...item,
        candidate: item.candidate.map((score) => (index % 2 === 0 ? Math.max(0, score - 3 * by) : score)),
      }));
    expect(decideGate(gate([scorer(lowered(drop), { floor: 0 })])).verdict).toBe("failed");
    expect(decideGate(gate([scorer(lowered(drop / 6), { floor: 0 })])).verdict).not.toBe("failed");
  });

  it("names so many items as do settle it when they fall out alike", () => {
    const few = decideGate(gate([scorer(items(32, (i) => mixed(i + 3), mixed))]));
    expect(few.verdict).toBe("inconclusive");
    const needed = Math.ceil(few.items_to_settle! / 64) * 64;
    const many = decideGate(gate([scorer(items(needed, (i) => mixed(i + 3), mixed))]));
    expect(many.verdict).toBe("open");
    expect(many.items_to_settle!).toBeLessThanOrEqual(needed);
    const quarter = decideGate(gate([scorer(items(needed / 4, (i) => mixed(i + 3), mixed))]));
    expect(quarter.verdict).toBe("inconclusive");
    expect(Math.abs(quarter.items_to_settle! / few.items_to_settle! - 1)).toBeLessThan(0.1);
  });

  it("knows when no number of items would settle it", () => {
    // Exactly on the floor, with spread.
    const list = items(100, (i) => (i % 2 === 0 ? 3 : 0));
    expect(decideGate(gate([scorer(list, { floor: 0.5 })], { compared: false }))).toMatchObject({
      verdict: "inconclusive",
      items_to_settle: null,
    });
  });

  it("never opens and never fails by what it may be that was not shown", () => {
    const score = fc.constantFrom(0, 1, 0.5);
    const item = fc.record({
      candidate: fc.array(score, { minLength: 1, maxLength: 4 }),
      deployed: fc.array(score, { maxLength: 4 }),
    });
    fc.assert(
      fc.property(
        fc.array(item, { minLength: 1, maxLength: 40 }),
        fc.integer({ min: 1, max: 9 }),
        fc.boolean(),
        (list, repeats, compared) => {
          const named = list.map((one, index): GateItem => ({ item: String(index), ...one }));
          const decision = decideGate(gate([scorer(named)], { repeats, compared }));
          if (decision.looks.length > 1) return; // its figures are those of the newest look
          const { score: s, difference: d } = decision.scorers[0]!;
          // Every level asks for more than the bounds that are shown.
          if (decision.verdict === "open") {
            expect(s.low!).toBeGreaterThanOrEqual(0.7 - 1e-9);
            if (compared) expect(d!.low!).toBeGreaterThan(-0.05 - 1e-9);
          }
          if (decision.verdict === "failed") expect(s.high! < 0.7 + 1e-9 || d!.high! < 1e-9).toBe(true);
          expect(decision.reasons.length).toBeGreaterThan(0);
          expect(JSON.parse(JSON.stringify(decision))).toEqual(decision);
        },
      ),
    );
  });

  it("is the same for the same input", () => {
    const input = gate([scorer(items(40, mixed, (i) => mixed(i + 1)))]);
    expect(decideGate(input)).toEqual(decideGate(structuredClone(input)));
    expect(codes(input)).toEqual(codes(input));
  });
});

describe("an input without meaning", () => {
  const list = items(3, () => 3);
  const one = (over: Partial<GateItem>): GateItem => ({ item: "a", candidate: [1], ...over });

  it.each<[string, GateInput, string]>([
    ["a floor above 1", gate([scorer(list)], { rule: { ...rule, floor: 1.2 } }), "floor"],
    ["no repeats", gate([scorer(list)], { rule: { ...rule, repeats: 0 } }), "repeats"],
    ["a budget below the repeats", gate([scorer(list)], { rule: { ...rule, max_repeats: 2 } }), "max_repeats"],
    ["no pooled repeats", gate([scorer(list)], { repeats: 0 }), "pooled repeats"],
    ["no scorer", gate([]), "a decision needs a scorer"],
    ["no item", gate([scorer([])]), "exact needs an item"],
    ["a pass mark of 0", gate([scorer(list, { pass_at: 0 })]), "pass_at"],
    ["a floor of a scorer below 0", gate([scorer(list, { floor: -0.1 })]), "floor of exact"],
    ["an item twice", gate([scorer([one({}), one({})])]), "an item twice"],
    ["an item without a score", gate([scorer([one({ candidate: [] })])]), "the item a has no score"],
    ["a score above 1", gate([scorer([one({ candidate: [1.5] })])]), "scores of exact on the item a"],
    ["a score that is no number", gate([scorer([one({ deployed: [Number.NaN] })])]), "scores of exact on the item a"],
  ])("is refused by name: %s", (_, input, named) => {
    expect(() => decideGate(input)).toThrow(RangeError);
    expect(() => decideGate(input)).toThrow(named);
  });
});
