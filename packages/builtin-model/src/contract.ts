import type { JsonSchema } from "@aos/json-schema";

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

/**
 * By what answers are judged: which fields of the output count, and how near a number has to be to count as right. It is drawn from examples and from no artifact,
 * so that whatever is compared is held against the same.
 */
export type Yardstick = readonly {
  /** JSON Pointer in the output. */
  readonly field: string;
  /** `class`: an enumeration, or a text that comes like the name of a class. */
  readonly kind: "class" | "boolean" | "number";
  /** In the number's own unit; 0 where it is none. */
  readonly tolerance: number;
}[];

/**
 * What a model made of an example that it had not learnt from: its output, whether all of it that counts is right, and the probability that it gave to that, from
 * 0 to 1. Both are null where the example answers nothing that counts, so that there is nothing to judge by.
 */
export interface JudgedAnswer {
  readonly output: Readonly<Record<string, unknown>>;
  readonly correct: boolean | null;
  readonly probability: number | null;
}

/** What came of a training. */
export interface TrainingResult {
  readonly artifact: Uint8Array;
  /** `sha256:` and the 64 hexadecimal digits of the artifact's SHA-256. */
  readonly digest: string;
  /** How long it took, by the wall. */
  readonly seconds: number;
  readonly fields: readonly FieldReport[];
  /** By what `heldOut` was judged. */
  readonly yardstick: Yardstick;
  /** One per held-out example, in their order. */
  readonly heldOut: readonly JudgedAnswer[];
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
  /**
   * What an artifact that exists makes of examples, judged by a yardstick that a training drew; `null`: the untrained model. Rejects when the artifact cannot be
   * read.
   */
  evaluate(
    artifact: Uint8Array | null,
    output: JsonSchema,
    examples: readonly TrainingExample[],
    yardstick: Yardstick,
  ): Promise<readonly JudgedAnswer[]>;
}
