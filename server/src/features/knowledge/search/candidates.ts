import type { Looking } from "../store.ts";
import { type Conditions, conditionText, filters, restricts } from "./conditions.ts";
import {
  bestPlaces,
  placeAt,
  type ReadPostings,
  readPostings,
  type Scored,
  type SearchedBase,
  scorePostings,
  type Totals,
} from "./postings.ts";

/** Filters that leave no more chunks than these are applied before the ranking. */
export const fewChunks = 20_000;

export interface Wanted {
  readonly bases: readonly SearchedBase[];
  readonly terms: readonly string[];
  /** How many chunks have each term. */
  readonly having: readonly number[];
  /** Which of the terms a chunk must have. */
  readonly required: readonly number[];
  readonly totals: Totals;
  readonly conditions: Conditions;
}

/** Places of the best chunks that may be found, best first: `count`, or all that there are. What others may see makes no difference. */
export async function findCandidates(ctx: Looking, wanted: Wanted, count: number): Promise<number[]> {
  const { bases, terms, having, required, conditions } = wanted;
  let only: Set<number> | null = null;
  if (filters(conditions)) {
    const allowed = await allowedPlaces(ctx, wanted, fewChunks + 1);
    if (allowed.length <= fewChunks) only = new Set(allowed);
  }
  const read = await readPostings(ctx, bases, terms, having, only !== null || required.length > 0);
  if (required.length > 0) only = havingAll(read, required, only);
  const scored = scorePostings(read, wanted.totals, only);
  if (!restricts(conditions)) return [...bestPlaces(scored, count)];
  const found = await inOrder(ctx, wanted, scored, count);
  if (found.length >= count || !scored.capped) return found;
  const allowed = new Set(await allowedPlaces(ctx, wanted, null));
  const whole = await readPostings(ctx, bases, terms, having, true);
  return [...bestPlaces(scorePostings(whole, wanted.totals, allowed), count)];
}

/** The places that stand in the postings of each required term. */
function havingAll({ rows }: ReadPostings, required: readonly number[], only: Set<number> | null): Set<number> {
  return required.reduce<Set<number> | null>((left, wanted) => {
    const own = new Set<number>();
    for (const { term, data } of rows) {
      if (term !== wanted) continue;
      for (let at = 0; at < data.length; at += 6) {
        const place = placeAt(data, at);
        if (left === null || left.has(place)) own.add(place);
      }
    }
    return own;
  }, only) as Set<number>;
}

/** Checks the best in batches, each larger than the last, until enough may be found. */
async function inOrder(ctx: Looking, wanted: Wanted, scored: Scored, count: number): Promise<number[]> {
  const found: number[] = [];
  let checked = 0;
  for (let size = 2 * count; found.length < count && checked < scored.places.length; size *= 4) {
    const order = bestPlaces(scored, checked + size);
    const batch = [...order.subarray(checked)];
    if (batch.length === 0) break;
    const allowed = new Set(await allowedOf(ctx, wanted, batch));
    found.push(...batch.filter((place) => allowed.has(place)));
    checked += batch.length;
  }
  return found.slice(0, count);
}

const joined = `from chunks c
  join documents d on d.organization = c.organization and d.environment = c.environment and d.id = c.document
  join knowledge_bases b on b.organization = c.organization and b.environment = c.environment and b.id = c.base and b.generation = c.generation
  where c.organization = $1 and c.environment = $2 and not c.disabled`;

/** Those of the places that may be found. */
export async function allowedOf(
  { scope, db }: Looking,
  { bases, conditions }: Pick<Wanted, "bases" | "conditions">,
  places: readonly number[],
): Promise<number[]> {
  if (places.length === 0) return [];
  const values: unknown[] = [scope.organization, scope.environment, bases.map(({ id }) => id), places];
  const text = conditionText(conditions, (value) => `$${values.push(value)}`);
  const rows = await db.query<{ place: number }>(
    `select c.place::float8 as place ${joined} and c.base = any($3::text[]) and c.place = any($4::bigint[]) and ${text}`,
    values,
  );
  return rows.map(({ place }) => place);
}

export async function allowedPlaces(
  { scope, db }: Looking,
  { bases, conditions }: Pick<Wanted, "bases" | "conditions">,
  most: number | null,
): Promise<number[]> {
  const values: unknown[] = [scope.organization, scope.environment, bases.map(({ id }) => id), most];
  const text = conditionText(conditions, (value) => `$${values.push(value)}`);
  const rows = await db.query<{ place: number }>(
    `select c.place::float8 as place ${joined} and c.base = any($3::text[]) and ${text} limit $4`,
    values,
  );
  return rows.map(({ place }) => place);
}
