import { digestOf } from "@aos/bundle";
import type { SlicePorts } from "../../kernel/slice.ts";

const toolVersion = "0.1.0";

/** Scans bundles by the rules of `@aos/bundle-scan`, which are loaded with the first scan. */
export function createBundleScanner(): SlicePorts["bundleScanner"] {
  return {
    async scan(files, manifest) {
      const { scanBundle, toSarif } = await import("@aos/bundle-scan");
      const findings = scanBundle(files, { ...manifest });
      const counts = { error: 0, warning: 0, note: 0 };
      for (const { level } of findings) counts[level]++;
      const digests = new Map([...files].map(([path, bytes]) => [path, digestOf(bytes)]));
      const sarif = { ...toSarif(findings, { toolVersion, digests }) };
      return { counts, sarif, tool_version: toolVersion };
    },
  };
}
