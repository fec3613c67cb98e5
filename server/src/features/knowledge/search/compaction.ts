import type { Statements, Sweep } from "../../../kernel/machines.ts";

/** Rows of postings that a base may have gained since its last compaction: these, and a tenth of its chunks. */
const looseRows = 20_000;
/** Terms that one transaction merges, so that writers of the base wait for no more. */
const termsAtOnce = 500;
/** How long one look merges: other sweeps wait for it. */
const longestMs = 250;

interface DueIndex {
  organization: string;
  environment: string;
  base: string;
  generation: number;
}

/** The index that is being merged, and the term up to which it is. What a process leaves when it ends waits for the next compaction. */
let underWay: { readonly index: DueIndex; after: string } | null = null;

/** Merges small rows of postings into blocks, in one base at a time and a little with each look. A search finds the same before and after. */
export const compactionSweep: Sweep = {
  name: "knowledge.compact",
  async run({ db }) {
    underWay ??= await begin(db);
    const until = performance.now() + longestMs;
    while (underWay !== null && performance.now() < until) {
      const after = await mergeAfter(db, underWay.index, underWay.after);
      underWay = after === null ? null : { index: underWay.index, after };
    }
  },
};

const ofIndex = "organization = $1 and environment = $2 and base = $3 and generation = $4";
const keyOf = ({ organization, environment, base, generation }: DueIndex) => [
  ...[organization, environment, base, generation],
];

async function begin(db: Statements): Promise<typeof underWay> {
  const [index] = await db.query<DueIndex>(
    `select organization, environment, base, generation from chunk_indexes where loose > ${looseRows} + chunks / 10 order by loose desc limit 1`,
  );
  if (!index) return null;
  await db.query(`update chunk_indexes set loose = 0 where ${ofIndex}`, keyOf(index));
  return { index, after: "" };
}

/** Merges the next terms that lie in many small rows. Returns the last of them; null where there are no more. */
async function mergeAfter(db: Statements, index: DueIndex, after: string): Promise<string | null> {
  const rows = await db.query<{ term: string }>(
    `select term from chunk_postings where ${ofIndex} and term > $5 and postings < 128 group by term having count(*) >= 8 order by term limit $6`,
    [...keyOf(index), after, termsAtOnce],
  );
  const terms = rows.map(({ term }) => term);
  if (terms.length === 0) return null;
  await db.query("select compact_index($1, $2, $3, $4, $5::text[])", [...keyOf(index), terms]);
  return terms.length < termsAtOnce ? null : (terms.at(-1) as string);
}
