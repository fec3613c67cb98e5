import type { InstallCallId } from "./install-calls.ts";
import type { PartKind, PlannedPart } from "./install-schemas.ts";

/** One call of an install. Its place in the plan is its index in the batch. Several calls may make one part, such as many documents. */
export interface PlannedCall {
  readonly kind: PartKind;
  /** The part's name here, with the suffix. Documents have the name of their base, versions and gates that of their agent. */
  readonly name: string;
  readonly file: string;
  /** `keep` makes no call. */
  readonly action: PlannedPart["action"];
  readonly operation: InstallCallId;
  readonly params: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly ifMatch?: string;
  /** Keys of parts (`partKey`) without which the call is not tried. */
  readonly needs: readonly string[];
  /** SHA-256, in hexadecimal, of the canonical JSON of the bodies of all calls that make the part: what the bundle holds, as it was asked for here. */
  readonly digest: string;
  /** Id of a part that is there already, where it has one. */
  readonly id?: string | null;
}

/** What a part is called here. */
export interface PlanOptions {
  readonly suffix: string;
  /** For tool sets and datasets: the agent that gets them. */
  readonly agent: string | null;
}

/** What names a part within an install. */
export const partKey = ({ kind, name }: { readonly kind: PartKind; readonly name: string }): string =>
  `${kind}:${name}`;
