import type { BundleContents } from "./contents.ts";
import { agentParts, baseParts, policyParts, toolParts, workflowParts } from "./plan-agent.ts";
import { callsOf } from "./plan-calls.ts";
import { datasetParts, gateParts, scorerParts, trainingParts } from "./plan-evaluation.ts";
import type { PlannedCall, PlanOptions } from "./plan-words.ts";

export { type PlannedCall, type PlanOptions, partKey } from "./plan-words.ts";

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
