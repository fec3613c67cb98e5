import type { JsonSchema } from "@aos/json-schema";
import { writeArtifact } from "./artifact-format.ts";
import type { TrainingExample } from "./contract.ts";
import { encode } from "./dataset.ts";
import { planFields } from "./fields.ts";
import { fitHead } from "./fit-head.ts";
import { schemeFor } from "./grams.ts";
import { leavesOf } from "./leaves.ts";
import { namesOf } from "./names.ts";
import type { Scalar } from "./outputs.ts";
import { targetsOf } from "./targets.ts";

/** Weights of all columns of a field at most: with their steps 200 MB while they are learnt. */
const mostWeights = 24_000_000;
const mostExamples = 200_000;

/** Examples that teach nothing, or too many of them; the message says what to change. */
export class UntrainableError extends Error {
  override readonly name = "UntrainableError";
}

/**
 * Learns from examples and answers the artifact's bytes, which depend on nothing but the examples, their order, the schema and the seed. Throws an
 * {@link UntrainableError}.
 */
export function fit(
  output: JsonSchema,
  examples: readonly TrainingExample[],
  seed: number,
  told: (share: number, note: string) => void,
): Uint8Array {
  if (examples.length === 0)
    throw new UntrainableError("There are no examples to learn from; send some, or hold out a smaller share.");
  if (examples.length > mostExamples) {
    throw new UntrainableError(
      `There are ${examples.length} examples; a training takes ${mostExamples} at most. Send a sample of them.`,
    );
  }
  const targets = targetsOf(
    output,
    examples.map((example) => example.output),
  );
  if (targets.length === 0) {
    throw new UntrainableError(
      "No example has an enumerated, boolean or numeric field of the output, or a text that repeats: there is nothing to learn.",
    );
  }
  told(0, `reading ${examples.length} examples`);
  const leaves = examples.map(leavesOf);
  const fields = planFields(leaves);
  const columns = Math.max(...targets.map(({ values }) => new Set(values).size));
  const most = Math.max(1_000, Math.floor(mostWeights / columns));
  const scheme = schemeFor(examples.length);
  const names = namesOf(targets, fields);
  const reading = `reading ${examples.length} examples`;
  const { vocabulary, rows, familiarity } = encode(leaves, names.leaves, fields, scheme, most, (share) =>
    told(share * 0.15, reading),
  );
  let first = examples.length;
  const heads = targets.map((target, at) => {
    const labels = names.labels[at] as readonly Scalar[];
    const own = { first, labels };
    first += labels.length;
    return fitHead(target, own, { rows, features: vocabulary.hashes.length, seed }, (share) =>
      told(0.15 + (0.85 * (at + share)) / targets.length, `learning ${target.field.pointer}`),
    );
  });
  return writeArtifact({ fields, scheme, familiarity, vocabulary, heads });
}
