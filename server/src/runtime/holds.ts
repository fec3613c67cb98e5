import type { RunProgress } from "./loop.ts";
import type { Lease, TaskRun, TaskRunnerPort } from "./port.ts";

export interface HoldWatcherOptions {
  readonly port: Pick<TaskRunnerPort, "holdOf">;
  readonly report: (error: unknown) => void;
  /** How often it looks (milliseconds, 100 by default). It looks into memory only. */
  readonly everyMs?: number;
}

/** Watches the runs of a process for stops and pauses. */
export interface HoldWatcher {
  /** Calls back once, when a stop ends the run or the call that it is in. Answers how to end the watch. */
  watch(lease: Lease, run: TaskRun, progress: RunProgress, stop: () => void): () => void;
}

interface Watched {
  readonly lease: Lease;
  readonly run: TaskRun;
  readonly progress: RunProgress;
  readonly stop: () => void;
}

/** Looks at all runs, in the middle of their steps too; a pause waits for the end of the step, which the run itself looks after. */
export function createHoldWatcher({ port, report, everyMs = 100 }: HoldWatcherOptions): HoldWatcher {
  const watched = new Set<Watched>();
  let timer: NodeJS.Timeout | undefined;

  const unwatch = (one: Watched): void => {
    watched.delete(one);
    if (watched.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
  const look = (): void => {
    for (const one of watched) {
      try {
        if (port.holdOf(one.lease, one.run, one.progress) !== "stop") continue;
        unwatch(one);
        one.stop();
      } catch (error) {
        report(error);
      }
    }
  };

  return {
    watch(lease, run, progress, stop) {
      const one: Watched = { lease, run, progress, stop };
      watched.add(one);
      timer ??= setInterval(look, everyMs);
      return () => unwatch(one);
    },
  };
}
