import { expect, it } from "vitest";
import { isOfMachine, isTransient, retryTransient } from "./transient.ts";

const coded = (code: string): Error => Object.assign(new Error("x"), { code });

it("tells faults of the database that pass from those that stay", () => {
  for (const code of ["40001", "40P01", "57014", "57P01", "53300", "08006", "ECONNRESET"])
    expect([code, isTransient(coded(code))]).toEqual([code, true]);
  const exhausted = new Error("timeout exceeded when trying to connect");
  for (const error of [
    exhausted,
    new Error("Connection terminated unexpectedly"),
    new Error("x", { cause: exhausted }),
  ])
    expect(isTransient(error)).toBe(true);
  for (const error of [coded("23505"), coded("42P01"), coded("provider_timeout"), new Error("broken file"), "text"])
    expect(isTransient(error)).toBe(false);
});

it("tells faults of the machine from those of the database", () => {
  for (const code of ["ENOSPC", "EMFILE", "ERR_WORKER_OUT_OF_MEMORY"]) expect(isOfMachine(coded(code))).toBe(true);
  for (const code of ["57014", "ECONNREFUSED"]) expect(isOfMachine(coded(code))).toBe(false);
  expect(isOfMachine(new Error("x", { cause: coded("ENOMEM") }))).toBe(true);
});

it("does work again after a transient fault, so often and no more", async () => {
  let calls = 0;
  const failing = (times: number, code: string) => async () => {
    if (++calls <= times) throw coded(code);
    return "done";
  };
  expect(await retryTransient(failing(2, "40001"), { tries: 3, pauseMs: 0 })).toBe("done");
  calls = 0;
  await expect(retryTransient(failing(3, "40001"), { tries: 3, pauseMs: 0 })).rejects.toMatchObject({ code: "40001" });
  calls = 0;
  await expect(retryTransient(failing(1, "23505"), { tries: 3, pauseMs: 0 })).rejects.toMatchObject({ code: "23505" });
  expect(calls).toBe(1);
});
