import type { CallContext } from "../../kernel/context.ts";
import type { Reader } from "../../kernel/db.ts";
import { type GateConsequence, type GateState, gateConsequence, gateState } from "../../kernel/gate-table.ts";
import type { Statements } from "../../kernel/machines.ts";
import { findDataset, readDatedItems } from "./dataset-store.ts";
import { gateFacts } from "./facts.ts";
import { findComparison } from "./gate-store.ts";

// What other slices may ask of evaluations.

export { authorsOfDataset, confirmableDataset } from "./dataset-content.ts";
export { coverageOf, itemFaults, namedTwice } from "./dataset-model.ts";
export { findDataset, type StoredItem } from "./dataset-store.ts";
export { dependentMonitors } from "./dependents.ts";
export { type GateDefinition, gateFaults } from "./gate-rules.ts";
export { standingMonitor } from "./monitor-kind.ts";
export {
  findPortableGate,
  findPortableScorers,
  type PortableDataset,
  type PortableGate,
  type PortableScorer,
  readMeasured,
  readPortableItems,
} from "./portable.ts";
export { decidersOfRun } from "./run-store.ts";
export { definitionOf as scorerDefinition, scoreOf, scorerFaults } from "./scorer-model.ts";
export { findScorers } from "./scorer-store.ts";

/** The gate of an agent's version in the call's environment, and what follows from it. From memory. */
export function gateStanding(
  ctx: Pick<CallContext, "facts" | "scope" | "now">,
  agent: string,
  version: string,
): { readonly state: GateState; readonly consequence: GateConsequence; readonly reasons: readonly string[] } {
  const gates = ctx.facts.get(gateFacts);
  const known = gates.of(ctx.scope, version);
  const state = gateState(known, ctx.now);
  const consequence = gateConsequence(ctx.scope.environment, gates.overrideOf(ctx.scope, agent), state);
  return { state, consequence, reasons: known?.reasons ?? [] };
}

/** What follows from the gate of an agent's version in the call's environment, from memory. */
export const gateOf = (...of: Parameters<typeof gateStanding>): GateConsequence => gateStanding(...of).consequence;

/** Whether an agent has a gate in the call's environment, from memory. */
export const hasGate = (ctx: Pick<CallContext, "facts" | "scope">, agent: string): boolean =>
  ctx.facts.get(gateFacts).has(ctx.scope, agent);

export interface KnownDataset {
  readonly dataset_id: string;
  readonly name: string;
  readonly agent: string;
  readonly skill: string;
  readonly version: number;
  /** How many items its present version has. */
  readonly items: number;
}

/** A dataset by id or name. Whether the caller may see the set's agent is the caller's to ask. */
export async function findTrainingSet(
  ctx: Pick<CallContext, "scope"> & { readonly db: Pick<Reader, "query"> },
  reference: string,
): Promise<KnownDataset | undefined> {
  const set = await findDataset(ctx, reference);
  if (!set) return undefined;
  const { id: dataset_id, name, agent, skill, version, coverage } = set;
  return { dataset_id, name, agent, skill, version, items: coverage.items };
}

/** Items that are read at a time, so that what the database sends stays small. */
const itemsAtOnce = 2_000;

/** The items of a version of a set, part by part in their order. `at`: when the item was added, in milliseconds since the epoch. */
export async function* readTrainingItems(db: Statements, organization: string, dataset: string, version: number) {
  for (let after: { place: number; name: string } | null = null; ; ) {
    const items = await readDatedItems(db, { organization, dataset, version, after, most: itemsAtOnce });
    yield items;
    const last = items.at(-1);
    if (!last || items.length < itemsAtOnce) return;
    after = { place: last.place, name: last.name };
  }
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
    reason: `its open verdict was drawn while ${then}, and it was not compared with version ${live.number}, which is live now; run a dataset of the gate again with it to have them compared`,
    consequence: gateConsequence(
      ctx.scope.environment,
      ctx.facts.get(gateFacts).overrideOf(ctx.scope, version.agent),
      "missing",
    ),
  };
}
