import type { CallContext } from "../../kernel/context.ts";
import type { Reader } from "../../kernel/db.ts";
import { type GateConsequence, gateConsequence } from "../../kernel/gate-table.ts";
import { findDataset, readItems } from "./dataset-store.ts";
import { gateFacts } from "./facts.ts";
import { findComparison } from "./gate-store.ts";

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

/** That the open verdict on a version says nothing of the version that is live: why, and what follows here from missing evidence. */
export interface MissingComparison {
  readonly reason: string;
  readonly consequence: GateConsequence;
}

/**
 * Whether a version that is to take the place of the live one has an open verdict that was drawn against another version, or when none was live:
 * whether it is worse than what it replaces is unknown. Undefined where it was compared with the live one, or no open verdict is in force. While the
 * caller has locked the agent's row, no other version goes live.
 */
export async function findMissingComparison(
  ctx: CallContext & { readonly db: Pick<Reader, "query"> },
  version: { readonly agent: string; readonly id: string },
  live: { readonly id: string; readonly number: number },
): Promise<MissingComparison | undefined> {
  const drawn = await findComparison(ctx, version.id, ctx.now);
  if (drawn === undefined || drawn?.id === live.id) return undefined;
  const then = drawn === null ? "no version was live" : `version ${drawn.number} was live`;
  return {
    reason: `its open verdict was drawn while ${then}, and it was not compared with version ${live.number}, which is live now; run a test set of the gate again with it to have them compared`,
    consequence: gateConsequence(ctx.scope.environment, ctx.facts.get(gateFacts).overrideOf(ctx.scope, version.agent), "missing"),
  };
}
