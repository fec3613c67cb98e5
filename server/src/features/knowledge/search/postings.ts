import type { QueryContext } from "../../../kernel/db.ts";
import { idfOf, normOf, ranking } from "./bm25.ts";

export interface SearchedBase {
  readonly id: string;
  readonly generation: number;
}

export interface Totals {
  readonly chunks: number;
  /** The length of a chunk on average: its words, and those of its headings as often as they count. */
  readonly mean: number;
}

/** Unsorted. */
export interface Scored {
  readonly places: Float64Array;
  readonly scores: Float64Array;
  /** Some term has more postings than were read. */
  readonly capped: boolean;
}

/**
 * Postings that a search reads: a quarter of what its terms have, within these bounds; of each term, the best first, an equal part of that, but no fewer than `each`
 * and no more than a quarter.
 */
const enough = { least: 65_536, most: 131_072, each: 4096 } as const;
const rowLength = 256;
const bytesEach = 6;

/** By the code of a length, what it stands for: index_length of the migration the other way round. */
const lengths = Float64Array.from({ length: 256 }, (_none, code) => 2 ** (code / 16));

interface PostingRow {
  term: number;
  data: Buffer;
}

export const allRows = 10_000_000;

interface WantedRows {
  readonly at: number;
  readonly term: string;
  readonly rows: number;
}

/** Base64: a driver reads it several times as fast as bytea's text form. */
export async function readRows(
  { scope, db }: QueryContext,
  bases: readonly SearchedBase[],
  terms: readonly WantedRows[],
): Promise<PostingRow[]> {
  const rows = await db.query<{ term: number; data: string }>(
    `select w.at as term, encode(string_agg(p.data, ''), 'base64') as data
     from unnest($3::text[], $4::int[]) as b(base, generation), unnest($5::text[], $6::int[], $7::int[]) as w(term, at, rows), lateral (
       select data from chunk_postings p where p.organization = $1 and p.environment = $2 and p.base = b.base and p.generation = b.generation
         and p.term = w.term order by p.organization desc, p.environment desc, p.base desc, p.generation desc, p.term desc, p.impact desc, p.id desc limit w.rows
     ) p group by w.at`,
    [
      scope.organization,
      scope.environment,
      bases.map(({ id }) => id),
      bases.map(({ generation }) => generation),
      terms.map(({ term }) => term),
      terms.map(({ at }) => at),
      terms.map(({ rows }) => rows),
    ],
  );
  return rows.map(({ term, data }) => ({ term, data: Buffer.from(data, "base64") }));
}

/** The terms of a question. */
export interface AskedStems {
  /** By term, the stems that count as it. */
  readonly stems: readonly (readonly string[])[];
  /** How often each is asked for. */
  readonly often: readonly number[];
}

export interface ReadPostings {
  readonly question: AskedStems;
  readonly having: readonly number[];
  readonly rows: readonly PostingRow[];
  readonly capped: boolean;
}

export async function readPostings(
  ctx: QueryContext,
  bases: readonly SearchedBase[],
  question: AskedStems,
  having: readonly number[],
  all: boolean,
): Promise<ReadPostings> {
  const { stems } = question;
  const known = stems
    .flatMap((own, at) => own.map((term) => ({ at, term })))
    .filter(({ at }) => (having[at] as number) > 0);
  if (known.length === 0) return { question, having, rows: [], capped: false };
  const most = all ? Number.POSITIVE_INFINITY : mostOfEach(having.filter((chunks) => chunks > 0));
  const common = (at: number): boolean => (having[at] as number) > most;
  const first = known.map((one) => ({ ...one, rows: common(one.at) ? Math.ceil(most / rowLength) : allRows }));
  let rows = await readRows(ctx, bases, first);
  const read = postingsRead(rows, stems.length);
  // Terms whose postings lie in many small rows, because nothing has merged them yet.
  const more = known.filter(({ at }) => common(at) && (read[at] as number) < most / 2);
  if (more.length > 0) {
    const again = new Set(more.map(({ at }) => at));
    const rest = await readRows(
      ctx,
      bases,
      more.map((one) => ({ ...one, rows: Math.ceil(most) })),
    );
    rows = [...rows.filter(({ term }) => !again.has(term)), ...rest];
  }
  const whole = postingsRead(rows, stems.length);
  return { question, having, rows, capped: known.some(({ at }) => (whole[at] as number) < (having[at] as number)) };
}

function mostOfEach(having: readonly number[]): number {
  const quarter = having.reduce((sum, n) => sum + n, 0) / 4;
  const all = Math.min(enough.most, Math.max(enough.least, quarter));
  return Math.min(all / 4, Math.max(enough.each, all / having.length));
}

function postingsRead(rows: readonly PostingRow[], terms: number): number[] {
  const read = new Array<number>(terms).fill(0);
  for (const { term, data } of rows) read[term] = (read[term] as number) + data.length / bytesEach;
  return read;
}

/** Open addressing; reuses its memory, so that a search scores without a pause. */
class Scores {
  #mask = 0;
  keys = new Uint32Array(0);
  values = new Float64Array(0);
  slots = new Uint32Array(0);
  size = 0;

  clear(most: number): void {
    const size = 2 ** Math.ceil(Math.log2(1.4 * most + 16)); // many places stand in several terms' postings
    this.#mask = size - 1;
    this.size = 0;
    if (size > this.keys.length) {
      this.keys = new Uint32Array(size);
      this.values = new Float64Array(size);
      this.slots = new Uint32Array(size);
    } else this.keys.fill(0, 0, size);
  }

  drop(): void {
    this.keys = new Uint32Array(0);
    this.values = new Float64Array(0);
    this.slots = new Uint32Array(0);
  }

  add(place: number, score: number): void {
    const { keys, values } = this;
    let slot = Math.imul(place ^ (place >>> 15), 0x9e3779b1) & this.#mask;
    while (keys[slot] !== place && keys[slot] !== 0) slot = (slot + 1) & this.#mask;
    if (keys[slot] === place) {
      values[slot] = (values[slot] as number) + score;
      return;
    }
    keys[slot] = place; // places begin at 1
    values[slot] = score;
    this.slots[this.size] = slot;
    this.size += 1;
  }
}

const table = new Scores();
const mostKept = 2 ** 20;

/** `only`: of these places. */
export function scorePostings(
  { question, having, rows, capped }: ReadPostings,
  { chunks, mean }: Totals,
  only: ReadonlySet<number> | null,
): Scored {
  table.clear(rows.reduce((sum, { data }) => sum + data.length / bytesEach, 0));
  const idfs = question.often.map((times, at) => times * idfOf(having[at] as number, chunks));
  const norms = lengths.map((length) => normOf(length, mean));
  for (const { term, data } of rows) {
    const most = (idfs[term] as number) * (ranking.k1 + 1);
    for (let at = 0; at + bytesEach <= data.length; at += bytesEach) {
      const place = placeAt(data, at);
      if (only !== null && !only.has(place)) continue;
      const often = data[at + 4] as number;
      table.add(place, (most * often) / (often + (norms[data[at + 5] as number] as number)));
    }
  }
  const places = new Float64Array(table.size);
  const scores = new Float64Array(table.size);
  for (let at = 0; at < places.length; at += 1) {
    const slot = table.slots[at] as number;
    places[at] = table.keys[slot] as number;
    scores[at] = table.values[slot] as number;
  }
  if (table.keys.length > mostKept) table.drop();
  return { places, scores, capped };
}

export const placeAt = (data: Buffer, at: number): number =>
  (((data[at] as number) << 24) |
    ((data[at + 1] as number) << 16) |
    ((data[at + 2] as number) << 8) |
    (data[at + 3] as number)) >>>
  0;

/** Places of the best, best first, ties by place: the first `count` at once, all where more are asked for. */
export function bestPlaces({ places, scores }: Scored, count: number): Float64Array {
  let bound = 0;
  if (places.length > 4 * count) {
    let top = 0;
    for (let at = 0; at < scores.length; at += 1) top = Math.max(top, scores[at] as number);
    const cells = new Uint32Array(1025);
    for (let at = 0; at < scores.length; at += 1) {
      const cell = Math.floor((1024 * (scores[at] as number)) / top);
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
