import type { BundleContents } from "./contents.ts";
import { type InstallRow, partsOf } from "./install-store.ts";
import { type PlannedCall, planInstall } from "./plan.ts";
import { bodiesDigest } from "./plan-calls.ts";

type Placed = Pick<InstallRow, "suffix" | "agent" | "parts">;

/**
 * The calls that make the parts of a bundle under the names that they have in an install. Datasets of which items went away have another name than a new install
 * would give them, and the gate names it.
 */
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

/** A call with other names of datasets. */
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
