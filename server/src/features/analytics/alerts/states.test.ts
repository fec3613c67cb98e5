import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { beginning, longestGap, type Reading, readingOf, type Standing, stepAlert } from "./states.ts";

const minute = 60_000;
const readings = ["beyond", "between", "within", "no_data"] as const;
const looks = fc.array(
  fc.record({
    reading: fc.constantFrom<Reading>(...readings),
    after: fc.constantFrom(minute, minute, minute, 2 * minute, 20 * minute),
  }),
  { maxLength: 200 },
);

interface Seen {
  readonly at: number;
  readonly reading: Reading;
  readonly standing: Standing;
  readonly event: "fired" | "cleared" | null;
}

function run(sequence: readonly { reading: Reading; after: number }[], forMs: number): Seen[] {
  let [standing, at] = [beginning(0), 0];
  return sequence.map(({ reading, after }) => {
    at += after;
    const step = stepAlert(standing, reading, at, forMs);
    standing = step.standing;
    return { at, reading, ...step };
  });
}

/** How long every look up to this one saw the reading, without a gap. */
function heldFor(seen: readonly Seen[], index: number, reading: Reading): number {
  let from = index;
  while (
    from > 0 &&
    seen[from - 1]?.reading === reading &&
    (seen[from] as Seen).at - (seen[from - 1] as Seen).at <= longestGap
  )
    from--;
  return (seen[index] as Seen).at - (seen[from] as Seen).at;
}

describe("an alert", () => {
  const property = (check: (seen: readonly Seen[], forMs: number) => void) =>
    fc.assert(
      fc.property(looks, fc.integer({ min: 0, max: 6 }), (sequence, minutes) => {
        check(run(sequence, minutes * minute), minutes * minute);
      }),
    );

  it("fires once and clears once, in turn", () => {
    property((seen) => {
      const events = seen.flatMap(({ event }) => event ?? []);
      expect(events).toEqual(events.map((_, at) => (at % 2 === 0 ? "fired" : "cleared")));
    });
  });

  it("fires as soon as every look for long enough was beyond, and clears as soon as every one was within", () => {
    property((seen, forMs) => {
      seen.forEach(({ reading, event }, index) => {
        const before = seen[index - 1]?.standing.fired ?? false;
        const wanted = before ? "within" : "beyond";
        const due = reading === wanted && heldFor(seen, index, wanted) >= forMs;
        expect(event).toBe(due ? (before ? "cleared" : "fired") : null);
      });
    });
  });

  it("keeps what it is without data, and says so", () => {
    property((seen) => {
      seen.forEach(({ reading, standing, event }, index) => {
        expect(standing.state === "no_data").toBe(reading === "no_data");
        if (reading !== "no_data") return;
        expect(event).toBeNull();
        expect(standing.fired).toBe(seen[index - 1]?.standing.fired ?? false);
      });
    });
  });

  it("says since when it is in its state", () => {
    property((seen) => {
      seen.forEach(({ at, standing }, index) => {
        const before = seen[index - 1]?.standing;
        expect(standing.since).toBe(before?.state === standing.state ? before.since : at);
      });
    });
  });
});

describe("what a look says", () => {
  const looked = (value: number | null, n = 100, earlier: number[] = []) => ({ value, n, earlier });

  it("has room between firing and clearing, a tenth of the threshold by default", () => {
    const above = { kind: "above", threshold: 10 } as const;
    const read = (value: number) => readingOf(above, "cost_usd", looked(value), 0);
    expect([10.1, 10, 9.1, 9].map(read)).toEqual(["beyond", "between", "between", "within"]);
    const below = { kind: "below", threshold: 0.8, clear_at: 0.9 } as const;
    const share = (value: number) => readingOf(below, "accepted_rate", looked(value), 20);
    expect([0.79, 0.8, 0.89, 0.9].map(share)).toEqual(["beyond", "between", "between", "within"]);
  });

  it("is nothing where too few things, or none, were measured", () => {
    const below = { kind: "below", threshold: 5 } as const;
    expect(readingOf(below, "accepted_rate", looked(0.2, 19), 20)).toBe("no_data");
    expect(readingOf(below, "accepted_rate", looked(null), 0)).toBe("no_data");
    expect(readingOf(below, "tasks", looked(0, 0), 0)).toBe("beyond");
  });

  it("compares with earlier weeks, of which it needs some", () => {
    const anomaly = { kind: "anomaly", direction: "high", once_in: 1_000 } as const;
    const earlier = [9, 10, 11, 10, 12, 9, 10, 11, 10, 9, 11, 10];
    const read = (value: number, weeks = earlier) => readingOf(anomaly, "tasks", looked(value, value, weeks), 0);
    expect([10, 60].map((value) => read(value))).toEqual(["within", "beyond"]);
    expect(read(60, [10, 10])).toBe("no_data");
    expect(readingOf({ ...anomaly, direction: "low" }, "tasks", looked(60, 60, earlier), 0)).toBe("within");
  });
});
