import { canonicalJson } from "@aos/strict-json";
import type { Scorecard } from "../../server/src/features/marketplace/schema-words.ts";
import { type Starter, sha256 } from "./files.ts";
import type { Failure, Made } from "./make.ts";
import type { Tried } from "./tasks.ts";

export interface Report {
  readonly starter: string;
  readonly scorecard: Scorecard;
  readonly gate_reasons: readonly string[];
  readonly tasks: readonly Tried[];
  /** Items that a scorer did not pass, where they were asked for. */
  readonly failures?: readonly Failure[];
}

export interface Circumstances {
  readonly made_at: string;
  readonly service_version: string;
  readonly suffix: string;
}

/** The bounds of a score hold with 95 % each, so the interval with 90 %. */
const CONFIDENCE = 0.9;

export function scorecardOf(
  starter: Starter,
  made: Made,
  { made_at, service_version, suffix }: Circumstances,
): Scorecard {
  const { training, trainingDigest, scorers, gate } = starter;
  const results = made.runs.flatMap(({ dataset, run }) =>
    run.figures.map(({ scorer, items, score }) => {
      const name = scorer.slice(0, scorer.length - suffix.length);
      return {
        dataset: dataset.name,
        scorer: name,
        scorer_digest: sha256(canonicalJson(scorers.find((one) => one.name === name))),
        items,
        mean: score.mean,
        low: score.low,
        high: score.high,
        confidence: CONFIDENCE,
      };
    }),
  );
  return {
    model: "builtin",
    datasets: made.runs.map(({ dataset: { name, digest, items, data } }) => ({
      name,
      digest,
      items: items.length,
      data,
    })),
    training: { examples: [...training.values()].reduce((sum, list) => sum + list.length, 0), digest: trainingDigest },
    results,
    gate: { floor: gate.floor, tolerance: gate.tolerance, state: made.gate.state },
    made_at,
    service_version,
  };
}

/** A line for people: scores with their intervals, the gate, and what the tasks gave. */
export function lineOf({ starter, scorecard, tasks }: Report): string {
  const { results, gate } = scorecard;
  const scores = results.map(
    ({ scorer, mean, low, high, items }) =>
      `${scorer} ${mean.toFixed(3)} (${low?.toFixed(3)} to ${high?.toFixed(3)}, n ${items})`,
  );
  const outputs = tasks.map(
    ({ output, status, trust_score, disagrees }) =>
      `${disagrees.length > 0 ? "WRONG " : ""}${output ? JSON.stringify(output) : status} trust ${trust_score.toFixed(2)}`,
  );
  return [starter, scores.join("; "), `gate ${gate?.state} at ${gate?.floor}`, ...outputs].join(" | ");
}
