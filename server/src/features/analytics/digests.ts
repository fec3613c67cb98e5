import type { Block, Columns, Scan } from "@aos/rollup";
import type { FactsReader } from "../../kernel/facts.ts";
import type { BlockRow } from "./block-store.ts";

// What requests found in merged blocks, which never change: the next request of the kind, be it for another window, a series or the window before, adds that up instead.

/** Bytes that a process keeps. */
const mostBytes = 64 * 1024 * 1024;
/** Rows of a block below which going through them is as cheap. */
const leastRows = 16;
/** A digest must have fewer rows than the block by this factor. */
const leastShare = 4;

/** By part. */
type Digests = Map<number, Block>;

/** Digests by the request, those that were used last. */
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

/** The cache of this process of the service, known by its facts. */
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

  /** Adds a block whose digest is known. */
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
