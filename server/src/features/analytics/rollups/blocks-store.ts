import { type Block, binPlacesIn, type Columns, headBytes, placeIn, type Scan } from "@aos/rollup";
import type { ReadContext } from "../../../kernel/context.ts";
import type { FactsReader } from "../../../kernel/facts.ts";
import { type BlockCache, type CachedBlock, cacheOf, columnName, type Text } from "./cache.ts";
import { type Family, familyBins, familyDimensions, familySums } from "./measures.ts";
import type { Plan, Range, StoredGrain } from "./plan.ts";

type Reading = Pick<ReadContext, "db" | "scope" | "facts">;

export interface BlockRow {
  readonly grain: StoredGrain;
  /** Its beginning, in minutes since the epoch. */
  readonly bucket: number;
  readonly part: number;
}

export interface BlockList {
  readonly blocks: readonly BlockRow[];
  /** Since when something waits to be counted (milliseconds); null: nothing does. */
  readonly pendingSince: number | null;
}

/**
 * Which blocks say what the plan asks for, as of one moment. Where a quarter, an hour or a day is not merged, those below stand in for it.
 */
export async function listBlocks({ db, scope }: Reading, family: Family, plan: Plan): Promise<BlockList> {
  const bounds = (ranges: readonly Range[]) => [ranges.map(({ low }) => low), ranges.map(({ high }) => high)];
  const rows = await db.query<{ pending_since: Date | null; grain: StoredGrain | null; bucket: number; part: number }>(
    `with unmerged_days as materialized (
       select u.bucket from unnest($4::int[], $5::int[]) as r (low, high)
       join analytics_unmerged u on u.organization = $1 and u.environment = $2 and u.family = $3 and u.grain = 'day' and u.bucket >= r.low and u.bucket < r.high
     ), hours as (
       select * from unnest($6::int[], $7::int[]) as r (low, high) union all select bucket, bucket + 1440 from unmerged_days
     ), unmerged_hours as materialized (
       select u.bucket from hours r
       join analytics_unmerged u on u.organization = $1 and u.environment = $2 and u.family = $3 and u.grain = 'hour' and u.bucket >= r.low and u.bucket < r.high
     ), quarters as (
       select * from unnest($8::int[], $9::int[]) as r (low, high) union all select bucket, bucket + 60 from unmerged_hours
     ), unmerged_quarters as materialized (
       select u.bucket from quarters r
       join analytics_unmerged u on u.organization = $1 and u.environment = $2 and u.family = $3 and u.grain = 'quarter' and u.bucket >= r.low and u.bucket < r.high
     ), minutes as (
       select * from unnest($10::int[], $11::int[]) as r (low, high) union all select bucket, bucket + 15 from unmerged_quarters
     ), found as (
       select b.grain, b.bucket, b.part from unnest($4::int[], $5::int[]) as r (low, high)
       join analytics_blocks b on b.organization = $1 and b.environment = $2 and b.family = $3 and b.grain = 'day' and b.bucket >= r.low and b.bucket < r.high
       where b.bucket not in (select bucket from unmerged_days)
       union all
       select b.grain, b.bucket, b.part from hours r
       join analytics_blocks b on b.organization = $1 and b.environment = $2 and b.family = $3 and b.grain = 'hour' and b.bucket >= r.low and b.bucket < r.high
       where b.bucket not in (select bucket from unmerged_hours)
       union all
       select b.grain, b.bucket, b.part from quarters r
       join analytics_blocks b on b.organization = $1 and b.environment = $2 and b.family = $3 and b.grain = 'quarter' and b.bucket >= r.low and b.bucket < r.high
       where b.bucket not in (select bucket from unmerged_quarters)
       union all
       select b.grain, b.bucket, b.part from minutes r
       join analytics_blocks b on b.organization = $1 and b.environment = $2 and b.family = $3 and b.grain = 'minute' and b.bucket >= r.low and b.bucket < r.high
     )
     select p.pending_since, f.grain, f.bucket, f.part
     from (select min(at) as pending_since from analytics_pending where organization = $1 and environment = $2) p left join found f on true`,
    [
      scope.organization,
      scope.environment,
      family,
      ...bounds(plan.day),
      ...bounds(plan.hour),
      ...bounds(plan.quarter),
      ...bounds(plan.minute),
    ],
  );
  const blocks = rows.filter((row) => row.grain !== null) as (BlockRow & { readonly pending_since: Date | null })[];
  return { blocks, pendingSince: rows[0]?.pending_since?.getTime() ?? null };
}

export interface Wanted {
  readonly dims: readonly number[];
  readonly sums: readonly number[];
  readonly bins: readonly number[];
}

export class BlockGone extends Error {}

/** Blocks of up to this many bytes are read whole. */
const small = 1_500;
const mostLabelColumns = 32;

export async function loadBlocks(
  ctx: Reading,
  family: Family,
  list: readonly BlockRow[],
  wanted: Wanted,
): Promise<CachedBlock[]> {
  const cache = cacheOf(ctx.facts);
  const known = new Map<number, CachedBlock>();
  for (const { part } of list) {
    const block = cache.get(part);
    if (block) known.set(part, block);
  }
  await loadHeads(
    ctx,
    family,
    list.filter(({ part }) => !known.has(part)),
    cache,
    known,
  );
  await loadColumns(ctx, family, list, wanted, cache, known);
  return list.map(({ part }) => known.get(part) as CachedBlock);
}

async function loadHeads(
  { db, scope }: Reading,
  family: Family,
  list: readonly BlockRow[],
  cache: BlockCache,
  known: Map<number, CachedBlock>,
): Promise<void> {
  if (list.length === 0) return;
  const heads = headBytes({
    dims: familyDimensions[family].length + mostLabelColumns,
    sums: familySums[family].length,
    bins: familyBins[family].length,
  });
  const rows = await db.query<{ part: number; rows: number; whole: boolean; dims: Buffer; sums: Buffer; bins: Buffer }>(
    `select b.part, b.rows, w.whole,
       case when w.whole then b.dims else substr(b.dims, 1, ${heads.dims}) end as dims,
       case when w.whole then b.sums else substr(b.sums, 1, ${heads.sums}) end as sums,
       case when w.whole then b.bins else substr(b.bins, 1, ${heads.bins}) end as bins
     from unnest($4::text[], $5::int[], $6::bigint[]) as l (grain, bucket, part)
     join analytics_blocks b on b.organization = $1 and b.environment = $2 and b.family = $3 and b.grain = l.grain and b.bucket = l.bucket and b.part = l.part,
     lateral (select octet_length(b.dims) + octet_length(b.sums) + octet_length(b.bins) <= ${small} as whole) w`,
    [scope.organization, scope.environment, family, ...identities(list)],
  );
  if (rows.length < list.length) throw new BlockGone();
  for (const row of rows) known.set(row.part, cache.add(row.part, row, row.whole));
}

const identities = (list: readonly BlockRow[]) => [
  list.map(({ grain }) => grain),
  list.map(({ bucket }) => bucket),
  list.map(({ part }) => part),
];

/** Bytes of a block that are not in memory. */
interface Piece {
  readonly name: string;
  readonly text: Text;
  readonly offset: number;
  readonly bytes: number;
}

function missingPieces({ encoded, isWhole, columns }: CachedBlock, wanted: Wanted): Piece[] {
  if (isWhole) return [];
  const { rows } = encoded;
  const plain = (text: "dims" | "sums") =>
    wanted[text].flatMap((at): Piece[] => {
      const place = placeIn(encoded[text], rows, at);
      return place ? [{ name: columnName(text, at), text, offset: place.offset, bytes: place.bytes }] : [];
    });
  const kinds = wanted.bins.map((at): Piece => {
    const { perRow, bin, count } = binPlacesIn(encoded.bins, rows, at);
    const bytes = perRow.bytes + bin.bytes + count.bytes;
    return { name: columnName("bins", at), text: "bins", offset: perRow.offset, bytes };
  });
  const all = [...plain("dims"), ...plain("sums"), ...kinds];
  return all.filter(({ name, bytes }) => bytes > 0 && !columns.has(name));
}

async function loadColumns(
  { db, scope }: Reading,
  family: Family,
  list: readonly BlockRow[],
  wanted: Wanted,
  cache: BlockCache,
  known: ReadonlyMap<number, CachedBlock>,
): Promise<void> {
  const reading = list.flatMap((row) => {
    const pieces = missingPieces(known.get(row.part) as CachedBlock, wanted);
    return pieces.length === 0 ? [] : [{ ...row, pieces }];
  });
  if (reading.length === 0) return;
  const most = Math.max(...reading.map(({ pieces }) => pieces.length));
  const slots = Array.from({ length: most }, (_, slot) => slot);
  // A slot of a block that needs fewer is empty: its length is 0.
  const slice = (slot: number) => {
    const [text, from, length] = [7, 8, 9].map((first) => `$${first + 3 * slot}`);
    const of = `case t${slot} when 0 then b.dims when 1 then b.sums else b.bins end`;
    return {
      columns: [`t${slot}`, `f${slot}`, `l${slot}`],
      casts: [`${text}::int[]`, `${from}::int[]`, `${length}::int[]`],
      sql: `substr(${of}, f${slot}, l${slot})`,
    };
  };
  const slices = slots.map(slice);
  const values = slots.flatMap((slot) => {
    const at = reading.map(({ pieces }) => pieces[slot]);
    return [
      at.map((piece) => ["dims", "sums", "bins"].indexOf(piece?.text ?? "dims")),
      at.map((piece) => (piece?.offset ?? 0) + 1),
      at.map((piece) => piece?.bytes ?? 0),
    ];
  });
  const rows = await db.query<{ part: number; bytes: Buffer }>(
    `select b.part, ${slices.map(({ sql }) => sql).join(" || ")} as bytes
     from unnest($4::text[], $5::int[], $6::bigint[], ${slices.flatMap(({ casts }) => casts).join(", ")})
       as w (grain, bucket, part, ${slices.flatMap(({ columns }) => columns).join(", ")})
     join analytics_blocks b on b.organization = $1 and b.environment = $2 and b.family = $3 and b.grain = w.grain and b.bucket = w.bucket and b.part = w.part`,
    [scope.organization, scope.environment, family, ...identities(reading), ...values],
  );
  if (rows.length < reading.length) throw new BlockGone();
  const byPart = new Map(rows.map(({ part, bytes }) => [part, bytes]));
  for (const { part, pieces } of reading) {
    const all = byPart.get(part) as Buffer;
    const block = known.get(part) as CachedBlock;
    let from = 0;
    for (const { name, bytes } of pieces) {
      block.columns.set(name, new Uint8Array(all.subarray(from, from + bytes)));
      from += bytes;
    }
    cache.grew(part, block, from);
  }
}

// What requests found in merged blocks, which never change: the next request of the kind, be it for another window, a series or the window before, adds that up instead.

/** Bytes that a process keeps. */
const mostBytes = 64 * 1024 * 1024;
const leastRows = 16;
/** A digest must have fewer rows than the block by this factor. */
const leastShare = 4;

type Digests = Map<number, Block>;

export class DigestCache {
  readonly #byRequest = new Map<string, { readonly digests: Digests; bytes: number }>();
  readonly #most: number;
  #bytes = 0;

  constructor(most = mostBytes) {
    this.#most = most;
  }

  get bytes(): number {
    return this.#bytes;
  }

  of(request: string): ReadonlyMap<number, Block> {
    const found = this.#byRequest.get(request) ?? { digests: new Map(), bytes: 0 };
    this.#byRequest.delete(request);
    this.#byRequest.set(request, found);
    return found.digests;
  }

  add(request: string, part: number, digest: Block): void {
    const found = this.#byRequest.get(request);
    if (!found || found.digests.has(part)) return;
    const bytes = bytesOf(digest);
    found.digests.set(part, digest);
    found.bytes += bytes;
    this.#bytes += bytes;
    for (const [oldest, { bytes: freed }] of this.#byRequest) {
      if (this.#bytes <= this.#most) return;
      this.#byRequest.delete(oldest);
      this.#bytes -= freed;
    }
  }
}

/** Arrays take some hundred bytes besides what is in them. */
const bytesOf = ({ rows, dims, sums, bins }: Block): number =>
  300 * (1 + dims.length + sums.length + 3 * bins.length) +
  rows * (2 * dims.length + 8 * sums.length) +
  bins.reduce((all, { row }) => all + 14 * row.length, 0);

const caches = new WeakMap<FactsReader, DigestCache>();

function digestsOf(facts: FactsReader): DigestCache {
  const known = caches.get(facts) ?? new DigestCache();
  caches.set(facts, known);
  return known;
}

/** A scan that makes use of digests. `request` names what it looks for, and for whom. */
export class DigestingScan {
  readonly scan: Scan;
  readonly #cache: DigestCache;
  readonly #request: string;
  readonly #digests: ReadonlyMap<number, Block>;
  #isWorthwhile = true;

  constructor(facts: FactsReader, request: string, scan: Scan) {
    this.scan = scan;
    this.#cache = digestsOf(facts);
    this.#request = request;
    this.#digests = this.#cache.of(request);
  }

  knows({ part }: BlockRow): boolean {
    return this.#digests.has(part);
  }

  addKnown({ part }: BlockRow, window: number): void {
    this.scan.addDigest(this.#digests.get(part) as Block, window);
  }

  add({ part, grain }: BlockRow, columns: Columns, window: number): void {
    if (!this.#isWorthwhile || grain === "minute" || columns.rows < leastRows) {
      this.scan.add(columns, window);
      return;
    }
    const digest = this.scan.digestOf(columns);
    this.#isWorthwhile = digest.rows * leastShare <= columns.rows;
    if (this.#isWorthwhile) this.#cache.add(this.#request, part, digest);
    this.scan.addDigest(digest, window);
  }
}
