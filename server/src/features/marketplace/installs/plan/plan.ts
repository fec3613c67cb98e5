import type { BundleContents } from "../../bundles/contents.ts";
import { type InstallRow, partsOf } from "../store.ts";
import { agentParts, baseParts, policyParts, toolParts, workflowParts } from "./agent-parts.ts";
import { bodiesDigest, callsOf, type PlannedCall, type PlanOptions } from "./calls.ts";
import { datasetParts, gateParts, scorerParts, trainingParts } from "./evaluation-parts.ts";

/** All calls `create`, in the order bases, documents, agent, version, tools, datasets, scorers, gate, policies, workflow. Names and references get the suffix. */
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

/** The bundle's own agent, or the named one. */
export function agentOf(
  { agent }: Pick<BundleContents, "agent">,
  { suffix, agent: named }: PlanOptions,
): string | null {
  return agent ? `${agent.agent}${suffix}` : named;
}

type Placed = Pick<InstallRow, "suffix" | "agent" | "parts">;

/** Under the names that the parts of an install have. A dataset that lost items has another name, which the gate refers to. */
export function planHere(contents: BundleContents, install: Placed): PlannedCall[] {
  const { suffix, agent } = install;
  const plan = planInstall(contents, { suffix, agent: contents.agent ? null : agent });
  const named = new Map(partsOf(install).flatMap(({ kind, file, name }) => (kind === "dataset" ? [[file, name]] : [])));
  const renamed = new Map(
    plan.flatMap(({ kind, file, name }) => {
      const here = named.get(file);
      return kind === "dataset" && here !== undefined && here !== name ? [[name, here] as const] : [];
    }),
  );
  return renamed.size === 0 ? plan : plan.map((call) => withNames(call, renamed));
}

/** Renames datasets in a call. */
export function withNames(call: PlannedCall, names: ReadonlyMap<string, string>): PlannedCall {
  const here = (name: string): string => names.get(name) ?? name;
  const needs = call.needs.map((need) => (need.startsWith("dataset:") ? `dataset:${here(need.slice(8))}` : need));
  if (call.kind === "gate") {
    const { datasets, ...rest } = call.body as { datasets: string[] };
    const body = { ...rest, datasets: datasets.map(here) };
    return { ...call, needs, body, digest: bodiesDigest([body]) };
  }
  if (call.kind !== "dataset") return { ...call, needs };
  const { name, ...rest } = call.body as { name?: string };
  const body = name === undefined ? rest : { name: here(name), ...rest };
  const params = call.params.dataset === undefined ? call.params : { dataset: here(call.params.dataset) };
  return { ...call, needs, name: here(call.name), params, body };
}
