import { Worker } from "node:worker_threads";
import type { Trainer } from "./contract.ts";
import type { Errand, Report } from "./trainer-entry.ts";

/** A training that cannot be done as it was asked for. The message is for people: it says what to change. */
export class TrainingRefused extends Error {
  override readonly name = "TrainingRefused";
}

type Last = Extract<Report, { trained: unknown } | { examined: unknown }>;

/**
 * Trains and measures the built-in model, each time in a thread of its own that ends with it. Rejects with {@link TrainingRefused} where the examples teach
 * nothing, or an artifact cannot be read.
 */
export function createTrainer(): Trainer {
  return {
    async train(request, { signal, progress }) {
      const last = await runErrand({ kind: "train", request }, signal, progress);
      if (!("trained" in last)) throw new Error("a training ended without its result");
      progress(1, "done");
      return last.trained;
    },
    async evaluate(artifact, output, examples, yardstick) {
      const last = await runErrand({ kind: "evaluate", artifact, output, examples, yardstick }, null, () => undefined);
      if (!("examined" in last)) throw new Error("a measurement ended without its result");
      return last.examined;
    },
  };
}

function runErrand(
  errand: Errand,
  signal: AbortSignal | null,
  progress: (share: number, note: string) => void,
): Promise<Last> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const thread = new Worker(new URL("./trainer-entry.ts", import.meta.url), { workerData: errand });
    const settle = (act: () => void): void => {
      signal?.removeEventListener("abort", abort);
      void thread.terminate();
      act();
    };
    const abort = (): void => settle(() => reject(signal?.reason));
    signal?.addEventListener("abort", abort, { once: true });
    thread.on("message", (report: Report) => {
      if (signal?.aborted) return;
      if ("share" in report) progress(report.share, report.note);
      else if ("refused" in report) settle(() => reject(new TrainingRefused(report.refused)));
      else settle(() => resolve(report));
    });
    thread.on("error", (error) => settle(() => reject(error)));
    thread.on("exit", (code) => settle(() => reject(new Error(`the thread of a training ended with ${code}`))));
  });
}
