import type { BundleFiles, BundleManifest } from "@aos/bundle";
import type { Scorecard } from "./words.ts";

type Json = Readonly<Record<string, unknown>>;

/** What the files of a bundle say, by kind of part. The names are the bundle's own; an install puts its suffix behind them. */
export interface BundleContents {
  readonly manifest: BundleManifest;
  readonly readme: string | null;
  /** `agent.yaml`, as `agents.createAgent` takes it. */
  readonly agent: Json | null;
  /** `training/<skill>.jsonl`. */
  readonly training: readonly { readonly skill: string; readonly file: string; readonly examples: readonly Json[] }[];
  /** `datasets.json` with `datasets/<name>.jsonl`. */
  readonly datasets: readonly {
    readonly name: string;
    readonly skill: string;
    readonly description: string;
    readonly data: string;
    readonly file: string;
    /** SHA-256 of the file with the items, in hexadecimal. */
    readonly digest: string;
    readonly items: readonly Json[];
  }[];
  /** `scorers.json`; each with its name, the rest as `evaluations.setScorer` takes it. */
  readonly scorers: readonly (Json & { readonly name: string })[];
  /** `gate.json`, as `evaluations.setGate` takes it. */
  readonly gate: Json | null;
  /** `knowledge/<base>.json`. */
  readonly bases: readonly {
    readonly name: string;
    readonly description: string;
    readonly language?: string;
    readonly file: string;
    readonly documents: readonly Json[];
  }[];
  /** `policies/<name>.json`, as `governance.createPolicy` takes it. */
  readonly policies: readonly { readonly file: string; readonly name: string; readonly policy: Json }[];
  /** `workflow.yaml`. */
  readonly workflow: Json | null;
  /** `tools.json`. */
  readonly tools: readonly (Json & { readonly name: string })[];
  readonly scorecard: Scorecard | null;
  /** `try.json`: tasks to try. */
  readonly trials: readonly Json[];
}

/**
 * Reads the files of a verified bundle. Throws `bundle_refused`, naming file and place, where a file that its kind needs is missing, a file has not its form, or
 * one does not belong into a bundle of this kind.
 */
export function readContents(_files: BundleFiles, _manifest: BundleManifest): BundleContents {
  throw new Error("not built yet");
}
