import { expect, it } from "vitest";
import { createReader } from "../../../db/reader.ts";
import { useDatabase } from "../../../testing/database.ts";
import { compactionSweep } from "./compaction.ts";
import { search } from "./store.ts";

const database = useDatabase();

it("merges what many small writes left within a few looks, after which searches find the same", async () => {
  const looking = { scope: { organization: "default", environment: "development" }, db: createReader(database.pool) };
  const find = async () =>
    (
      await search(looking as never, {
        query: "amber tile",
        bases: ["loose"],
        limit: 50,
        sight: [null],
        hybrid: "words",
      })
    ).chunks.map(({ id, score }) => [id, Math.round(100 * score)] as const);
  await database.pool.query(
    "insert into knowledge_bases (organization, environment, id, name) values ('default', 'development', 'kb_loose', 'loose')",
  );
  await database.pool.query(
    `insert into documents (organization, environment, id, base, title, text) values ('default', 'development', 'doc_1', 'kb_loose', '', '')`,
  );
  await database.pool.query(
    `do $$ begin for i in 1..400 loop
       insert into chunks (organization, environment, base, document, number, title, text, lexemes, stems)
       select 'default', 'development', 'kb_loose', 'doc_1', i, '', t, to_tsvector('simple', t), 60
       from (select case when i % 20 = 0 then 'amber tile ' else '' end || string_agg('w' || (i * 7 + n) % 600, ' ') as t from generate_series(1, 60) n) s;
     end loop; end $$`,
  );
  const before = await find();
  const rows = async () =>
    (await database.pool.query("select count(*)::int as n, sum(postings)::int as postings from chunk_postings"))
      .rows[0];
  const loose = await rows();
  for (let look = 0; look < 10; look += 1)
    await compactionSweep.run({ db: createReader(database.pool) as never, now: 0 } as never);
  const merged = await rows();
  expect(loose.n).toBeGreaterThan(20_000);
  expect(merged).toEqual({ n: expect.any(Number), postings: loose.postings });
  expect(merged.n).toBeLessThan(1000);
  expect(before).toHaveLength(20);
  expect(await find()).toEqual(before);
});
