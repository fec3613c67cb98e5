import type { ProbabilityMap } from "./calibration.ts";
import type { Field } from "./fields.ts";
import type { TextScheme } from "./grams.ts";
import type { Familiarity } from "./novelty.ts";
import type { Scalar } from "./outputs.ts";
import type { Vocabulary } from "./vocabulary.ts";

/** What is known of one field of the output, without its weights. */
export type HeadFacts =
  | {
      readonly field: string;
      readonly kind: "class" | "boolean";
      readonly n: number;
      /** The values that its examples had. Of two, the second is the one whose probability the score is; a single one needs no weights. */
      readonly labels: readonly Scalar[];
      readonly temperature: number;
      readonly map: ProbabilityMap;
    }
  | {
      readonly field: string;
      readonly kind: "number";
      readonly n: number;
      readonly mean: number;
      readonly deviation: number;
      readonly low: number;
      readonly high: number;
      /** A prediction this near counts as right, and the share of those that were, of examples not learnt from. */
      readonly tolerance: number;
      readonly hits: number;
    };

/** One field of the output, learnt. Weights stand by feature, `bias.length` columns each, as whole numbers from −127 to 127 times the feature's scale. */
export interface Head {
  readonly facts: HeadFacts;
  readonly scales: Float32Array;
  readonly weights: Int8Array;
  readonly bias: Float32Array;
}

/** What a skill has learnt: which fields it reads and how, the features it knows, and a linear model per field of the output. */
export interface BuiltinArtifact {
  /** `sha256:` and hexadecimal digits, of the bytes it was read from. */
  readonly digest: string;
  readonly fields: readonly Field[];
  readonly scheme: TextScheme;
  /** Null: it was learnt before novelty was. */
  readonly familiarity: Familiarity | null;
  readonly vocabulary: Vocabulary;
  readonly heads: readonly Head[];
}

/** Columns of a field's weights: one per class from three on, one for two classes or a number, none where there is nothing to decide. */
export function columnsOf(facts: HeadFacts): number {
  if (facts.kind === "number") return 1;
  return facts.labels.length > 2 ? facts.labels.length : facts.labels.length - 1;
}

/** The features' weights in eight bits: at most 1/254 of the feature's largest weight is lost. */
export function quantized(weights: Float32Array, columns: number): Pick<Head, "scales" | "weights"> {
  const features = columns === 0 ? 0 : weights.length / columns;
  const scales = new Float32Array(features);
  const small = new Int8Array(features * columns);
  for (let feature = 0; feature < features; feature++) {
    let largest = 0;
    for (let c = 0; c < columns; c++) largest = Math.max(largest, Math.abs(weights[feature * columns + c] as number));
    const scale = Math.fround(largest / 127);
    scales[feature] = scale;
    if (scale === 0) continue;
    for (let c = 0; c < columns; c++) {
      const whole = Math.round((weights[feature * columns + c] as number) / scale);
      small[feature * columns + c] = Math.max(-127, Math.min(127, whole));
    }
  }
  return { scales, weights: small };
}
