import { type Block, decode, merge } from "@aos/rollup";
import type { QueryContext } from "../../../kernel/db.ts";
import { minuteMs, noneNumber, quarterMinutes, readLabelColumns, shapeOf } from "./families.ts";
import type { Family } from "./measures.ts";
import { type Bucket, larger, type NewPart, writeParts } from "./parts-store.ts";

// Quarters of an hour, hours and days that are over become blocks of their own, made of their minutes, quarters and hours, and many parts of a bucket become one.

interface Part {
  readonly part: number;
  readonly bucket: number;
  readonly block: Block;
}

/** With the shape that blocks have now: columns of labels only come. */
interface Merging extends QueryContext {
  readonly labels: number;
}

const mergingOf = async (ctx: QueryContext): Promise<Merging> => ({
  ...ctx,
  labels: (await readLabelColumns(ctx.db, ctx.scope)).length,
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
  { db, scope }: QueryContext,
  { family, grain }: Pick<Bucket, "family" | "grain">,
  parts: readonly Part[],
) {
  if (parts.length === 0) return;
  await db.query(
    `delete from analytics_blocks where organization = $1 and environment = $2 and family = $3 and grain = $4
       and bucket = any($5::int[]) and part = any($6::bigint[])`,
    [
      scope.organization,
      scope.environment,
      family,
      grain,
      [...new Set(parts.map(({ bucket }) => bucket))],
      parts.map(({ part }) => part),
    ],
  );
}

const sumOf = ({ labels }: Merging, family: Family, parts: readonly Part[]): Block =>
  merge(
    shapeOf(family, labels),
    parts.map(({ block }) => block),
  );

const madeFrom = larger.map(({ grain, madeOf, minutes }) => `('${grain}', '${madeOf}', ${minutes})`).join(", ");

/**
 * Buckets that are over and not merged, once all that they are made of is merged: the largest and the latest first, so that what has just ended does not wait where many
 * old ones do.
 */
export async function findDue(
  db: QueryContext["db"],
  now: number,
  most: number,
): Promise<(QueryContext["scope"] & Bucket)[]> {
  return db.query<QueryContext["scope"] & Bucket>(
    `select u.organization, u.environment, u.family, u.grain, u.bucket
     from (values ${madeFrom}) as m (grain, made_of, minutes) join analytics_unmerged u on u.grain = m.grain
     where u.bucket + m.minutes <= $1 and (m.made_of = 'minute' or (select s.bucket from analytics_unmerged s
       where s.organization = u.organization and s.environment = u.environment and s.family = u.family and s.grain = m.made_of
         and s.bucket >= u.bucket and s.bucket < u.bucket + m.minutes limit 1) is null)
     order by m.minutes desc, u.bucket desc limit $2`,
    [Math.floor(now / minuteMs), most],
  );
}

/** Recomputes the block of a larger bucket from the smaller ones, and merges the parts of each of these into one. */
export async function mergeBucket(ctx: QueryContext, { family, grain, bucket }: Bucket): Promise<void> {
  const made = larger.find((one) => one.grain === grain);
  if (!made) throw new Error("minutes are made of facts");
  const { madeOf: of, minutes } = made;
  const merging = await mergingOf(ctx);
  const parts = await readParts(merging, { family, grain: of }, bucket, bucket + minutes);
  const former = await readParts(merging, { family, grain }, bucket, bucket + 1);
  await removeParts(ctx, { family, grain }, former);
  const many = [...Map.groupBy(parts, (part) => part.bucket).values()].filter((some) => some.length > 1);
  const compact = many.map(
    (some): NewPart => ({ family, grain: of, bucket: (some[0] as Part).bucket, block: sumOf(merging, family, some) }),
  );
  await removeParts(ctx, { family, grain: of }, many.flat());
  await writeParts(
    ctx,
    [...compact, { family, grain, bucket, block: sumOf(merging, family, parts) }].filter(({ block }) => block.rows > 0),
  );
  const { organization, environment } = ctx.scope;
  await ctx.db.query(
    "delete from analytics_unmerged where organization = $1 and environment = $2 and family = $3 and grain = $4 and bucket = $5",
    [organization, environment, family, grain, bucket],
  );
}

/** A part larger than all others together by this factor is left alone: rewriting it costs more than reading one more part. */
const muchLarger = 4;

export async function compactBucket(ctx: QueryContext, bucket: Bucket): Promise<void> {
  const { family, grain } = bucket;
  const merging = await mergingOf(ctx);
  const parts = await readParts(merging, bucket, bucket.bucket, bucket.bucket + 1);
  const sorted = parts.toSorted((a, b) => a.block.rows - b.block.rows);
  const rest = sorted.slice(0, -1);
  const size = rest.reduce((sum, { block }) => sum + block.rows, 0);
  const some = size * muchLarger < (sorted.at(-1)?.block.rows ?? 0) ? rest : sorted;
  if (some.length < 2) return;
  await removeParts(ctx, bucket, some);
  const block = sumOf(merging, family, some);
  if (block.rows > 0) await writeParts(ctx, [{ family, grain, bucket: bucket.bucket, block }]);
}

/** Minutes of quarters that are not merged yet which have more than a few parts. */
export async function findManyParts(db: QueryContext["db"], most: number): Promise<(QueryContext["scope"] & Bucket)[]> {
  return db.query<QueryContext["scope"] & Bucket>(
    `select u.organization, u.environment, u.family, b.grain, b.bucket from analytics_unmerged u cross join lateral (
       select grain, bucket from analytics_blocks
       where organization = u.organization and environment = u.environment and family = u.family and grain = 'minute'
         and bucket >= u.bucket and bucket < u.bucket + ${quarterMinutes}
       group by grain, bucket having count(*) > $1) b
     where u.grain = 'quarter' limit $2`,
    [fewParts, most],
  );
}
/** Parts of a minute that are left alone while its quarter is not merged. */
const fewParts = 8;
