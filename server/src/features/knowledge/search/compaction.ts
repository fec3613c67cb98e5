import type { Statements, Sweep } from "../../../kernel/machines.ts";

/** Rows of postings that a base may have gained since its last compaction: these, and a tenth of its chunks. */
const looseRows = 20_000;
/** Terms that one transaction merges. */
const termsAtOnce = 2000;

interface DueIndex {
  organization: string;
  environment: string;
  base: string;
  generation: number;
}

/** Merges small rows of postings into blocks, in one base at a time. A search finds the same before and after. */
export const compactionSweep: Sweep = {
  name: "knowledge.compact",
  async run({ db }) {
    const [due] = await db.query<DueIndex>(
      `select organization, environment, base, generation from chunk_indexes where loose > ${looseRows} + chunks / 10 order by loose desc limit 1`,
    );
    if (due) await compact(db, due);
  },
};

/** Merges what an index has in small rows. Writers of the base wait for one statement's terms at most. */
export async function compact(
  db: Statements,
  { organization, environment, base, generation }: DueIndex,
): Promise<void> {
  const key = [organization, environment, base, generation];
  const of = "organization = $1 and environment = $2 and base = $3 and generation = $4";
  await db.query(`update chunk_indexes set loose = 0 where ${of}`, key);
  const terms = await db.query<{ term: string }>(
    `select term from chunk_postings where ${of} and postings < 128 group by term having count(*) >= 8 order by term`,
    key,
  );
  for (let at = 0; at < terms.length; at += termsAtOnce) {
    const some = terms.slice(at, at + termsAtOnce).map(({ term }) => term);
    // The row is locked before the function's statement takes its snapshot.
    await db.query("select compact_index($1, $2, $3, $4, $5::text[])", [...key, some]);
  }
}
