import type { JsonSchema } from "@aos/json-schema";
import { parsePointer } from "@aos/strict-json";
import type { BuiltinArtifact } from "./artifact.ts";
import type { FieldReport, JudgedAnswer, TrainingExample, Yardstick } from "./contract.ts";
import { answerFields, type FilledField } from "./fill.ts";
import { areaUnderCurve, brierScore, calibrationError, type Judged } from "./measures.ts";
import { freeField, type OutputField, outputFields, place, type Scalar, scalarAt } from "./outputs.ts";
import { Predictor } from "./predictor.ts";

/** What an artifact makes of examples that it has not learnt from. */
export interface Examined {
  readonly fields: readonly FieldReport[];
  readonly heldOut: readonly JudgedAnswer[];
}

/** One answer to one field, beside the truth. */
interface Case {
  readonly truth: Scalar;
  readonly filled: FilledField | null;
  readonly right: boolean;
}

/**
 * Answers examples and holds the answers against theirs, by a yardstick. What is left out is wrong, at probability 0; an example's probability is the product of
 * its fields'. An example that answers none of what counts is neither right nor wrong. `null`: the untrained model.
 */
export function examine(
  artifact: BuiltinArtifact | null,
  schema: JsonSchema,
  examples: readonly TrainingExample[],
  yardstick: Yardstick,
): Examined {
  const predictor = artifact && new Predictor(artifact);
  const graded = new Map(yardstick.map((one): [OutputField, number] => [fieldOf(one, schema), one.tolerance]));
  const cases = new Map([...graded.keys()].map((field): [OutputField, Case[]] => [field, []]));
  const heldOut = examples.map((example): JudgedAnswer => {
    const filled = answerFields([...graded.keys()], predictor, example);
    const output: Record<string, unknown> = {};
    let [judged, correct, probability] = [false, true, 1];
    for (const [field, tolerance] of graded) {
      const found = filled.get(field) ?? null;
      if (found) place(output, field.tokens, found.value);
      const truth = scalarAt(example.output, field);
      if (truth === undefined || (truth === null && (field.kind === "boolean" || field.kind === "number"))) continue;
      const right = found !== null && isRight(found, truth, tolerance);
      cases.get(field)?.push({ truth, filled: found, right });
      judged = true;
      correct &&= right;
      probability *= found?.probability ?? 0;
    }
    return judged ? { output, correct, probability } : { output, correct: null, probability: null };
  });
  return { fields: [...cases].map(([field, found]) => report(field, artifact, found)), heldOut };
}

/** As the schema describes it; where it names none, as the examples showed it. */
function fieldOf({ field: pointer, kind }: Yardstick[number], schema: JsonSchema): OutputField {
  const described = outputFields(schema).find((field) => field.pointer === pointer);
  return described ?? freeField(pointer, parsePointer(pointer) ?? [], kind === "class" ? "text" : kind);
}

function isRight({ value }: FilledField, truth: Scalar, tolerance: number): boolean {
  if (typeof truth === "number" && typeof value === "number") return Math.abs(value - truth) <= tolerance;
  return value === truth;
}

function report(field: OutputField, artifact: BuiltinArtifact | null, cases: readonly Case[]): FieldReport {
  const facts = artifact?.heads.find((head) => head.facts.field === field.pointer)?.facts;
  const kind = facts?.kind ?? (field.kind === "boolean" || field.kind === "number" ? field.kind : "class");
  const frame = { field: field.pointer, kind, n_train: facts?.n ?? 0, n_held_out: cases.length };
  if (cases.length === 0) return frame;
  if (kind === "number") {
    const errors = cases.flatMap(({ truth, filled }) =>
      filled ? [Math.abs((filled.value as number) - (truth as number))] : [],
    );
    return errors.length === 0
      ? frame
      : { ...frame, mean_absolute_error: errors.reduce((sum, error) => sum + error, 0) / errors.length };
  }
  const judged = cases.map(({ filled, right }): Judged => ({ probability: filled?.probability ?? 0, right }));
  const two = facts && facts.kind !== "number" && facts.labels.length === 2 ? (facts.labels[1] as Scalar) : undefined;
  const auc =
    two === undefined
      ? null
      : areaUnderCurve(cases.map((one) => ({ score: chanceOf(one.filled, two), yes: one.truth === two })));
  return {
    ...frame,
    accuracy: judged.filter(({ right }) => right).length / judged.length,
    ...(auc === null ? {} : { auc }),
    brier: brierScore(judged),
    ece: calibrationError(judged),
  };
}

/** The probability that was given to one of two values. */
function chanceOf(filled: FilledField | null, value: Scalar): number {
  if (filled === null) return 0.5;
  return filled.value === value ? filled.probability : 1 - filled.probability;
}
