import fc from "fast-check";
import { expect, it } from "vitest";
import { createReader } from "../../../db/reader.ts";
import { useDatabase } from "../../../testing/database.ts";
import { idfOf, saturated } from "./bm25.ts";
import { disableChunk, indexChunks, removeChunks, replaceChunk } from "./index-store.ts";
import { bestPlaces, readPostings, scorePostings } from "./postings.ts";
import { parseStems } from "./query-words.ts";
import { readCounts } from "./terms.ts";

const database = useDatabase();
const scope = { organization: "default", environment: "development" } as const;
const words = ["amber", "loom", "basalt", "tile", "copper", "pipe", "linen"];
const text = fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 12 }).map((some) => some.join(" "));
const document = fc.integer({ min: 1, max: 5 }).map((n) => `doc_${n}`);
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("put" as const),
      document,
      texts: fc.array(text, { minLength: 1, maxLength: 4 }),
    }),
  },
  fc.record({ kind: fc.constant("remove" as const), document }),
  fc.record({ kind: fc.constant("mend" as const), document, text }),
  fc.record({ kind: fc.constant("disable" as const), document }),
  fc.record({ kind: fc.constant("compact" as const) }),
);

let bases = 0;

it("ranks as BM25 over the chunks does, whatever was added, replaced, mended, disabled, removed and merged, and keeps nothing else", async () => {
  const ctx = { scope, db: createReader(database.pool) };
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
      const base = { id: `kb_${++bases}`, language: "simple", generation: 1 };
      for (const one of steps) {
        if (one.kind === "compact") {
          await database.pool.query("select compact_index('default', 'development', $1, 1, $2)", [base.id, words]);
          continue;
        }
        const key = { document: one.document, generation: 1, number: 1 };
        if (one.kind === "disable") await disableChunk(ctx, base, key, true);
        else if (one.kind === "mend") await replaceChunk(ctx, base, key, { text: one.text });
        else await removeChunks(ctx, base, { documents: [one.document] });
        if (one.kind === "put")
          await indexChunks(
            ctx,
            base,
            one.texts.map((own, at) => ({ document: one.document, number: at + 1, title: "", text: own })),
          );
      }
      const { rows } = await database.pool.query<{ place: number; lexemes: string; stems: number }>(
        "select place::float8 as place, lexemes::text, stems from chunks where base = $1 and not disabled order by place",
        [base.id],
      );
      const chunks = rows.map((row) => ({ ...row, ...parseStems(row.lexemes) }));
      const mean = chunks.reduce((sum, { stems }) => sum + stems, 0) / Math.max(1, chunks.length);
      const query = words.slice(0, 4);
      const counts = await readCounts(ctx, [base], words);
      const having = words.map((word) => chunks.filter(({ terms }) => terms.includes(word)).length);
      expect(words.map((word) => counts.get(word) ?? 0)).toEqual(having);
      const postings = await readPostings(
        ctx,
        [base],
        { stems: query.map((word) => [word]), often: query.map(() => 1) },
        having,
        true,
      );
      const scored = scorePostings(postings, { chunks: chunks.length, mean }, null);
      const brute = new Map(
        chunks.flatMap(({ place, terms, often, stems }) => {
          const score = query.reduce((sum, word, at) => {
            const found = terms.indexOf(word);
            if (found < 0) return sum;
            return sum + idfOf(having[at] as number, chunks.length) * saturated(often[found] as number, stems, mean);
          }, 0);
          return score > 0 ? [[place, score] as const] : [];
        }),
      );
      expect([...bestPlaces(scored, 1000)].sort((a, b) => a - b)).toEqual([...brute.keys()].sort((a, b) => a - b));
      for (const [at, place] of scored.places.entries())
        expect(scored.scores[at] as number).toBeCloseTo(brute.get(place) as number, 1);
    }),
    { numRuns: Math.min(40, Number(process.env.AOS_PROPERTY_RUNS || 40)) },
  );
  const { rows } = await database.pool.query(
    "select count(*)::int as n from chunk_postings p where not exists (select from chunk_terms t where t.base = p.base and t.term = p.term and t.chunks > 0)",
  );
  expect(rows).toEqual([{ n: 0 }]);
});
