import type { BundleFiles, BundleManifest } from "@aos/bundle";
import type { ScanCounts } from "./words.ts";

/** What the static scan of a bundle found. */
export interface ScanResult {
  readonly counts: ScanCounts;
  /** SARIF 2.1.0. */
  readonly sarif: Readonly<Record<string, unknown>>;
  readonly tool_version: string;
}

declare module "../../kernel/slice.ts" {
  interface SlicePorts {
    /** Scans in a thread of its own, a few at a time. Throws `overloaded` where too many wait, and `bundle_refused` where it takes too long. */
    readonly bundleScanner: { scan(files: BundleFiles, manifest: BundleManifest): Promise<ScanResult> };
  }
}
