import { Worker } from "node:worker_threads";
import type { Sequenced, SequencerLog, Stopped } from "./progress.ts";
import type { Sequencer, SequencerStatus } from "./sequencer.ts";
import type { Order, Report, ThreadData } from "./sequencer-entry.ts";

/** Milliseconds before a thread that died is started again. */
const restartAfter = 500;

/**
 * The sequencer in a thread of its own. It reads, hashes and indexes every record that calls write, and would hold up the calls of the
 * process if it shared their thread: measured as a seventh of its time under load.
 */
export interface SequencerThreadOptions extends ThreadData {
  readonly log: SequencerLog;
}

/** Starts the thread; it works from `start` on. A thread that dies is started again: what it had not committed is still waiting in the database. */
export function createSequencerThread(options: SequencerThreadOptions): Sequencer {
  const { log, ...data } = options;
  const sequenced = createListeners<Sequenced>();
  const stopped = createListeners<Stopped>();
  let status: SequencerStatus = { connected: false, leading: [], leaves: 0 };
  let thread: Worker | null = null;
  let woken = false;
  let stopping = false;

  const hear = (report: Report): void => {
    if ("level" in report) {
      log[report.level](report.message);
      return;
    }
    if ("stopped" in report) {
      stopped.tell(report.stopped);
      return;
    }
    status = report.status;
    sequenced.tell(report.sequenced);
  };
  const order = (message: Order): void => thread?.postMessage(message);
  const launch = (): void => {
    thread = new Worker(new URL("./sequencer-entry.ts", import.meta.url), {
      workerData: data satisfies ThreadData,
      // Batches of records come and go: a young generation of this size costs it no time, and the default would take a hundred megabytes.
      resourceLimits: { maxYoungGenerationSizeMb: 24 },
    });
    thread.on("message", hear);
    thread.on("error", (error) => log.error(`The thread of the audit log's sequencer ended: ${error.message}`));
    thread.on("exit", () => {
      thread = null;
      if (!stopping) setTimeout(relaunch, restartAfter).unref();
    });
    order("start");
  };

  const relaunch = (): void => {
    if (!thread && !stopping) launch();
  };

  return {
    start: relaunch,
    async stop() {
      stopping = true;
      const running = thread;
      if (!running) return;
      const exited = new Promise((resolve) => running.once("exit", resolve));
      order("stop");
      await exited;
    },
    wake(scope) {
      if (woken) return; // one message for all commits of a turn
      woken = true;
      setImmediate(() => {
        woken = false;
        order({ wake: scope ?? null });
      });
    },
    onSequenced: sequenced.add,
    onStopped: stopped.add,
    status: () => status,
  };
}

function createListeners<T>() {
  const callbacks = new Set<(value: T) => void>();
  return {
    tell(value: T): void {
      for (const callback of callbacks) callback(value);
    },
    add(callback: (value: T) => void): () => void {
      callbacks.add(callback);
      return () => void callbacks.delete(callback);
    },
  };
}
