import { expect, it } from "vitest";
import { wordScore } from "./find.ts";

it("finds by the beginnings of words, every one of them, and not by letters that are scattered about", () => {
  const refund = ["Refund A-7802 · $240", "support", "refund_order", "critical risk"];
  const found = (sought: string) => wordScore(refund, sought) > 0;
  expect(
    ["refund", "REF 7802", "a-7802", "240", "critical", "refund_order", ""].filter((sought) => !found(sought)),
  ).toEqual([]);
  expect(["ld_1001", "fund", "refund 9", "rfd", "apr_01jd8x", "·"].filter(found)).toEqual([]);
  expect(wordScore(["Tasks"], "tasks")).toBeGreaterThan(wordScore(["Tasksheet"], "tasks"));
});
