import type { Looking } from "../store.ts";
import { idfOf, saturated } from "./ranking.ts";

/** A base with the generation of its chunks that searches read. */
export interface SearchedBase {
  readonly id: string;
  readonly generation: number;
}

/** Figures of the chunks that are searched together. */
export interface Totals {
  readonly chunks: number;
  /** Different stems of a chunk, on average. */
  readonly mean: number;
}

/** Places of chunks with their scores, not in order. */
export interface Scored {
  readonly places: Float64Array;
  readonly scores: Float64Array;
  /** Some term has more postings than were read. */
  readonly capped: boolean;
}

/** Postings of a term that a search reads, the best first. */
const enoughPostings = 16_384;
const rowsAtOnce = 64;
const bytesEach = 6;

/** By the code of a length, what it stands for: index_length of the migration the other way round. */
const lengths = Float64Array.from({ length: 256 }, (_none, code) => 2 ** (code / 16));

interface PostingRow {
  term: number;
  data: Buffer;
}

function readRows(
  { scope, db }: Looking,
  bases: readonly SearchedBase[],
  terms: readonly { at: number; term: string }[],
  rows: number,
): Promise<PostingRow[]> {
  return db.query<PostingRow>(
    `select w.at as term, p.data from unnest($3::text[], $4::int[]) as b(base, generation), unnest($5::text[], $6::int[]) as w(term, at), lateral (
       select data from chunk_postings p where p.organization = $1 and p.environment = $2 and p.base = b.base and p.generation = b.generation
         and p.term = w.term order by p.organization desc, p.environment desc, p.base desc, p.generation desc, p.term desc, p.impact desc, p.id desc limit $7
     ) p`,
    [
      scope.organization,
      scope.environment,
      bases.map(({ id }) => id),
      bases.map(({ generation }) => generation),
      terms.map(({ term }) => term),
      terms.map(({ at }) => at),
      rows,
    ],
  );
}

export interface ReadPostings {
  readonly terms: readonly string[];
  /** How many chunks have each term. */
  readonly having: readonly number[];
  readonly rows: readonly PostingRow[];
  readonly capped: boolean;
}

/** Reads the postings of terms: all of them, or the best of those that are everywhere. */
export async function readPostings(
  ctx: Looking,
  bases: readonly SearchedBase[],
  terms: readonly string[],
  having: readonly number[],
  all: boolean,
): Promise<ReadPostings> {
  const known = terms.map((term, at) => ({ at, term })).filter(({ at }) => (having[at] as number) > 0);
  if (known.length === 0) return { terms, having, rows: [], capped: false };
  if (all) return { terms, having, rows: await readRows(ctx, bases, known, 1_000_000), capped: false };
  let rows = await readRows(ctx, bases, known, rowsAtOnce);
  const read = postingsRead(rows, terms.length);
  // Terms whose postings lie in many small rows, because nothing has merged them yet.
  const more = known.filter(({ at }) => (read[at] as number) < Math.min(having[at] as number, enoughPostings));
  if (more.length > 0) {
    const again = new Set(more.map(({ at }) => at));
    rows = [...rows.filter(({ term }) => !again.has(term)), ...(await readRows(ctx, bases, more, enoughPostings))];
  }
  const whole = postingsRead(rows, terms.length);
  return { terms, having, rows, capped: known.some(({ at }) => (whole[at] as number) < (having[at] as number)) };
}

function postingsRead(rows: readonly PostingRow[], terms: number): number[] {
  const read = new Array<number>(terms).fill(0);
  for (const { term, data } of rows) read[term] = (read[term] as number) + data.length / bytesEach;
  return read;
}

/** A table from place to score, open addressing. */
class Scores {
  #mask: number;
  keys: Uint32Array;
  values: Float64Array;

  constructor(most: number) {
    const size = 2 ** Math.ceil(Math.log2(2 * most + 16));
    this.#mask = size - 1;
    this.keys = new Uint32Array(size);
    this.values = new Float64Array(size);
  }

  add(place: number, score: number): void {
    let slot = Math.imul(place, 0x9e3779b1) & this.#mask;
    while (this.keys[slot] !== place && this.keys[slot] !== 0) slot = (slot + 1) & this.#mask;
    this.keys[slot] = place; // places begin at 1
    this.values[slot] = (this.values[slot] as number) + score;
  }
}

/** Adds up BM25 over postings. `only`: of these places alone. */
export function scorePostings(
  { terms, having, rows, capped }: ReadPostings,
  { chunks, mean }: Totals,
  only: ReadonlySet<number> | null,
): Scored {
  const table = new Scores(rows.reduce((sum, { data }) => sum + data.length / bytesEach, 0));
  const parts = terms.map((_term, at) => {
    const idf = idfOf(having[at] as number, chunks);
    const cells = new Float64Array(65_536);
    return (often: number, length: number): number => {
      const cell = (often << 8) | length;
      const known = cells[cell] as number;
      if (known > 0) return known;
      const made = idf * saturated(often, lengths[length] as number, mean);
      cells[cell] = made;
      return made;
    };
  });
  for (const { term, data } of rows) {
    const part = parts[term] as (often: number, length: number) => number;
    for (let at = 0; at < data.length; at += bytesEach) {
      const place = data.readUInt32BE(at);
      if (only !== null && !only.has(place)) continue;
      table.add(place, part(data[at + 4] as number, data[at + 5] as number));
    }
  }
  const used = table.keys.reduce((sum, key) => (key === 0 ? sum : sum + 1), 0);
  const places = new Float64Array(used);
  const scores = new Float64Array(used);
  let next = 0;
  for (let slot = 0; slot < table.keys.length; slot += 1) {
    if (table.keys[slot] === 0) continue;
    places[next] = table.keys[slot] as number;
    scores[next] = table.values[slot] as number;
    next += 1;
  }
  return { places, scores, capped };
}

/** Places of the best, best first, ties by place: the first `count` at once, all where more are asked for. */
export function bestPlaces({ places, scores }: Scored, count: number): Float64Array {
  let bound = 0;
  if (places.length > 4 * count) {
    const top = scores.reduce((most, score) => (score > most ? score : most), 0);
    const cells = new Uint32Array(1025);
    for (const score of scores) {
      const cell = Math.floor((1024 * score) / top);
      cells[cell] = (cells[cell] as number) + 1;
    }
    let cell = 1025;
    for (let sum = 0; cell > 0 && sum < count; ) sum += cells[--cell] as number;
    bound = (cell * top) / 1024;
  }
  const kept: number[] = [];
  for (let at = 0; at < scores.length; at += 1) if ((scores[at] as number) >= bound - 1e-9) kept.push(at);
  kept.sort((a, b) => (scores[b] as number) - (scores[a] as number) || (places[a] as number) - (places[b] as number));
  return Float64Array.from(kept.slice(0, count), (at) => places[at] as number);
}
