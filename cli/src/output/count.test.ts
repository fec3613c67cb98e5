import { expect, it } from "vitest";
import { counted } from "./count.ts";

it("a number stands with its noun in the singular or plural", () => {
  expect([0, 1, 2, 1200].map((count) => counted(count, "record"))).toEqual([
    "0 records",
    "1 record",
    "2 records",
    "1,200 records",
  ]);
});
