import fc from "fast-check";
import { expect, it } from "vitest";
import { type CallMade, compareSides, type SideEnd } from "./rules.ts";

const end = (more: Partial<SideEnd> = {}): SideEnd => ({
  status: "completed",
  output: { refund: 10, note: "x" },
  failure: null,
  calls: [],
  ...more,
});
const call = (effect: CallMade["effect"], tool: string, given: object = {}): CallMade => ({
  tool,
  effect,
  arguments: { ...given },
});

it("finds the same output the same, whatever was read on the way", () => {
  const read = end({ calls: [call("read", "get_lead"), call("read", "search")] });
  expect(compareSides(end(), read)).toEqual({ up_to: "end", same: true, differences: [] });
});

it("names the fields of the output that differ, those that one side lacks included", () => {
  const { same, differences } = compareSides(end(), end({ output: { refund: 12, "a/b": 1, note: "x" } }));
  expect(same).toBe(false);
  expect(differences).toEqual([
    { pointer: "/output/a~1b", live: null, shadow: 1 },
    { pointer: "/output/refund", live: 10, shadow: 12 },
  ]);
});

it("compares no further than the first write: what comes after it nobody knows", () => {
  const live = end({ calls: [call("write", "pay", { amount: 10 }), call("write", "tell")] });
  const shadow = end({ calls: [call("read", "look"), call("write", "pay", { amount: 10 })], output: { refund: 99 } });
  expect(compareSides(live, shadow)).toEqual({ up_to: "write", same: true, differences: [] });
  const other = end({ calls: [call("write", "pay", { amount: 11 })] });
  expect(compareSides(live, other).differences).toEqual([{ pointer: "/write/arguments/amount", live: 10, shadow: 11 }]);
});

it("finds a write that only one side makes different, and says which", () => {
  const live = end({ calls: [call("write", "pay")] });
  expect(compareSides(live, end()).differences).toEqual([{ pointer: "/write/tool", live: "pay", shadow: null }]);
  expect(compareSides(end(), live).differences).toEqual([{ pointer: "/write/tool", live: null, shadow: "pay" }]);
});

it("compares a failure by its code", () => {
  const failed = (code: string) => end({ status: "failed", output: null, failure: code });
  expect(compareSides(failed("step_limit"), failed("step_limit")).same).toBe(true);
  expect(compareSides(failed("step_limit"), failed("no_output")).differences[0]?.pointer).toBe("/failure");
  expect(compareSides(end(), failed("no_output")).differences[0]?.pointer).toBe("/status");
});

it("finds no difference between a side and itself, and the same ones from either side", () => {
  const calls = fc.array(
    fc.record({
      tool: fc.constantFrom("a", "b"),
      effect: fc.constantFrom("read" as const, "write" as const),
      arguments: fc.dictionary(fc.constantFrom("x", "y"), fc.integer()),
    }),
    { maxLength: 4 },
  );
  const side = fc.record<SideEnd>({
    status: fc.constantFrom("completed", "failed"),
    output: fc.option(fc.dictionary(fc.constantFrom("p", "q"), fc.integer())),
    failure: fc.option(fc.constantFrom("f", "g")),
    calls,
  });
  fc.assert(
    fc.property(side, side, (one, other) => {
      expect(compareSides(one, one).same).toBe(true);
      const [there, back] = [compareSides(one, other), compareSides(other, one)];
      expect(back.differences.map(({ pointer }) => pointer)).toEqual(there.differences.map(({ pointer }) => pointer));
      expect(back.same).toBe(there.same);
    }),
  );
});
