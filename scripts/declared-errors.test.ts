import { describe, expect, it } from "vitest";
import { compareErrors } from "./declared-errors.ts";

describe("the declared errors of operations", () => {
  it("are faults of the run where no test provokes them", () => {
    expect(
      compareErrors(
        ["tasks.cancelTask not_found", "tasks.cancelTask task_ended"],
        new Set(["tasks.cancelTask not_found"]),
        [],
      ),
    ).toEqual(["no test provokes tasks.cancelTask task_ended: add one beside the operation"]);
  });

  it("may be excepted only while they are declared and not provoked", () => {
    const declared = ["a.b one", "a.b two"];
    expect(compareErrors(declared, new Set(["a.b one"]), ["a.b two"])).toEqual([]);
    expect(compareErrors(declared, new Set(["a.b one", "a.b two"]), ["a.b two", "a.b three"])).toEqual([
      expect.stringContaining("a.b two is provoked or no longer declared"),
      expect.stringContaining("a.b three is provoked or no longer declared"),
    ]);
  });
});
