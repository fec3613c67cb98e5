import { type Block, BlockBuilder, encode, type Hit, merge } from "@aos/rollup";
import type pg from "pg";
import type { Scope } from "../../../kernel/principal.ts";
import { type Family, familyBins, familySums } from "./measures.ts";
import { type StoredGrain, storedGrains } from "./plan.ts";
import { dimensionsOf } from "./requests.ts";

/** What one thing contributes; dimensions by name, those left out have no value. */
export interface Fact {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly dimensions: Readonly<Record<string, string | null>>;
  readonly sums: Readonly<Record<string, number>>;
  readonly bins?: Readonly<Record<string, readonly Hit[]>>;
}

interface Storing {
  readonly pool: Pick<pg.Pool, "query">;
  readonly scope: Scope;
  readonly family: Family;
  readonly labels: readonly string[];
}

export class Numbers {
  readonly byDimension = new Map<string, Map<string, number>>();

  of(dimension: string, text: string | null): number {
    if (text === null) return 1;
    const numbers = this.byDimension.get(dimension) ?? new Map<string, number>();
    this.byDimension.set(dimension, numbers);
    const number = numbers.get(text) ?? numbers.size + 2;
    numbers.set(text, number);
    return number;
  }
}

interface StoringOptions {
  readonly parts?: number;
  readonly isMerged?: (grain: StoredGrain, bucket: number) => boolean;
  readonly numbers?: Numbers;
}

/**
 * Stores facts as blocks: minutes in `parts` parts, and merged quarters, hours and days but those that `isMerged` leaves out, which get a wrong block that must not count.
 */
export async function storeFacts(
  storing: Storing,
  facts: readonly Fact[],
  { parts = 1, isMerged = () => true, numbers = new Numbers() }: StoringOptions = {},
): Promise<void> {
  const { family, labels } = storing;
  const names = dimensionsOf(family, labels);
  for (const label of labels) numbers.of("label", label);
  const shape = { dims: names.length, sums: familySums[family].length, bins: familyBins[family].length };
  const minutes = new Map<number, BlockBuilder[]>();
  for (const [index, { at, dimensions, sums, bins = {} }] of facts.entries()) {
    const bucket = Math.floor(at / 60_000);
    const builders = minutes.get(bucket) ?? Array.from({ length: parts }, () => new BlockBuilder(shape));
    minutes.set(bucket, builders);
    const row = names.map((name) => numbers.of(name, dimensions[name] ?? null));
    const counted = familySums[family].map((name) => sums[name] ?? 0);
    builders[index % parts]?.add(
      row,
      counted,
      familyBins[family].map((name) => bins[name] ?? []),
    );
  }
  const blocks = [...minutes].map(([bucket, builders]) => ({ bucket, built: builders.map((one) => one.build()) }));
  const store = new BlockWriter(storing);
  for (const { bucket, built } of blocks) for (const block of built) await store.add("minute", bucket, block);
  for (const grain of ["quarter", "hour", "day"] as const) {
    for (const [bucket, within] of Map.groupBy(
      blocks,
      (one) => Math.floor(one.bucket / storedGrains[grain]) * storedGrains[grain],
    )) {
      const merged = merge(
        shape,
        within.flatMap(({ built }) => built),
      );
      if (isMerged(grain, bucket)) await store.add(grain, bucket, merged);
      else await store.addUnmerged(grain, bucket, merge(shape, [merged, merged]));
    }
  }
  await store.flush();
  await storeNumbers(storing, numbers);
}

class BlockWriter {
  readonly #storing: Storing;
  #waiting: { grain: StoredGrain; bucket: number; encoded: ReturnType<typeof encode> }[] = [];

  constructor(storing: Storing) {
    this.#storing = storing;
  }

  async add(grain: StoredGrain, bucket: number, block: Block): Promise<void> {
    if (block.rows > 0) this.#waiting.push({ grain, bucket, encoded: encode(block) });
    if (this.#waiting.length >= 500) await this.flush();
  }

  async addUnmerged(grain: StoredGrain, bucket: number, block: Block): Promise<void> {
    const { pool, scope, family } = this.#storing;
    await pool.query(
      "insert into analytics_unmerged (organization, environment, family, grain, bucket) values ($1, $2, $3, $4, $5)",
      [scope.organization, scope.environment, family, grain, bucket],
    );
    await this.add(grain, bucket, block);
  }

  async flush(): Promise<void> {
    const { pool, scope, family } = this.#storing;
    const waiting = this.#waiting;
    this.#waiting = [];
    await pool.query(
      `insert into analytics_blocks (organization, environment, family, grain, bucket, rows, dims, sums, bins)
       select $1, $2, $3, * from unnest($4::text[], $5::int[], $6::int[], $7::bytea[], $8::bytea[], $9::bytea[])`,
      [
        scope.organization,
        scope.environment,
        family,
        waiting.map(({ grain }) => grain),
        waiting.map(({ bucket }) => bucket),
        ...(["rows", "dims", "sums", "bins"] as const).map((part) => waiting.map(({ encoded }) => encoded[part])),
      ],
    );
  }
}

async function storeNumbers({ pool, scope }: Storing, { byDimension }: Numbers): Promise<void> {
  const rows = [...byDimension].flatMap(([dimension, numbers]) =>
    [...numbers].map(([value, number]) => ({ dimension, number, value })),
  );
  await pool.query(
    `insert into analytics_values (organization, environment, dimension, number, value)
     select $1, $2, * from unnest($3::text[], $4::int[], $5::text[]) on conflict do nothing`,
    [
      scope.organization,
      scope.environment,
      rows.map(({ dimension }) => dimension),
      rows.map(({ number }) => number),
      rows.map(({ value }) => value),
    ],
  );
}
