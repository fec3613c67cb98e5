import type { Statements, Sweep } from "../../../kernel/machines.ts";

/** Rows of postings that a base may have gained since its last compaction: these, and a tenth of its chunks. */
const looseRows = 20_000;
/** Per transaction, so that writers do not wait long. */
const termsAtOnce = 500;
/** Milliseconds per run: other sweeps wait. */
const longestMs = 250;

interface DueIndex {
  organization: string;
  environment: string;
  base: string;
  generation: number;
}

/** The index being merged, and its last merged term. A restart leaves the rest to the next compaction. */
let underWay: { readonly index: DueIndex; after: string } | null = null;

/** One base at a time, a little with each run. Searches find the same before and after. */
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
  organization,
  environment,
  base,
  generation,
];

async function begin(db: Statements): Promise<typeof underWay> {
  const [index] = await db.query<DueIndex>(
    `select organization, environment, base, generation from chunk_indexes where loose > ${looseRows} + chunks / 10 order by loose desc limit 1`,
  );
  if (!index) return null;
  await db.query(`update chunk_indexes set loose = 0 where ${ofIndex}`, keyOf(index));
  return { index, after: "" };
}

/** Returns the last term; null: none left. */
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
