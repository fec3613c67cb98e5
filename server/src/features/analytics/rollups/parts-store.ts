import { BlockBuilder, encode, merge } from "@aos/rollup";
import type { QueryContext } from "../../../kernel/db.ts";
import type { Cell } from "./fact-values.ts";
import {
  dayMinutes,
  dayOf,
  hourMinutes,
  hourOf,
  minuteMs,
  noneNumber,
  quarterMinutes,
  quarterOf,
  shapeOf,
} from "./families.ts";
import type { Family } from "./measures.ts";

export type BlockGrain = "minute" | "quarter" | "hour" | "day";

export interface Bucket {
  readonly family: Family;
  readonly grain: BlockGrain;
  readonly bucket: number;
}

export class Difference {
  readonly #builders = new Map<Family, Map<number, BlockBuilder>>();
  readonly labels: number;

  constructor(labels: number) {
    this.labels = labels;
  }

  add(minute: number, cells: readonly Cell[], sign: 1 | -1): void {
    for (const { family, dims, sums, bins } of cells) {
      const { dims: columns } = shapeOf(family, this.labels);
      // What was stored before a label was declared has no value of it.
      const padded = dims.length === columns ? dims : [...dims, ...Array(columns - dims.length).fill(noneNumber)];
      this.#of(family, minute).add(padded, sums, bins, sign);
    }
  }

  #of(family: Family, minute: number): BlockBuilder {
    const minutes = this.#builders.get(family) ?? new Map<number, BlockBuilder>();
    this.#builders.set(family, minutes);
    const builder = minutes.get(minute) ?? new BlockBuilder(shapeOf(family, this.labels));
    minutes.set(minute, builder);
    return builder;
  }

  minutes(): MinuteBlock[] {
    return [...this.#builders].flatMap(([family, minutes]) =>
      [...minutes].flatMap(([minute, builder]) => {
        const block = builder.build();
        return block.rows === 0 ? [] : [{ family, minute, block }];
      }),
    );
  }
}

type Block = ReturnType<BlockBuilder["build"]>;
interface MinuteBlock {
  readonly family: Family;
  readonly minute: number;
  readonly block: Block;
}

export interface NewPart extends Bucket {
  readonly block: Block;
}

const partsAtOnce = 200;

export async function writeParts({ db, scope }: QueryContext, parts: readonly NewPart[]): Promise<void> {
  for (let at = 0; at < parts.length; at += partsAtOnce) {
    const some = parts.slice(at, at + partsAtOnce);
    const encoded = some.map(({ block }) => encode(block));
    await db.query(
      `insert into analytics_blocks (organization, environment, family, grain, bucket, rows, dims, sums, bins)
       select $1, $2, * from unnest($3::text[], $4::text[], $5::int[], $6::int[], $7::bytea[], $8::bytea[], $9::bytea[])`,
      [
        scope.organization,
        scope.environment,
        some.map(({ family }) => family),
        some.map(({ grain }) => grain),
        some.map(({ bucket }) => bucket),
        encoded.map(({ rows }) => rows),
        encoded.map(({ dims }) => dims),
        encoded.map(({ sums }) => sums),
        encoded.map(({ bins }) => bins),
      ],
    );
  }
}

async function readUnmerged({ db, scope }: QueryContext, buckets: readonly Bucket[]): Promise<ReadonlySet<string>> {
  const rows = await db.query<Bucket>(
    `select u.family, u.grain, u.bucket from unnest($3::text[], $4::text[], $5::int[]) as b(family, grain, bucket)
     join analytics_unmerged u on u.organization = $1 and u.environment = $2 and u.family = b.family and u.grain = b.grain and u.bucket = b.bucket`,
    [scope.organization, scope.environment, ...columnsOfBuckets(buckets)],
  );
  return new Set(rows.map(keyOf));
}

export async function markUnmerged({ db, scope }: QueryContext, buckets: readonly Bucket[]): Promise<void> {
  if (buckets.length === 0) return;
  await db.query(
    `insert into analytics_unmerged (organization, environment, family, grain, bucket)
     select $1, $2, * from unnest($3::text[], $4::text[], $5::int[]) on conflict do nothing`,
    [scope.organization, scope.environment, ...columnsOfBuckets(buckets)],
  );
}

const columnsOfBuckets = (buckets: readonly Bucket[]) => [
  buckets.map(({ family }) => family),
  buckets.map(({ grain }) => grain),
  buckets.map(({ bucket }) => bucket),
];
const keyOf = ({ family, grain, bucket }: Bucket): string => `${family} ${grain} ${bucket}`;

/** What minutes are merged to, the smallest first, each from the one before. */
export const larger = [
  { grain: "quarter", madeOf: "minute", of: quarterOf, minutes: quarterMinutes },
  { grain: "hour", madeOf: "quarter", of: hourOf, minutes: hourMinutes },
  { grain: "day", madeOf: "hour", of: dayOf, minutes: dayMinutes },
] as const;

/**
 * Adds a difference to its minutes, and to quarters, hours and days that are over and merged; those that are not over wait for being merged. Returns the parts that were
 * added to what had been merged or may have many.
 */
export async function addDifference(ctx: QueryContext, difference: Difference, now: number): Promise<Bucket[]> {
  const minutes = difference.minutes();
  if (minutes.length === 0) return [];
  const groups = larger.flatMap(({ grain, of, minutes: length }) =>
    [...Map.groupBy(minutes, ({ family, minute }) => keyOf({ family, grain, bucket: of(minute) })).values()].map(
      (some) => {
        const { family, minute } = some[0] as MinuteBlock;
        return { family, grain, bucket: of(minute), over: (of(minute) + length) * minuteMs <= now, some };
      },
    ),
  );
  const unmerged = await readUnmerged(ctx, groups);
  const standing = groups.filter((group) => !unmerged.has(keyOf(group)));
  const late: NewPart[] = standing
    .filter(({ over }) => over)
    .map(({ family, grain, bucket, some }) => ({
      family,
      grain,
      bucket,
      block: merge(
        shapeOf(family, difference.labels),
        some.map(({ block }) => block),
      ),
    }));
  const parts = minutes.map(
    ({ family, minute, block }): NewPart => ({ family, grain: "minute", bucket: minute, block }),
  );
  await writeParts(ctx, [...parts, ...late]);
  await markUnmerged(
    ctx,
    standing.filter(({ over }) => !over),
  );
  const lateQuarters = new Set(late.map(keyOf));
  return [
    ...parts.filter((part) => lateQuarters.has(keyOf({ ...part, grain: "quarter", bucket: quarterOf(part.bucket) }))),
    ...late,
  ];
}
