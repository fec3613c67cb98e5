import type { Operation } from "../../kernel/operation.ts";
import type { BundleContents } from "./contents.ts";
import type { PartKind, PlannedPart } from "./install-schemas.ts";

/** A call that makes one part of an install. Its place in the plan is its index in the batch. */
export interface PlannedCall {
  readonly kind: PartKind;
  /** Its name here, with the suffix. */
  readonly name: string;
  readonly file: string;
  readonly action: PlannedPart["action"];
  readonly operation: Operation;
  readonly params: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly ifMatch?: string;
  /** SHA-256 of what the part is when it is as in the bundle: what drift compares. */
  readonly digest: string;
}

/** What a part is called here. */
export interface PlanOptions {
  readonly suffix: string;
  /** For tool sets and datasets: the agent that gets them. */
  readonly agent: string | null;
}

/** The calls that make the parts of a bundle, in their order: bases, documents, agent, its version, datasets, scorers, gate, policies. */
export function planInstall(_contents: BundleContents, _options: PlanOptions): PlannedCall[] {
  throw new Error("not built yet");
}
