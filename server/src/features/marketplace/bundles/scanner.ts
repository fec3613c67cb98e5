import { availableParallelism } from "node:os";
import type { BundleFiles, BundleManifest } from "@aos/bundle";
import { refuse } from "../../../kernel/errors.ts";
import { definePort } from "../../../kernel/port.ts";
import { overloaded } from "../../../kernel/problems.ts";
import { Threads, TookTooLong } from "../../../kernel/threads.ts";
import { bundleRefused } from "../errors.ts";
import type { Scanned, ScanResult } from "./scan-thread.ts";

export interface BundleScanner {
  /** In a thread of its own, a few at a time. Throws `overloaded` if too many wait, and `bundle_refused` if it takes too long. */
  scan(files: BundleFiles, manifest: BundleManifest): Promise<ScanResult>;
}
export const bundleScanner = definePort<BundleScanner>("bundle scanner");

export interface ScannerOptions {
  /** Parallel scans. Default: two if there are processors for them. */
  readonly atOnce?: number;
  /** Queued scans. */
  readonly waiting?: number;
  /** Milliseconds for one scan: 16 MB, the most that a bundle may unpack to, take about 9 s of one core. */
  readonly patience?: number;
}

const atOnceHere = Math.min(2, Math.max(1, availableParallelism() - 1));

/** Threads start with the first scan and end with `close`. */
export function createBundleScanner({
  atOnce = atOnceHere,
  waiting = 8,
  patience = 20_000,
}: ScannerOptions = {}): BundleScanner & { close(): Promise<void> } {
  const threads = new Threads(atOnce);
  let open = 0;
  const scan = async (given: Scanned): Promise<ScanResult> => {
    if (open >= atOnce + waiting) throw tooMany(open);
    open++;
    try {
      return await threads.run<ScanResult>(
        new URL("./scan-thread.ts", import.meta.url),
        "scanInThread",
        given,
        patience,
      );
    } catch (error) {
      throw error instanceof TookTooLong ? tookTooLong(patience) : error;
    } finally {
      open--;
    }
  };
  return { scan: (files, manifest) => scan({ files, manifest }), close: () => threads.close() };
}

const tooMany = (open: number): Error =>
  refuse(overloaded, `${open} bundles are being scanned or wait for it; try again in a few seconds.`, {
    headers: { "Retry-After": "10" },
  });

function tookTooLong(patience: number): Error {
  const detail = `The scan of the bundle took longer than ${patience / 1000} seconds. Split the bundle, or leave out large documents and datasets.`;
  return refuse(bundleRefused, detail, { members: { fault: "scan_too_long" } });
}
