import { type BundleFiles, type BundleManifest, digestOf } from "@aos/bundle";
import { scanBundle, toSarif } from "@aos/bundle-scan";
import type { ScanResult } from "./scanning.ts";

// What the scanner's threads call.

const toolVersion = "0.1.0";

/** What a thread is given to scan. */
export interface Scanned {
  readonly files: BundleFiles;
  readonly manifest: BundleManifest;
}

/** Scans a bundle by rules alone. */
export function scanInThread({ files, manifest }: Scanned): ScanResult {
  const findings = scanBundle(files, { ...manifest });
  const counts = { error: 0, warning: 0, note: 0 };
  for (const { level } of findings) counts[level]++;
  const digests = new Map([...files].map(([path, bytes]) => [path, digestOf(bytes)]));
  return { counts, sarif: { ...toSarif(findings, { toolVersion, digests }) }, tool_version: toolVersion };
}
