import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createLeaseKeeper } from "./leases.ts";
import { type Lease, leaseTimes } from "./port.ts";

const scope = { organization: "default", environment: "development" } as const;
const lease = (owner: string): Lease => ({ scope, task: `tsk_${owner}`, owner });

/** A keeper over a database that knows these owners, under a stopped clock. */
function keeperOver(owners: Set<string>) {
  const asked: { owners: string[]; renew: boolean }[] = [];
  let broken = false;
  let paused: Promise<unknown> = Promise.resolve();
  const reported: unknown[] = [];
  const keeper = createLeaseKeeper({
    port: {
      async held(leases, renew) {
        if (broken) throw new Error("no database");
        await paused;
        asked.push({ owners: leases.map((one) => one.owner), renew });
        return new Set(leases.map((one) => one.owner).filter((owner) => owners.has(owner)));
      },
    },
    clock: { now: () => Date.now() },
    report: (error) => reported.push(error),
  });
  return {
    keeper,
    asked,
    reported,
    breakDatabase: () => (broken = true),
    pause: (until: Promise<unknown>) => (paused = until),
  };
}

describe("the keeper of leases", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("looks at all leases with one statement, and prolongs them every four seconds", async () => {
    const { keeper, asked } = keeperOver(new Set(["a", "b"]));
    const lost = vi.fn();
    keeper.hold(lease("a"), Date.now(), lost);
    keeper.hold(lease("b"), Date.now(), lost);
    await vi.advanceTimersByTimeAsync(60_000);
    keeper.stop();
    expect(asked.every(({ owners }) => owners.join() === "a,b")).toBe(true);
    expect(asked).toHaveLength(60_000 / leaseTimes.checkEvery);
    expect(asked.filter(({ renew }) => renew)).toHaveLength(60_000 / leaseTimes.renewEvery);
    expect(lost).not.toHaveBeenCalled();
  });

  it("says within a second that a lease is lost, once, and of that lease only", async () => {
    const owners = new Set(["a", "b"]);
    const { keeper, asked } = keeperOver(owners);
    const [lostA, lostB] = [vi.fn(), vi.fn()];
    keeper.hold(lease("a"), Date.now(), lostA);
    keeper.hold(lease("b"), Date.now(), lostB);
    await vi.advanceTimersByTimeAsync(3_000);
    owners.delete("a");
    await vi.advanceTimersByTimeAsync(1_000);
    expect(lostA).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(30_000);
    keeper.stop();
    expect(lostA).toHaveBeenCalledTimes(1);
    expect(lostB).not.toHaveBeenCalled();
    expect(asked.at(-1)?.owners).toEqual(["b"]);
  });

  it("counts a lease as lost that could not be prolonged for as long as it lasts", async () => {
    const { keeper, reported, breakDatabase } = keeperOver(new Set(["a"]));
    const lost = vi.fn();
    keeper.hold(lease("a"), Date.now(), lost);
    breakDatabase();
    await vi.advanceTimersByTimeAsync(leaseTimes.lasts - leaseTimes.checkEvery);
    expect(lost).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(leaseTimes.checkEvery);
    expect(lost).toHaveBeenCalledTimes(1);
    expect(reported.length).toBeGreaterThan(0);
    keeper.stop();
  });

  it("tells for how long the database has stood still, while it does and afterwards", async () => {
    const { keeper, pause } = keeperOver(new Set(["a"]));
    const goesOn = Promise.withResolvers<void>();
    keeper.hold(lease("a"), Date.now(), () => undefined);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(keeper.stalledMs()).toBe(0);
    pause(goesOn.promise);
    await vi.advanceTimersByTimeAsync(20_000);
    expect(keeper.stalledMs()).toBeGreaterThanOrEqual(18_500);
    goesOn.resolve();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(keeper.stalledMs()).toBeLessThanOrEqual(20_000);
    expect(keeper.stalledMs()).toBeGreaterThanOrEqual(18_500);
    keeper.stop();
  });

  it("asks nothing while it holds nothing", async () => {
    const { keeper, asked } = keeperOver(new Set(["a"]));
    const release = keeper.hold(lease("a"), Date.now(), () => undefined);
    release();
    await vi.advanceTimersByTimeAsync(5_000);
    const looked = asked.length;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(asked.length).toBe(looked);
    keeper.stop();
  });
});
