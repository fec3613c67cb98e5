import { readFile } from "node:fs/promises";
import path from "node:path";
import { createTrainer } from "@aos/builtin-model";
import { membersOf } from "../../server/src/kernel/stored-json.ts";
import { readCsv } from "../journeys/csv.ts";
import { shuffled } from "../journeys/split.ts";
import { createRandom, type Random } from "./random.ts";

/** What a model made of one case: how sure it said it was, and whether it was right. */
export interface Prediction {
  readonly probability: number;
  readonly right: boolean;
  /** How unlike the examples the case is, from 0 to 1. */
  readonly novelty: number;
}

/** A model with the cases that it has not learnt from. */
export interface Model {
  readonly name: string;
  readonly evaluation: readonly Prediction[];
  readonly tasks: readonly Prediction[];
  /** Cases of another subject altogether: no answer to them is right. */
  readonly outOfDomain: readonly Prediction[];
  /** The model trained again on more examples, over the same tasks; null: there is none. */
  readonly retrained: Model | null;
}

export const modelSizes = { evaluation: 100, tasks: 3_000 } as const;

/**
 * Real predictions of the built-in model: `banking77.csv` (columns `text` and `category`) in a folder that is not part of the project, and, for cases of another
 * subject, `cranfield/queries.jsonl` beside it.
 */
export async function realModels(folder: string, seed: number, say: (line: string) => void): Promise<Model[]> {
  const rows = readCsv(await readFile(path.join(folder, "banking77.csv"), "utf8"));
  const cases = shuffled(rows, seed).map(({ text = "", category = "" }) => ({ text, category }));
  const queries = (await readFile(path.join(folder, "cranfield", "queries.jsonl"), "utf8")).trim().split("\n");
  const strange = queries.map((line) => ({
    text: String(membersOf(line).text),
    category: cases[0]!.category,
  }));
  const known = cases.slice(modelSizes.evaluation + modelSizes.tasks);
  const all = await trained(known, { cases, strange, seed, say });
  return [{ ...(await trained(known.slice(0, 500), { cases, strange, seed, say })), retrained: all }, all];
}

interface Labelled {
  readonly text: string;
  readonly category: string;
}

async function trained(
  examples: readonly Labelled[],
  {
    cases,
    strange,
    seed,
    say,
  }: { cases: readonly Labelled[]; strange: readonly Labelled[]; seed: number; say: (line: string) => void },
): Promise<Model> {
  say(`training on ${examples.length.toLocaleString("en")} real examples`);
  const { evaluation, tasks } = modelSizes;
  const asked = [...cases.slice(0, evaluation + tasks), ...strange];
  const intents = [...new Set(cases.map(({ category }) => category))].sort();
  const output = { type: "object", properties: { intent: { enum: intents } }, required: ["intent"] };
  const pair = ({ text, category }: Labelled) => ({
    input: { question: text },
    output: { intent: category },
    records: {},
  });
  const { heldOut } = await createTrainer().train(
    { output, train: examples.map(pair), heldOut: asked.map(pair), seed },
    { signal: new AbortController().signal, progress: () => undefined },
  );
  const novelty = noveltyBy(examples.map(({ text }) => text));
  const predictions = heldOut.map(
    ({ probability, correct }, at): Prediction => ({
      probability: probability ?? 0,
      right: at < evaluation + tasks && correct === true,
      novelty: novelty(asked[at]!.text),
    }),
  );
  return {
    name: `${examples.length.toLocaleString("en")} real examples`,
    evaluation: predictions.slice(0, evaluation),
    tasks: predictions.slice(evaluation, evaluation + tasks),
    outOfDomain: predictions.slice(evaluation + tasks),
    retrained: null,
  };
}

const wordsOf = (text: string): string[] => [...new Set(text.toLowerCase().match(/[a-z']+/g) ?? [])];

/** A stand-in for a model's own novelty: the share of a text's words, weighed by how rare they are, that no example holds. */
function noveltyBy(texts: readonly string[]): (text: string) => number {
  const seen = new Map<string, number>();
  for (const text of texts) for (const word of wordsOf(text)) seen.set(word, (seen.get(word) ?? 0) + 1);
  const weight = (word: string): number => Math.log((texts.length + 1) / ((seen.get(word) ?? 0) + 0.5));
  return (text) => {
    const words = wordsOf(text);
    const whole = words.reduce((sum, word) => sum + weight(word), 0);
    const unknown = words.reduce((sum, word) => sum + (seen.has(word) ? 0 : weight(word)), 0);
    return whole > 0 ? unknown / whole : 1;
  };
}

/** Models as they happen, where there is no real data: a probability that is nearly calibrated, some cases easy and some hard. */
export function drawnModels(seed: number): Model[] {
  const weak = drawn("synthetic, 60 % right", { easy: 0.9, off: 0.15 }, createRandom(seed, "weak model"));
  const strong = drawn("synthetic, 91 % right", { easy: 3.2, off: 0.05 }, createRandom(seed, "strong model"));
  return [{ ...weak, retrained: strong }, strong];
}

function drawn(name: string, { easy, off }: { easy: number; off: number }, random: Random): Model {
  const inDomain = (): Prediction => {
    const truth = easy + 1.9 * random.normal();
    const probability = 1 / (1 + Math.exp(-(truth + off * random.normal())));
    return { probability, right: random.yes(1 / (1 + Math.exp(-truth))) === 1, novelty: random.beta(1, 12) };
  };
  const strange = (): Prediction => ({
    probability: random.beta(1.5, 2.5),
    right: false,
    novelty: random.beta(6, 3),
  });
  const many = (n: number, one: () => Prediction) => Array.from({ length: n }, one);
  const { evaluation, tasks } = modelSizes;
  return {
    name,
    evaluation: many(evaluation, inDomain),
    tasks: many(tasks, inDomain),
    outOfDomain: many(200, strange),
    retrained: null,
  };
}
