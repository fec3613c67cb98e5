import type { CallContext, WriteContext } from "../../kernel/context.ts";
import type { Reader } from "../../kernel/db.ts";
import type { ScorerFigures } from "../../kernel/gate/index.ts";
import { type DatasetRow, findDatasets, type Here, readItems, type StoredItem } from "./dataset-store.ts";
import type { DatasetItem } from "./datasets-schemas.ts";
import type { PinnedScorer } from "./gate-rules.ts";
import { findGate } from "./gate-store.ts";
import type { SetGateBody } from "./gates-schemas.ts";
import { runFigures } from "./measures.ts";
import { readScores } from "./result-store.ts";
import { checkRun } from "./run-seal.ts";
import { findRunOf } from "./run-store.ts";
import type { ScorerRow } from "./scorer-model.ts";
import { findScorers, findScorerVersions } from "./scorer-store.ts";
import type { SetScorerBody } from "./scorers-schemas.ts";

// Datasets, scorers and gates as another installation can take them: by name, in one version.

/** One version of a dataset. */
export type PortableDataset = Pick<DatasetRow, "id" | "name" | "agent" | "skill" | "description" | "version">;

/** The items of a version of a dataset, as `addItems` takes them. The tasks that they were made of are not named. */
export async function readPortableItems(ctx: Here, { id, version }: PortableDataset): Promise<DatasetItem[]> {
  return (await readItems(ctx, id, version)).map(portableItem);
}

const portableItem = ({ name, input, expected, must_pass, cluster, labels }: StoredItem): DatasetItem => ({
  ...{ item: name, input },
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

/** Those of these scorers that exist, in their present versions. */
export const findPortableScorers = async (ctx: Here, names: readonly string[]): Promise<PortableScorer[]> =>
  (await findScorers(ctx, names)).map(portableScorer);

/** The gate of an agent in the call's environment, with what it judges by. */
export interface PortableGate {
  /** Without datasets and scorers, and without what follows from its states: that is for each environment to say. */
  readonly rules: Omit<SetGateBody, "datasets" | "scorers" | "on_missing" | "table">;
  /** In the versions that it pins. */
  readonly datasets: readonly PortableDataset[];
  readonly scorers: readonly { readonly pin: PinnedScorer; readonly scorer: PortableScorer }[];
}

/** The gate of an agent in the call's environment; undefined where there is none. */
export async function findPortableGate(ctx: Here, agent: string): Promise<PortableGate | undefined> {
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
      ...{ floor, tolerance, repeats, max_repeats, lifetime_days },
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

/** Long ago enough for every run. */
const anyAge = 36_500;

/**
 * What the newest finished run of a version over a version of a dataset measured by these scorers, in so many repeats at least; none where there is no such
 * run. Throws `result_not_intact` where its scores are not those that were written.
 */
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
