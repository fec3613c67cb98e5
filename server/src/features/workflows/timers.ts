import type { Clock } from "../../kernel/clock.ts";
import type { Scope } from "../../kernel/principal.ts";

/** Timers of runs in this process. They hold no place of the queue and no connection. */
export interface Timers {
  /** Has a run looked at when it is due (milliseconds since the epoch). A second timer for the same moment is none. */
  set(scope: Scope, run: string, at: number): void;
}

export function createTimers(clock: Clock, look: (scope: Scope, run: string) => Promise<void>): Timers {
  const running = new Set<string>();
  return {
    set(scope, run, at) {
      const key = `${scope.organization} ${scope.environment} ${run} ${at}`;
      if (running.has(key)) return;
      running.add(key);
      // A timer may fire a moment before its time by the clock.
      const fire = (): void => {
        const left = at - clock.now();
        if (left > 0) return void setTimeout(fire, Math.ceil(left)).unref();
        running.delete(key);
        look(scope, run).catch(() => undefined); // reported where it failed; the sweep finds the run due
      };
      setTimeout(fire, Math.ceil(at - clock.now())).unref();
    },
  };
}
