import { type Block, decode, merge } from "@aos/rollup";
import type { Looking } from "./fact-sources.ts";
import { dayMinutes, hourMinutes, minuteMs, noneNumber, shapeOf } from "./families.ts";
import { readLabelColumns } from "./labels.ts";
import type { Family } from "./measures.ts";
import { type BlockGrain, type Bucket, type NewPart, writeParts } from "./roll-write.ts";

// Hours and days that are over become blocks of their own, made of their minutes and hours, and many parts of a bucket become one.

interface Part {
  readonly part: number;
  readonly bucket: number;
  readonly block: Block;
}

/** With the shape that blocks have now: columns of labels only come. */
interface Merging extends Looking {
  readonly labels: number;
}

const mergingOf = async (looking: Looking): Promise<Merging> => ({
  ...looking,
  labels: (await readLabelColumns(looking.db, looking.scope)).length,
});

async function readParts(
  { db, scope, labels }: Merging,
  { family, grain }: Pick<Bucket, "family" | "grain">,
  from: number,
  to: number,
): Promise<Part[]> {
  const rows = await db.query<{ part: number; bucket: number; rows: number; dims: Buffer; sums: Buffer; bins: Buffer }>(
    `select part, bucket, rows, dims, sums, bins from analytics_blocks
     where organization = $1 and environment = $2 and family = $3 and grain = $4 and bucket >= $5 and bucket < $6`,
    [scope.organization, scope.environment, family, grain, from, to],
  );
  return rows.map(({ part, bucket, ...encoded }) => ({
    part,
    bucket,
    block: decode(shapeOf(family, labels), encoded, noneNumber),
  }));
}

async function removeParts(
  { db, scope }: Looking,
  { family, grain }: Pick<Bucket, "family" | "grain">,
  parts: readonly Part[],
) {
  if (parts.length === 0) return;
  await db.query(
    `delete from analytics_blocks where organization = $1 and environment = $2 and family = $3 and grain = $4
       and bucket = any($5::int[]) and part = any($6::bigint[])`,
    [
      ...[scope.organization, scope.environment, family, grain],
      ...[[...new Set(parts.map(({ bucket }) => bucket))], parts.map(({ part }) => part)],
    ],
  );
}

const sumOf = ({ labels }: Merging, family: Family, parts: readonly Part[]): Block =>
  merge(
    shapeOf(family, labels),
    parts.map(({ block }) => block),
  );

/** What a bucket of a grain is made of. */
const made = {
  hour: { of: "minute", minutes: hourMinutes },
  day: { of: "hour", minutes: dayMinutes },
} as const satisfies Partial<Record<BlockGrain, unknown>>;

/** Buckets that are over and not merged, the oldest first; days only once all of their hours are merged. */
export async function findDue(db: Looking["db"], now: number, most: number): Promise<(Looking["scope"] & Bucket)[]> {
  return db.query<Looking["scope"] & Bucket>(
    `select u.organization, u.environment, u.family, u.grain, u.bucket from analytics_unmerged u
     where u.bucket + case u.grain when 'hour' then ${hourMinutes} else ${dayMinutes} end <= $1
       and (u.grain = 'hour' or not exists (select from analytics_unmerged h
         where h.organization = u.organization and h.environment = u.environment and h.family = u.family and h.grain = 'hour'
           and h.bucket >= u.bucket and h.bucket < u.bucket + ${dayMinutes}))
     order by u.grain = 'day', u.bucket limit $2`,
    [Math.floor(now / minuteMs), most],
  );
}

/** Makes the block of an hour or a day anew from what it consists of, whose parts become one each. */
export async function mergeBucket(looking: Looking, { family, grain, bucket }: Bucket): Promise<void> {
  if (grain === "minute") throw new Error("minutes are made of facts");
  const { of, minutes } = made[grain];
  const merging = await mergingOf(looking);
  const parts = await readParts(merging, { family, grain: of }, bucket, bucket + minutes);
  const former = await readParts(merging, { family, grain }, bucket, bucket + 1);
  await removeParts(looking, { family, grain }, former);
  const many = [...Map.groupBy(parts, (part) => part.bucket).values()].filter((some) => some.length > 1);
  const compact = many.map(
    (some): NewPart => ({ family, grain: of, bucket: (some[0] as Part).bucket, block: sumOf(merging, family, some) }),
  );
  await removeParts(looking, { family, grain: of }, many.flat());
  await writeParts(
    looking,
    [...compact, { family, grain, bucket, block: sumOf(merging, family, parts) }].filter(({ block }) => block.rows > 0),
  );
  const { organization, environment } = looking.scope;
  await looking.db.query(
    "delete from analytics_unmerged where organization = $1 and environment = $2 and family = $3 and grain = $4 and bucket = $5",
    [organization, environment, family, grain, bucket],
  );
}

/** A part that is larger than all others together by so much stays as it is: writing it anew costs more than reading one part more. */
const muchLarger = 4;

/** Makes many parts of a bucket one, besides a much larger one. */
export async function compactBucket(looking: Looking, bucket: Bucket): Promise<void> {
  const { family, grain } = bucket;
  const merging = await mergingOf(looking);
  const parts = await readParts(merging, bucket, bucket.bucket, bucket.bucket + 1);
  const sorted = parts.toSorted((a, b) => a.block.rows - b.block.rows);
  const rest = sorted.slice(0, -1);
  const size = rest.reduce((sum, { block }) => sum + block.rows, 0);
  const some = size * muchLarger < (sorted.at(-1)?.block.rows ?? 0) ? rest : sorted;
  if (some.length < 2) return;
  await removeParts(looking, bucket, some);
  const block = sumOf(merging, family, some);
  if (block.rows > 0) await writeParts(looking, [{ family, grain, bucket: bucket.bucket, block }]);
}

/** Minutes of hours that are not merged yet which have more than a few parts. */
export async function findManyParts(db: Looking["db"], most: number): Promise<(Looking["scope"] & Bucket)[]> {
  return db.query<Looking["scope"] & Bucket>(
    `select b.organization, b.environment, b.family, b.grain, b.bucket from analytics_unmerged u
     join analytics_blocks b on b.organization = u.organization and b.environment = u.environment and b.family = u.family and b.grain = 'minute'
       and b.bucket >= u.bucket and b.bucket < u.bucket + ${hourMinutes}
     where u.grain = 'hour' group by 1, 2, 3, 4, 5 having count(*) > $1 limit $2`,
    [fewParts, most],
  );
}
/** Parts of a minute that are left alone while its hour is not merged. */
const fewParts = 8;
