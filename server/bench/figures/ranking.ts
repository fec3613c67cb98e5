import type { Bench, Figure, Result } from "../figure.ts";
import { Missing } from "../programs.ts";
import { type Collection, readCollections } from "../ranking/collections.ts";
import type { Database } from "../ranking/evaluate.ts";
import { documentsFor, evaluate, indexOf, type MemoryIndex, type Variant } from "../ranking/evaluate.ts";
import { type Difference, meanOf, ndcg, pairedDifference, randomNumbers } from "../ranking/intervals.ts";
import { ours, plainBm25, withoutParts } from "../ranking/variants.ts";

/** With `cranfield/` and `search/<name>.passages.jsonl` and `<name>.queries.jsonl`; all that are there are measured. */
const folder = process.env.AOS_BENCH_DATA ?? "";

/**
 * What each part of the order of a search adds, on every collection that is there, with the service's own words and
 * formulas over passages in memory.
 */
export const rankingParts: Figure = {
  name: "ranking",
  title: "order of a search: each part left out, against plain BM25, with paired 95 % intervals",
  async run(bench) {
    const collections = await readCollections(folder).catch(() => {
      throw new Missing(`the collections cannot be read: set AOS_BENCH_DATA to the folder that has them`);
    });
    return bench.withService(async ({ pool }) => {
      const query = async <R extends object>(text: string, values: readonly unknown[] = []): Promise<R[]> =>
        (await pool.query(text, [...values])).rows;
      const ctx: Database = { db: { query } };
      const results: Result[] = [];
      for (const collection of collections) results.push(await measure(bench, ctx, collection));
      return results;
    });
  },
};

export async function measure(bench: Pick<Bench, "say">, ctx: Database, collection: Collection): Promise<Result> {
  const { name, queries } = collection;
  const index = await indexOf(ctx, collection, ours);
  const whole = await evaluate(ctx, index, queries, ours);
  const plain = await evaluate(ctx, await indexOf(ctx, collection, plainBm25), queries, plainBm25);
  const versus = pairedDifference(whole, plain);
  bench.say(
    `  ${name}, ${queries.length} questions: BM25 ${shown(meanOf(plain))}, ours ${shown(meanOf(whole))}, ${difference(versus)}`,
  );
  for (const variant of withoutParts) {
    const own = variant.tokens || variant.plainHeadings ? await indexOf(ctx, collection, variant) : index;
    const without = await evaluate(ctx, own, queries, variant);
    bench.say(`    ${variant.name}: ${difference(pairedDifference(whole, without))}`);
  }
  bench.say(`    spelling, one typo a question: ${difference(await spelling(ctx, index, collection))}`);
  return {
    what: `nDCG@10 on ${name}, ours less BM25`,
    value: versus.mean,
    unit: "",
    bar: 0,
    aim: 0.03,
    better: "higher",
  };
}

/** With and without correction, where two neighbouring letters of the longest word of each question are swapped. */
async function spelling(ctx: Database, index: MemoryIndex, { queries }: Collection): Promise<Difference> {
  const next = randomNumbers(5);
  const scores = async (variant: Variant, asked: readonly string[]): Promise<number[]> => {
    const values: number[] = [];
    for (const [at, text] of asked.entries())
      values.push(ndcg(await documentsFor(ctx, index, text, variant), queries[at]?.gains ?? new Map()));
    return values;
  };
  const asked = queries.map(({ text }) => misspelt(text, next()));
  return pairedDifference(await scores({ ...ours, spelling: true }, asked), await scores(ours, asked));
}

function misspelt(text: string, where: number): string {
  const [word = ""] = (text.match(/\p{L}{5,}/gu) ?? []).sort((a, b) => b.length - a.length);
  if (word === "") return text;
  const at = 1 + Math.floor(where * (word.length - 2));
  return text.replace(word, `${word.slice(0, at)}${word[at + 1]}${word[at]}${word.slice(at + 2)}`);
}

const shown = (value: number): string => value.toFixed(3);
const signed = (value: number): string => `${value < 0 ? "" : "+"}${shown(value)}`;
const difference = ({ mean, low, high }: Difference): string => `${signed(mean)} [${signed(low)}, ${signed(high)}]`;
