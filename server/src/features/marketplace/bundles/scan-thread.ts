import { type BundleFiles, type BundleManifest, digestOf } from "@aos/bundle";
import { scanBundle, toSarif } from "@aos/bundle-scan";
import type { ScanCounts } from "../schema-words.ts";

const toolVersion = "0.1.0";

export interface ScanResult {
  readonly counts: ScanCounts;
  /** SARIF 2.1.0. */
  readonly sarif: Readonly<Record<string, unknown>>;
  readonly tool_version: string;
}

export interface Scanned {
  readonly files: BundleFiles;
  readonly manifest: BundleManifest;
}

export function scanInThread({ files, manifest }: Scanned): ScanResult {
  const findings = scanBundle(files, { ...manifest });
  const counts = { error: 0, warning: 0, note: 0 };
  for (const { level } of findings) counts[level]++;
  const digests = new Map([...files].map(([path, bytes]) => [path, digestOf(bytes)]));
  return { counts, sarif: { ...toSarif(findings, { toolVersion, digests }) }, tool_version: toolVersion };
}
