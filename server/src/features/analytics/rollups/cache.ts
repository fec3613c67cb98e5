import {
  type Bins,
  BinsRoom,
  binPlacesIn,
  type Columns,
  type EncodedBlock,
  type Place,
  placeIn,
  unpack,
  unpackBins,
} from "@aos/rollup";
import type { ReadContext } from "../../../kernel/context.ts";
import type { FactsReader } from "../../../kernel/facts.ts";
import { settingsOf } from "../../admin/public.ts";
import { firstNumber, noneNumber, otherNumber, readLabelColumns } from "./families.ts";

export type Text = "dims" | "sums" | "bins";

/** What of a block is in memory. Blocks never change. */
export interface CachedBlock {
  /** The whole of it, or only its heads. */
  readonly encoded: EncodedBlock;
  readonly isWhole: boolean;
  /** Of one of which only the heads are there: the bytes of columns. */
  readonly columns: Map<string, Uint8Array>;
  bytes: number;
}

export const columnName = (text: Text, at: number): string => `${text} ${at}`;

/** Bytes of columns that a process keeps. */
const mostBytes = 128 * 1024 * 1024;
/** What a block takes besides its columns, about. */
const overhead = 600;

export class BlockCache {
  readonly #blocks = new Map<number, CachedBlock>();
  readonly #most: number;
  #bytes = 0;

  constructor(most = mostBytes) {
    this.#most = most;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get(part: number): CachedBlock | undefined {
    const block = this.#blocks.get(part);
    if (!block) return undefined;
    this.#blocks.delete(part);
    this.#blocks.set(part, block);
    return block;
  }

  /** Copies what it keeps: as it was read, a few bytes are part of 64 kB that came from the database, and would keep all of them. */
  add(part: number, { rows, ...given }: EncodedBlock, isWhole: boolean): CachedBlock {
    const [dims, sums, bins] = [copyOf(given.dims), copyOf(given.sums), copyOf(given.bins)];
    const block: CachedBlock = { encoded: { rows, dims, sums, bins }, isWhole, columns: new Map(), bytes: 0 };
    this.#blocks.set(part, block);
    this.grew(part, block, overhead + dims.length + sums.length + bins.length);
    return block;
  }

  /** Says that a block has grown. Those that were used longest ago go where there is no room. */
  grew(part: number, block: CachedBlock, bytes: number): void {
    if (this.#blocks.get(part) !== block) return;
    block.bytes += bytes;
    this.#bytes += bytes;
    for (const [oldest, { bytes: freed }] of this.#blocks) {
      if (this.#bytes <= this.#most) return;
      this.#blocks.delete(oldest);
      this.#bytes -= freed;
    }
  }
}

/** In memory of its own, not in what small buffers share. */
function copyOf(bytes: Buffer): Buffer {
  const copy = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(copy);
  return copy;
}

const caches = new WeakMap<FactsReader, BlockCache>();

export function cacheOf(facts: FactsReader): BlockCache {
  const known = caches.get(facts);
  if (known) return known;
  const cache = new BlockCache();
  caches.set(facts, cache);
  return cache;
}

export class Unpacker {
  readonly #dims: Uint16Array[] = [];
  readonly #sums: Float64Array[] = [];
  readonly #rooms: BinsRoom[] = [];
  /** The number of a value that a block does not know of. */
  readonly #missing: number;

  constructor(missing: number) {
    this.#missing = missing;
  }

  /** Each column is unpacked once, however often it is asked for. */
  columnsOf(block: CachedBlock): Columns {
    const { rows } = block.encoded;
    const [dims, sums, bins]: [Uint16Array[], Float64Array[], Bins[]] = [[], [], []];
    const once = <T>(made: T[], at: number, make: () => T): T => {
      const column = made[at] ?? make();
      made[at] = column;
      return column;
    };
    return {
      rows,
      dim: (at) => once(dims, at, () => this.#dim(block, at)),
      sum: (at) => once(sums, at, () => this.#sum(block, at)),
      bins: (at) => once(bins, at, () => this.#bins(block, at)),
    };
  }

  #sum(block: CachedBlock, at: number): Float64Array {
    const { sums, rows } = block.encoded;
    const place = placeIn(sums, rows, at) as Place;
    return plain(block, "sums", at, place, roomIn(this.#sums, at, rows, Float64Array));
  }

  #dim(block: CachedBlock, at: number): Uint16Array {
    const { dims, rows } = block.encoded;
    const into = roomIn(this.#dims, at, rows, Uint16Array);
    const place = placeIn(dims, rows, at);
    return place ? plain(block, "dims", at, place, into) : into.fill(this.#missing, 0, rows);
  }

  #bins(block: CachedBlock, at: number): Bins {
    const { bins, rows } = block.encoded;
    this.#rooms[at] ??= new BinsRoom();
    const places = binPlacesIn(bins, rows, at);
    if (block.isWhole) return unpackBins(places, bins, 0, this.#rooms[at]);
    return unpackBins(places, columnBytes(block, "bins", at), places.perRow.offset, this.#rooms[at]);
  }
}

const columnBytes = ({ columns }: CachedBlock, text: Text, at: number): Uint8Array =>
  columns.get(columnName(text, at)) ?? new Uint8Array(0);

function plain<A extends Uint16Array | Float64Array>(
  block: CachedBlock,
  text: "dims" | "sums",
  at: number,
  place: Place,
  into: A,
): A {
  if (block.isWhole) return unpack(place, block.encoded[text], place.offset, into);
  return unpack(place, columnBytes(block, text, at), 0, into);
}

function roomIn<A extends Uint16Array | Float64Array>(
  arrays: A[],
  at: number,
  rows: number,
  make: new (length: number) => A,
): A {
  const known = arrays[at];
  if (known && known.length >= rows) return known;
  const room = new make(2 * rows);
  arrays[at] = room;
  return room;
}

// Numbers of dimensions' values, as blocks have them. They never change, and new ones are larger, so that only those need to be read.

export class DimensionValues {
  readonly #texts: string[] = [];
  readonly #known = new Set<string>();

  get last(): number {
    return Math.max(noneNumber, this.#texts.length - 1);
  }

  add(number: number, text: string): void {
    this.#texts[number] = text;
    this.#known.add(text);
  }

  has(text: string): boolean {
    return this.#known.has(text);
  }

  isFull(most: number): boolean {
    return this.last - firstNumber + 1 >= most;
  }

  /** `other` for those beyond the limit, null for none. */
  textOf(number: number): string | null {
    return number === otherNumber ? "other" : (this.#texts[number] ?? null);
  }

  texts(): string[] {
    return this.#texts.flatMap((text) => text ?? []);
  }
}

const known = new WeakMap<FactsReader, Map<string, DimensionValues>>();

type Reading = Pick<ReadContext, "db" | "scope" | "facts">;

export async function valuesOf(
  { db, scope, facts }: Reading,
  dimensions: Iterable<string>,
): Promise<ReadonlyMap<string, DimensionValues>> {
  const all = known.get(facts) ?? new Map<string, DimensionValues>();
  known.set(facts, all);
  const asked = new Map(
    [...dimensions].map((dimension) => {
      const name = JSON.stringify([scope.organization, scope.environment, dimension]);
      const values = all.get(name) ?? new DimensionValues();
      all.set(name, values);
      return [dimension, values] as const;
    }),
  );
  if (asked.size === 0) return asked;
  const rows = await db.query<{ dimension: string; number: number; value: string }>(
    `select v.dimension, v.number, v.value from unnest($3::text[], $4::int[]) as k (dimension, last)
     join analytics_values v on v.organization = $1 and v.environment = $2 and v.dimension = k.dimension and v.number > k.last`,
    [scope.organization, scope.environment, [...asked.keys()], [...asked.values()].map(({ last }) => last)],
  );
  for (const { dimension, number, value } of rows) asked.get(dimension)?.add(number, value);
  return asked;
}

/** The labels that are or were declared as dimensions, in the order of their columns; those that have none yet come last. */
export async function knownLabels(ctx: Reading): Promise<string[]> {
  return [...new Set([...(await readLabelColumns(ctx.db, ctx.scope)), ...settingsOf(ctx).analytics.labels])];
}
