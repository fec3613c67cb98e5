import { all, select, sql } from "../../db/scoped.ts";
import { type InstallRow, partsOf, type StoredPart } from "./install-store.ts";
import type { Here } from "./listing-store.ts";
import { partKey } from "./plan-words.ts";

/** What is said of a part while its calls are made, and stays where the process died meanwhile. */
export const interrupted = {
  code: "interrupted",
  detail:
    "The call that makes it did not end. Repeat it with the same Idempotency-Key, or make what is missing by POST /v1/marketplace/installs/{install}/reset.",
};

/**
 * The parts of an install as they are stored. A part of which the call was cut off has no id there: what the installer made under its name since is that part.
 */
export async function knownParts(ctx: Here, row: InstallRow): Promise<readonly StoredPart[]> {
  const parts = partsOf(row);
  const unknown = parts.filter(({ id, problem }) => id === null && problem?.code === interrupted.code);
  const ids = new Map<string, string>();
  for (const [kind, find] of [["policy", findPolicies] as const, ["dataset", findDatasets] as const]) {
    const names = unknown.flatMap((part) => (part.kind === kind ? [part.name] : []));
    for (const { id, name } of names.length > 0 ? await find(ctx, row, names) : []) ids.set(`${kind}:${name}`, id);
  }
  return parts.map((part) => (unknown.includes(part) ? { ...part, id: ids.get(partKey(part)) ?? null } : part));
}

interface Found {
  readonly id: string;
  readonly name: string;
}

const findPolicies = (ctx: Here, row: InstallRow, names: readonly string[]): Promise<Found[]> => {
  const policies = select(ctx, "policies", "p")
    .select(["p.id", "p.name"])
    .where("p.name", "=", sql<string>`any(${names}::text[])`)
    .where("p.version", "=", 1)
    .where("p.author", "=", row.installed_by)
    .where("p.created_at", ">=", row.created_at);
  return all(ctx, policies.orderBy("p.id", "desc"));
};

const findDatasets = (ctx: Here, _row: InstallRow, names: readonly string[]): Promise<Found[]> => {
  const datasets = select(ctx, "datasets", "d").select(["d.id", "d.name"]);
  return all(ctx, datasets.where("d.name", "=", sql<string>`any(${names}::text[])`));
};
