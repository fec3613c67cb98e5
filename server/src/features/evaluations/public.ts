import type { CallContext } from "../../kernel/context.ts";
import type { Reader } from "../../kernel/db.ts";
import { findDataset, readItems } from "./dataset-store.ts";

// What other slices may ask of evaluations.

export { coverageOf } from "./dataset-model.ts";
export type { StoredItem } from "./dataset-store.ts";
export type { GateDefinition } from "./gate-rules.ts";

/** A case of a test set, as training takes it: an example is an item with what is expected of it. */
export interface KnownItem {
  readonly item: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** Empty where the item expects nothing. */
  readonly expected: Readonly<Record<string, unknown>>;
  readonly labels: readonly string[];
}

export interface KnownDataset {
  readonly dataset_id: string;
  readonly name: string;
  readonly agent: string;
  readonly skill: string;
  readonly version: number;
  readonly items: readonly KnownItem[];
}

/**
 * A test set with its items, by id or name: those of a version, or of the present one. Undefined where there is no such set or version. Whether the
 * caller may see the set's agent is the caller's to ask.
 */
export async function findDatasetItems(
  ctx: Pick<CallContext, "scope"> & { readonly db: Pick<Reader, "query"> },
  reference: string,
  version?: number,
): Promise<KnownDataset | undefined> {
  const set = await findDataset(ctx, reference);
  if (!set || (version !== undefined && (version < 1 || version > set.version))) return undefined;
  const items = await readItems(ctx.db, ctx.scope.organization, set.id, version ?? set.version);
  return {
    dataset_id: set.id,
    name: set.name,
    agent: set.agent,
    skill: set.skill,
    version: version ?? set.version,
    items: items.map(({ name, input, expected, labels }) => ({ item: name, input, expected, labels })),
  };
}
