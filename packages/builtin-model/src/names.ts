import type { Field } from "./fields.ts";
import type { Leaf } from "./leaves.ts";
import type { Scalar } from "./outputs.ts";
import type { Target } from "./targets.ts";

// The name of a class often says what it is about: "card_arrival". Each is learnt from as if it were the text of an example of the class.

/** The names of classes as texts, and where their rows begin and end in those of the data set. */
export interface ClassNames {
  readonly leaves: readonly (readonly Leaf[])[];
  /** By target: its labels, in the order of the rows. */
  readonly labels: readonly (readonly Scalar[])[];
}

/** The names of the classes that examples have, for each target; none where no field of the examples is a text. */
export function namesOf(targets: readonly Target[], fields: readonly Field[]): ClassNames {
  const texts = fields.filter(({ kind }) => kind === "text");
  const labels = targets.map(({ kind, values }) =>
    kind === "class" && texts.length > 0 ? [...new Set(values)].filter(isName) : [],
  );
  const leaves = labels
    .flat()
    .map((label) => texts.map(({ key }): Leaf => ({ key, from: "", path: "", value: wordsIn(label) })));
  return { leaves, labels };
}

function isName(label: Scalar | undefined): label is string {
  return typeof label === "string" && /\p{L}{2}/u.test(label);
}

function wordsIn(name: string): string {
  return name.replace(/([a-z])([A-Z])/g, "$1 $2").replace(/[_\-./]+/g, " ");
}
