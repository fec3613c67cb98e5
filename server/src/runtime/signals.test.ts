import { describe, expect, it } from "vitest";
import { leaseTimes } from "./port.ts";
import { orAborted } from "./signals.ts";

describe("waiting for work that may be aborted", () => {
  it("throws the reason, and not what the work itself comes to", async () => {
    const controller = new AbortController();
    for (let n = 0; n < 20; n++) expect(await orAborted(controller.signal, Promise.resolve(n))).toBe(n);
    controller.abort(new Error("over"));
    // The work's own failure comes too late to matter; left alone, it would end the process.
    await expect(orAborted(controller.signal, Promise.reject(new Error("late")))).rejects.toThrow("over");
  });

  it("renews a lease well before it lapses, and looks often enough to stop within two seconds", () => {
    expect(leaseTimes.renewEvery * 2).toBeLessThan(leaseTimes.lasts);
    expect(leaseTimes.checkEvery).toBeLessThanOrEqual(1_000);
  });
});
