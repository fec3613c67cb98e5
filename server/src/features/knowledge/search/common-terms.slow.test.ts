import { beforeAll, expect, it } from "vitest";
import { createReader } from "../../../db/reader.ts";
import { useDatabase } from "../../../testing/database.ts";
import type { Sight } from "../access.ts";
import { bestPlaces, readPostings, scorePostings } from "./postings.ts";
import { search } from "./store.ts";

const database = useDatabase();
const scope = { organization: "default", environment: "development" } as const;
const looking = () => ({ scope, db: createReader(database.pool) });
const chunks = 20_000;
const base = { id: "kb_common", generation: 1 };

/** Every chunk has `policy`, some often; every hundredth may be read by everybody, is the longest and so the last by its words, and of those 40 have `amber`. */
beforeAll(async () => {
  await database.pool.query(
    `insert into knowledge_bases (organization, environment, id, name) values ('default', 'development', 'kb_common', 'common')`,
  );
  await database.pool.query(
    `insert into documents (organization, environment, id, base, title, text, readers)
     select 'default', 'development', 'doc_' || n, 'kb_common', '', '', case when n > 1 then '{role:auditor}'::text[] end from generate_series(1, 100) n`,
  );
  await database.pool.query(
    `insert into chunks (organization, environment, base, document, number, title, text, lexemes, stems)
     select 'default', 'development', 'kb_common', 'doc_' || n % 100 + 1, n, '', text, to_tsvector('english', text), length(to_tsvector('english', text))
     from generate_series(0, $1::int - 1) n, lateral (select repeat('policy ', 1 + (n % 7) * (n % 100)::bool::int)
       || case when n % 100 = 0 then 'basalt tile copper pipe linen granite marble walnut ' || case when n % 500 = 0 then 'amber' else '' end
          when n % 50 = 1 then 'amber' else '' end as text) t`,
    [chunks],
  );
});

const found = async (query: string, sight: Sight) =>
  (await search(looking(), { query, bases: ["common"], limit: 50, sight, hybrid: "words" })).chunks;

it("reads the best postings of a term that is everywhere, which gives the same best chunks as all of them", async () => {
  const totals = { chunks, mean: 2 };
  const [some, all] = await Promise.all(
    [false, true].map((whole) => readPostings(looking(), [base], { stems: [["polici"]], often: [1] }, [chunks], whole)),
  );
  const bytes = (read: typeof some): number => (read?.rows ?? []).reduce((sum, { data }) => sum + data.length, 0);
  expect([some?.capped, all?.capped]).toEqual([true, false]);
  expect(bytes(some) / 6).toBeLessThan(17_000);
  expect(bytes(all) / 6).toBe(chunks);
  const scoresOfBest = (read: typeof some): number[] => {
    const scored = scorePostings(read as NonNullable<typeof some>, totals, null);
    const scores = new Map([...scored.places].map((place, at) => [place, scored.scores[at] as number]));
    return [...bestPlaces(scored, 500)].map((place) => scores.get(place) as number);
  };
  expect(scoresOfBest(some)).toEqual(scoresOfBest(all));
});

it("finds all that fits for someone who may see one in a hundred chunks, and nothing else", async () => {
  const sight: Sight = [["role:viewer"]];
  const common = await found("policy", sight);
  const rare = await found("amber", sight);
  expect([common.length, rare.length]).toEqual([50, 40]);
  for (const { document } of [...common, ...rare]) expect(document).toBe("doc_1");
  expect(await found("amber", [null])).toHaveLength(50);
});
