import type { LanguageModelV4Prompt } from "@ai-sdk/provider";
import { outputFields } from "@aos/builtin-model";
import { resolvePointer } from "@aos/strict-json";
import { judgeAnswer } from "./answer.ts";
import type { Loop } from "./loop.ts";
import type { AnswerFeatures } from "./port.ts";
import { takeModelStep } from "./step-model.ts";

type Output = Readonly<Record<string, unknown>>;

/** How sure a provider's model is of an answer; `lost`: so is the run. */
export type Confidence = { readonly features: AnswerFeatures } | "lost";

/**
 * Asks a provider's model for the same answer again, as often as its settings say (`confidence_samples`), and counts how often what can be compared is the
 * same: fields that are booleans, numbers or name their values. Of n further answers k agree: the probability reported is (k + 1)/(n + 2), which the trust
 * score's fitted map then corrects. Each is a step of the run, within its limits and budgets; where they leave no room, or the model fails, what there is
 * counts, and the answer stands in any case.
 */
export async function confidenceIn(loop: Loop, prompt: LanguageModelV4Prompt, output: Output): Promise<Confidence> {
  const { run } = loop;
  const samples = run.model.provider === "builtin" ? 0 : (run.model.settings?.confidence_samples ?? 0);
  const schema = run.briefing.output;
  const pointers = samples === 0 || schema === null ? [] : comparable(schema);
  if (pointers.length === 0) return { features: {} };
  const own = signature(output, pointers);
  let [asked, agreed] = [0, 0];
  for (loop.sample = 1; loop.sample <= samples; loop.sample++) {
    const taken = await takeModelStep(loop, prompt);
    if (taken.kind === "lost") return "lost";
    if (taken.kind !== "turn") break;
    const judged = judgeAnswer(schema, taken.turn);
    asked++;
    if (judged.ok && signature(judged.output, pointers) === own) agreed++;
  }
  if (asked === 0) return { features: {} };
  return { features: { probability: (agreed + 1) / (asked + 2), probability_source: "told" } };
}

/** Pointers of the fields that two answers can be compared by. */
const comparable = (schema: object): string[] =>
  outputFields(schema)
    .filter(({ kind }) => kind === "class" || kind === "boolean" || kind === "number")
    .map(({ pointer }) => pointer);

const signature = (output: Output, pointers: readonly string[]): string =>
  JSON.stringify(pointers.map((pointer) => resolvePointer(output, pointer) ?? null));
