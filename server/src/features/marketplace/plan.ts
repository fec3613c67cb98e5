import type { BundleContents } from "./contents.ts";
import type { InstallCallId } from "./install-calls.ts";
import type { PartKind, PlannedPart } from "./install-schemas.ts";
import { agentParts, baseParts, policyParts, toolParts, workflowParts } from "./plan-agent.ts";
import { callsOf } from "./plan-calls.ts";
import { datasetParts, gateParts, scorerParts, trainingParts } from "./plan-evaluation.ts";

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

/**
 * The calls that make the parts of a bundle, all `create`, in their order: bases, documents, agent, its version, tools, datasets, scorers, gate, policies,
 * workflow. Names get the suffix, and what refers to them does.
 */
export function planInstall(contents: BundleContents, options: PlanOptions): PlannedCall[] {
  const agent = agentOf(contents, options);
  const parts = [
    ...baseParts(contents, options),
    ...agentParts(contents, options),
    ...(agent === null ? [] : toolParts(contents, agent)),
    ...(agent === null ? [] : [...trainingParts(contents, agent), ...datasetParts(contents, options, agent)]),
    ...scorerParts(contents, options),
    ...(agent === null ? [] : gateParts(contents, options, agent)),
    ...policyParts(contents, options),
    ...workflowParts(contents, options),
  ];
  return parts.flatMap(callsOf);
}

/** The agent that the parts of a bundle are about: its own, or the one that was named. */
export function agentOf(
  { agent }: Pick<BundleContents, "agent">,
  { suffix, agent: named }: PlanOptions,
): string | null {
  return agent ? `${agent.agent}${suffix}` : named;
}
