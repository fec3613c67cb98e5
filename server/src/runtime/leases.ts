import type { Clock } from "../kernel/clock.ts";
import { type Lease, leaseTimes, type TaskRunnerPort } from "./port.ts";

export interface LeaseKeeperOptions {
  readonly port: Pick<TaskRunnerPort, "held">;
  readonly clock: Clock;
  readonly report: (error: unknown) => void;
}

/** Keeps the leases of a process's running tasks. */
export interface LeaseKeeper {
  /** Watches a lease that was taken at `since`; calls back once, when it is lost. Answers how to end the watch. */
  hold(lease: Lease, since: number, lost: () => void): () => void;
  /** For how long the process or its database has stood still so far, as looks at leases tell (milliseconds). */
  stalledMs(): number;
  stop(): void;
}

/** A look that is later than this has waited for a process or a database that stood still (milliseconds). */
const lateFromMs = 1_000;

interface Held {
  readonly lease: Lease;
  /** Until when this process may believe that it holds the lease. */
  until: number;
  readonly lost: () => void;
}

/**
 * Looks at all leases with one statement twice a second and prolongs them every four. A lease that another holds, or whose task was cancelled, is
 * lost at once; one that could not be prolonged is lost when its time is over, so that a process without a database stops by itself.
 */
export function createLeaseKeeper({ port, clock, report }: LeaseKeeperOptions): LeaseKeeper {
  const held = new Map<string, Held>();
  let timer: NodeJS.Timeout | undefined;
  let renewedAt = clock.now();
  let stopped = false;
  let stalled = 0;
  let expected = Number.POSITIVE_INFINITY;

  /** What a look that was due at `expected` is late by. */
  const late = (): number => Math.max(0, clock.now() - expected - lateFromMs);
  const lose = (one: Held): void => {
    if (held.delete(one.lease.owner)) one.lost();
  };
  const look = async (): Promise<void> => {
    const asked = clock.now();
    stalled += late();
    expected = asked;
    const renew = asked - renewedAt >= leaseTimes.renewEvery;
    const watched = [...held.values()];
    try {
      const owners = await port.held(
        watched.map((one) => one.lease),
        renew,
      );
      if (renew) renewedAt = asked;
      for (const one of watched) {
        if (!owners.has(one.lease.owner)) lose(one);
        else if (renew) one.until = asked + leaseTimes.lasts;
      }
    } catch (error) {
      report(error);
    }
    for (const one of watched) if (one.until <= clock.now()) lose(one);
  };
  const schedule = (): void => {
    if (stopped || timer !== undefined || held.size === 0) return;
    timer = setTimeout(() => {
      void look().finally(() => {
        stalled += late();
        expected = Number.POSITIVE_INFINITY;
        timer = undefined;
        schedule();
      });
    }, leaseTimes.checkEvery);
    expected = clock.now() + leaseTimes.checkEvery;
  };

  return {
    hold(lease, since, lost) {
      const one: Held = { lease, until: since + leaseTimes.lasts, lost };
      held.set(lease.owner, one);
      schedule();
      return () => void held.delete(lease.owner);
    },
    stalledMs: () => stalled + late(),
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
