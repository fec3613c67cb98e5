import type { JsonSchema } from "./schema-compiler.ts";

// Training a skill's model from examples. The built-in model carries it out; slices start it and keep what comes of it.

/** What a skill was given, what its reading tools found for it (tool name to data), and what it should have answered. */
export interface TrainingExample {
  readonly input: Readonly<Record<string, unknown>>;
  readonly records: Readonly<Record<string, unknown>>;
  readonly output: Readonly<Record<string, unknown>>;
}

/** Learn from `train`, measure on `heldOut`, which nothing is learnt from. The same request gives the same artifact, byte for byte. */
export interface TrainingRequest {
  /** The skill's output schema. */
  readonly output: JsonSchema;
  readonly train: readonly TrainingExample[];
  readonly heldOut: readonly TrainingExample[];
  /** A whole number; its lower 32 bits count. */
  readonly seed: number;
}

/**
 * How well one field of the output is learnt, measured on the held-out examples that have it. `field` is its JSON Pointer in the output. Classes and booleans
 * have an accuracy, the Brier score and the expected calibration error (ECE, 10 bins) of the stated probability; two classes an AUC besides. Brier is, for a
 * boolean, the mean squared error of the probability of `true`, and for classes that of the probability that the stated class is right. Numbers have
 * a mean absolute error, in the number's own unit.
 */
export interface FieldReport {
  readonly field: string;
  readonly kind: "class" | "boolean" | "number";
  readonly n_train: number;
  readonly n_held_out: number;
  readonly accuracy?: number;
  readonly auc?: number;
  readonly brier?: number;
  readonly ece?: number;
  readonly mean_absolute_error?: number;
}

/** What came of a training. */
export interface TrainingResult {
  readonly artifact: Uint8Array;
  /** `sha256:` and the 64 hexadecimal digits of the artifact's SHA-256. */
  readonly digest: string;
  /** How long it took, by the wall. */
  readonly seconds: number;
  readonly fields: readonly FieldReport[];
  /** Per held-out example: the predicted output, whether all that was learnt in it is right, and the probability of that. */
  readonly heldOut: readonly {
    readonly output: Readonly<Record<string, unknown>>;
    readonly correct: boolean;
    readonly probability: number;
  }[];
}

export interface Trainer {
  /**
   * Trains in a thread of its own, so that the process goes on answering. `progress` is called with a share from 0 to 1 that never falls, and a few words.
   * Rejects with the signal's reason when it is aborted, and with an error whose message is meant for people when the examples teach nothing.
   */
  train(
    request: TrainingRequest,
    on: { readonly signal: AbortSignal; progress(share: number, note: string): void },
  ): Promise<TrainingResult>;
  /** The same held-out figures for an artifact that exists; `null`: the untrained model. Rejects when the artifact cannot be read. */
  evaluate(artifact: Uint8Array | null, output: JsonSchema, examples: readonly TrainingExample[]): Promise<TrainingResult["heldOut"]>;
}
