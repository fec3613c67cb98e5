import { createHash } from "node:crypto";
import { canonicalJson } from "@aos/strict-json";
import packageFile from "../../../package.json" with { type: "json" };
import type { WriteContext } from "../../kernel/context.ts";
import type { findVersionRecord } from "../agents/public.ts";
import { gateStanding, type PortableGate, type PortableScorer, readMeasured } from "../evaluations/public.ts";
import type { PackedEvaluation } from "./packing-data.ts";
import { dataOf, type SaidOfData } from "./packing-words.ts";
import type { Scorecard } from "./words.ts";

const sha256 = (bytes: string | Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

/** The level of the intervals of means. */
const confidence = 0.95;

interface Measured {
  readonly version: NonNullable<Awaited<ReturnType<typeof findVersionRecord>>>;
  readonly evaluation: PackedEvaluation;
  readonly training: readonly [file: string, bytes: Uint8Array][];
  readonly said: SaidOfData;
}

/**
 * What the newest finished runs of exactly this version measured, over the datasets that go along, by the scorers of the gate that goes along; null where
 * there is no gate or no such run.
 */
export async function scorecardOf(ctx: WriteContext, measured: Measured): Promise<Scorecard | null> {
  const { version, evaluation, training, said } = measured;
  const { gate, datasets, files } = evaluation;
  if (!gate) return null;
  const results = await resultsOf(ctx, version.id, gate);
  if (results.length === 0) return null;
  const packed = new Map(files);
  return {
    model: modelOf(version.definition.model),
    datasets: datasets.map(({ set: { name }, items }) => ({
      ...{ name, digest: sha256(packed.get(`datasets/${name}.jsonl`) as Uint8Array), items: items.length },
      data: dataOf(said, name),
    })),
    ...{ training: trainingOf(training), results, gate: gateOf(ctx, version, gate) },
    ...{ made_at: new Date(ctx.now).toISOString(), service_version: packageFile.version },
  };
}

async function resultsOf(ctx: WriteContext, versionId: string, gate: PortableGate): Promise<Scorecard["results"]> {
  const { datasets, scorers, rules } = gate;
  const digests = new Map(scorers.map(({ scorer }) => [scorer.name, scorerDigest(scorer)]));
  const asked = { scorers: scorers.map(({ pin }) => pin), repeats: rules.repeats ?? 1 };
  const results: Scorecard["results"] = [];
  for (const dataset of datasets) {
    for (const { scorer, items, score } of await readMeasured(ctx, versionId, dataset, asked)) {
      const { mean, low, high } = score;
      const about = { dataset: dataset.name, scorer, scorer_digest: digests.get(scorer) as string, items };
      results.push({ ...about, mean, low, high, confidence });
    }
  }
  return results;
}

/** SHA-256 of the canonical JSON of how a scorer scores, without its name, words and samples. */
const scorerDigest = ({ kind, pointer, parameters, pass_at }: PortableScorer): string =>
  sha256(canonicalJson({ kind, pointer, parameters, pass_at }));

const modelOf = (model: Measured["version"]["definition"]["model"]): string =>
  model.provider === "builtin" ? model.provider : `${model.provider}/${model.name}`;

/** SHA-256 of the lines `<SHA-256 of the file>  <path>` of the training files. */
function trainingOf(files: Measured["training"]): Scorecard["training"] {
  if (files.length === 0) return null;
  const lines = [...files].sort(([a], [b]) => (a < b ? -1 : 1)).map(([file, bytes]) => `${sha256(bytes)}  ${file}\n`);
  const examples = files.reduce(
    (sum, [, bytes]) => sum + Buffer.from(bytes).toString("utf8").split("\n").length - 1,
    0,
  );
  return { examples, digest: sha256(lines.join("")) };
}

function gateOf(ctx: WriteContext, { agent, id }: Measured["version"], { rules }: PortableGate): Scorecard["gate"] {
  const { floor = 0, tolerance = 0 } = rules;
  return { floor, tolerance, state: gateStanding(ctx, agent, id).state };
}
