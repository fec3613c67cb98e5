import { comparePairs } from "@aos/statistics";
import type { Static } from "typebox";
import type { ReadContext } from "../../../kernel/context.ts";
import type { EmbeddingModel } from "../../../kernel/embedder.ts";
import type { ReaderTokens } from "../access.ts";
import { type FoundChunk, search } from "../search/store.ts";
import { prepareQueries } from "../search/vectors/query-vectors.ts";
import { vectorHealth } from "../search/vectors/vector-store.ts";
import { figuresOf, type QuestionScores, scoreQuestion } from "./metrics.ts";
import type { FoundDocument, RetrievalFigures, RetrievalTest, TestedQuestion } from "./schemas.ts";
import { findExpected, type SearchedBase } from "./store.ts";

/** Milliseconds. */
const mostMs = 90_000;
const mostMisses = 100;
const shown = 3;
const shownLength = 300;

interface Asked {
  readonly index: number;
  readonly question: TestedQuestion;
  readonly unknown: readonly string[];
  readonly scores: readonly (QuestionScores & { readonly mode: RetrievalMode })[];
  readonly found: readonly FoundChunk[];
}

const nameOf = (one: TestedQuestion["expected"][number]): string => (typeof one === "string" ? one : one.document);
const gradeOf = (one: TestedQuestion["expected"][number]): number => (typeof one === "string" ? 1 : one.grade);

/** Ends early, with what it has, when time runs out or the caller leaves. */
export async function runTest(
  ctx: Retrieving & { readonly signal: AbortSignal },
  base: SearchedBase,
  questions: readonly TestedQuestion[],
  reader: ReaderTokens,
): Promise<RetrievalTest> {
  const until = performance.now() + mostMs;
  const names = [...new Set(questions.flatMap(({ expected }) => expected.map(nameOf)))];
  const known = await findExpected(ctx, base.id, names, reader);
  const embedded = ((await vectorHealth(ctx, [base.id])).get(base.id)?.embedded ?? 0) > 0;
  const modes: RetrievalMode[] = embedded ? ["words", "hybrid"] : ["words"];
  if (embedded)
    await prepareQueries(
      ctx,
      base.embedding as EmbeddingModel,
      questions.map(({ question }) => question),
    );
  const asked: Asked[] = [];
  for (const [index, question] of questions.entries()) {
    if (performance.now() > until || ctx.signal.aborted) break;
    const found = await retrieve(ctx, base, question.question, reader, modes);
    const grades = new Map(question.expected.map((one) => [known.get(nameOf(one)) ?? nameOf(one), gradeOf(one)]));
    asked.push({
      index,
      question,
      unknown: question.expected.map(nameOf).filter((name) => !known.has(name)),
      scores: modes.map((mode) => ({
        mode,
        ...scoreQuestion(
          found[mode].map(({ document }) => document),
          grades,
        ),
      })),
      found: found[modes.at(-1) as RetrievalMode],
    });
  }
  return reportOf(base, questions.length, modes, asked);
}

function reportOf(
  base: SearchedBase,
  given: number,
  modes: readonly RetrievalMode[],
  asked: readonly Asked[],
): RetrievalTest {
  const scoresOf = (mode: RetrievalMode) => asked.flatMap(({ scores }) => scores.filter((one) => one.mode === mode));
  return {
    base_id: base.id,
    questions: given,
    asked: asked.length,
    figures:
      asked.length === 0
        ? []
        : modes.map((mode) => ({ mode, figures: figuresOf(scoresOf(mode)) as Static<typeof RetrievalFigures> })),
    difference: modes.length === 2 ? differenceOf(scoresOf("words"), scoresOf("hybrid")) : null,
    results: asked.map(({ index, scores, unknown }) => ({ index, scores: [...scores], unknown: [...unknown] })),
    misses: asked
      .filter(({ scores }) => scores.at(-1)?.recall_at_10 === 0)
      .slice(0, mostMisses)
      .map(({ index, question, found }) => ({
        index,
        question: question.question,
        expected: question.expected.map(nameOf),
        found: found.slice(0, shown).map(foundView),
      })),
  };
}

function differenceOf(
  words: readonly QuestionScores[],
  hybrid: readonly QuestionScores[],
): RetrievalTest["difference"] {
  const pairs = words.map((one, at) => ({
    cluster: String(at),
    before: one.ndcg_at_10,
    after: (hybrid[at] as QuestionScores).ndcg_at_10,
  }));
  const compared = comparePairs(pairs, 0.025);
  return compared && { ndcg_at_10: compared.difference, low: compared.low, high: compared.high };
}

export const foundView = ({ document, external_id, title, text }: FoundChunk): FoundDocument => ({
  document_id: document,
  external_id,
  title,
  text: text.slice(0, shownLength),
});

export type RetrievalMode = "words" | "hybrid";

/** Enough for 50 documents. */
const depth = 50;

export type Retrieving = Pick<ReadContext, "scope" | "db" | "facts" | "port">;

/** One chunk of each document, best first, by mode. */
export async function retrieve<Mode extends RetrievalMode>(
  ctx: Retrieving,
  base: SearchedBase,
  question: string,
  reader: ReaderTokens,
  modes: readonly Mode[],
): Promise<Readonly<Record<Mode, FoundChunk[]>>> {
  const request = { query: question, bases: [base.id], limit: depth, sight: [reader] };
  const found = await Promise.all(
    modes.map((mode) => search(ctx, { ...request, hybrid: mode === "words" ? "words" : "auto" })),
  );
  return Object.fromEntries(modes.map((mode, at) => [mode, oneOfEach(found[at]?.chunks ?? [])])) as Record<
    Mode,
    FoundChunk[]
  >;
}

function oneOfEach(found: readonly FoundChunk[]): FoundChunk[] {
  const seen = new Set<string>();
  return found.filter(({ document }) => !seen.has(document) && seen.add(document));
}
