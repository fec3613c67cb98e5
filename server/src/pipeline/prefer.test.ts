import { expect, it } from "vitest";
import { asksToWait, secondsToWait } from "./prefer.ts";

it.each([
  [null, 0],
  ["", 0],
  ["wait=10", 10],
  ["wait=0", 0],
  ["Wait = 10", 10],
  ['wait="10"', 10],
  ["wait=600", 60],
  ["wait=99999999999999999999", 0],
  ["wait=-1", 0],
  ["wait=1.5", 0],
  ["wait=ten", 0],
  ["wait", 0],
  ["waiting=5", 0],
  ["return=minimal, respond-async, wait=7", 7],
  ["wait=7;foo=bar", 7],
  ["wait=7, wait=9", 7],
])("Prefer: %j makes a call wait for %d s at most", (prefer, seconds) => {
  expect(secondsToWait(prefer)).toBe(seconds);
});

it("knows a call that asks to wait, so that it takes no place of those that work", () => {
  const asks = (prefer: string | null, query: string): boolean => asksToWait({ prefer, query });
  expect([asks("wait=5", ""), asks(null, "wait=30"), asks(null, "x=1&wait=05")]).toEqual([true, true, true]);
  expect([asks(null, ""), asks("wait=0", "wait=0"), asks(null, "await=5"), asks(null, "wait=")]).toEqual([
    false,
    false,
    false,
    false,
  ]);
});
