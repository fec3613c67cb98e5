import type { CallContext, WriteContext } from "../../kernel/context.ts";
import type { QueryContext, Reader } from "../../kernel/db.ts";
import type { ScorerFigures } from "../../kernel/gate/index.ts";
import { type GateConsequence, type GateState, gateConsequence, gateState } from "../../kernel/gate-table.ts";
import type { Statements } from "../../kernel/machines.ts";
import type { DatasetItem } from "./datasets/schemas.ts";
import {
  type DatasetRow,
  findDataset,
  findDatasets,
  readDatedItems,
  readItems,
  type StoredItem,
} from "./datasets/store.ts";
import { gateFacts } from "./gates/facts.ts";
import type { PinnedScorer } from "./gates/rules.ts";
import type { SetGateBody } from "./gates/schemas.ts";
import { findComparison, findGate } from "./gates/store.ts";
import { runFigures } from "./runs/measures.ts";
import { checkRun } from "./runs/seal.ts";
import { findRunOf, readScores } from "./runs/store.ts";
import type { ScorerRow } from "./scorers/rules.ts";
import type { SetScorerBody } from "./scorers/schemas.ts";
import { findScorers, findScorerVersions } from "./scorers/store.ts";

// Datasets, scorers and gates as another installation can use them: by name, in one version.

export type PortableDataset = Pick<DatasetRow, "id" | "name" | "agent" | "skill" | "description" | "version">;

/** As `addItems` takes them, without the tasks that they were made of. */
export async function readPortableItems(ctx: QueryContext, { id, version }: PortableDataset): Promise<DatasetItem[]> {
  return (await readItems(ctx, id, version)).map(portableItem);
}

const portableItem = ({ name, input, expected, must_pass, cluster, labels }: StoredItem): DatasetItem => ({
  item: name,
  input,
  ...(Object.keys(expected).length > 0 && { expected }),
  ...(must_pass && { must_pass }),
  ...(cluster !== null && { cluster }),
  ...(labels.length > 0 && { labels: [...labels] }),
});

export type PortableScorer = SetScorerBody & { readonly name: string };

const portableScorer = ({ name, definition, description, samples }: ScorerRow): PortableScorer => {
  const { kind, pointer, parameters, pass_at } = definition;
  return { name, kind, pointer, parameters, pass_at, description, samples };
};

export const findPortableScorers = async (ctx: QueryContext, names: readonly string[]): Promise<PortableScorer[]> =>
  (await findScorers(ctx, names)).map(portableScorer);

/** The gate of an agent, with what it judges by. */
export interface PortableGate {
  /** Without datasets and scorers, and without consequences, which each environment decides. */
  readonly rules: Omit<SetGateBody, "datasets" | "scorers" | "on_missing" | "table">;
  /** Pinned versions. */
  readonly datasets: readonly PortableDataset[];
  readonly scorers: readonly { readonly pin: PinnedScorer; readonly scorer: PortableScorer }[];
}

export async function findPortableGate(ctx: QueryContext, agent: string): Promise<PortableGate | undefined> {
  const gate = (await findGate(ctx, agent))?.definition;
  if (!gate) return undefined;
  const rows = new Map(
    (
      await findDatasets(
        ctx,
        gate.datasets.map((pin) => pin.dataset_id),
      )
    ).map((row) => [row.id, row]),
  );
  const scorers = new Map((await findScorerVersions(ctx, gate.scorers)).map((row) => [row.name, row]));
  const { floor, tolerance, repeats, max_repeats, lifetime_days, fail_closed } = gate;
  return {
    rules: {
      floor,
      tolerance,
      repeats,
      max_repeats,
      lifetime_days,
      ...(fail_closed && { fail_closed }),
    },
    datasets: gate.datasets.flatMap(({ dataset_id, version }) => {
      const row = rows.get(dataset_id);
      return row ? [{ ...row, version }] : [];
    }),
    scorers: gate.scorers.flatMap((pin) => {
      const row = scorers.get(pin.scorer);
      return row ? [{ pin, scorer: portableScorer(row) }] : [];
    }),
  };
}

/** Accepts runs of any age. */
const anyAge = 36_500;

/** Figures of the newest finished run of a version over a dataset version by these scorers, with at least so many repeats. Throws `result_not_intact` if its scores were changed in the database. */
export async function readMeasured(
  ctx: WriteContext & CallContext & { readonly db: Reader },
  versionId: string,
  dataset: PortableDataset,
  { scorers, repeats }: { readonly scorers: readonly PinnedScorer[]; readonly repeats: number },
): Promise<readonly ScorerFigures[]> {
  const set = { dataset_id: dataset.id, dataset_version: dataset.version };
  const run = await findRunOf(ctx, versionId, set, { finished: true, repeats, lifetime_days: anyAge });
  if (!run) return [];
  const scores = await readScores(ctx, run.id);
  checkRun(ctx, run, scores);
  const asked = run.scorers.filter((own) =>
    scorers.some((pin) => pin.scorer === own.scorer && pin.version === own.version),
  );
  return runFigures(asked, await readItems(ctx, dataset.id, dataset.version), scores);
}

export { authorsOfDataset, confirmableDataset, coverageOf, itemFaults, namedTwice } from "./datasets/rules.ts";
export { findDataset, type StoredItem } from "./datasets/store.ts";
export { type GateDefinition, gateFaults } from "./gates/rules.ts";
export { standingMonitor } from "./reviews/kind.ts";
export { dependentMonitors } from "./reviews/store.ts";
export { decidersOfRun } from "./runs/store.ts";
export { definitionOf as scorerDefinition, scoreOf, scorerFaults } from "./scorers/rules.ts";
export { findScorers } from "./scorers/store.ts";

/** From memory. */
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

/** From memory. */
export const gateOf = (...of: Parameters<typeof gateStanding>): GateConsequence => gateStanding(...of).consequence;

export const hasGate = (ctx: Pick<CallContext, "facts" | "scope">, agent: string): boolean =>
  ctx.facts.get(gateFacts).has(ctx.scope, agent);

interface KnownDataset {
  readonly dataset_id: string;
  readonly name: string;
  readonly agent: string;
  readonly skill: string;
  readonly version: number;
  readonly items: number;
}

/** By id or name. The caller checks that its agent may be seen. */
export async function findTrainingSet(
  ctx: Pick<CallContext, "scope"> & { readonly db: Pick<Reader, "query"> },
  reference: string,
): Promise<KnownDataset | undefined> {
  const set = await findDataset(ctx, reference);
  if (!set) return undefined;
  const { id: dataset_id, name, agent, skill, version, coverage } = set;
  return { dataset_id, name, agent, skill, version, items: coverage.items };
}

/** Keeps batches from the database small. */
const itemsAtOnce = 2_000;

/** In batches, in their order. `at`: when the item was added, in milliseconds since the epoch. */
export async function* readTrainingItems(db: Statements, organization: string, dataset: string, version: number) {
  for (let after: { place: number; name: string } | null = null; ; ) {
    const items = await readDatedItems(db, { organization, dataset, version, after, most: itemsAtOnce });
    yield items;
    const last = items.at(-1);
    if (!last || items.length < itemsAtOnce) return;
    after = { place: last.place, name: last.name };
  }
}

/** Why the open verdict was not drawn against the live version, and what follows from missing evidence. */
interface MissingComparison {
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
