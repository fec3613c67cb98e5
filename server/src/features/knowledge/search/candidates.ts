import type { QueryContext } from "../../../kernel/db.ts";
import type { Question } from "./bm25.ts";
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

/** Filters that leave at most this many chunks are applied before the ranking. */
export const fewChunks = 20_000;

export interface Wanted {
  readonly bases: readonly SearchedBase[];
  readonly question: Pick<Question, "terms" | "often">;
  /** By term, the stems that count as it. */
  readonly stems: readonly (readonly string[])[];
  /** Chunks that have each term. */
  readonly having: readonly number[];
  readonly required: readonly number[];
  readonly totals: Totals;
  readonly conditions: Conditions;
}

/** Best first; `count`, or all. What others may see makes no difference. */
export async function findCandidates(ctx: QueryContext, wanted: Wanted, count: number): Promise<number[]> {
  const { bases, having, required, conditions } = wanted;
  const question = { often: wanted.question.often, stems: wanted.stems };
  let only: Set<number> | null = null;
  if (filters(conditions)) {
    const allowed = await allowedPlaces(ctx, wanted, fewChunks + 1);
    if (allowed.length <= fewChunks) only = new Set(allowed);
  }
  const read = await readPostings(ctx, bases, question, having, only !== null || required.length > 0);
  if (required.length > 0) only = havingAll(read, required, only);
  const scored = scorePostings(read, wanted.totals, only);
  if (!restricts(conditions)) return [...bestPlaces(scored, count)];
  const found = await inOrder(ctx, wanted, scored, count);
  if (found.length >= count || !scored.capped) return found;
  const allowed = new Set(await allowedPlaces(ctx, wanted, null));
  const whole = await readPostings(ctx, bases, question, having, true);
  return [...bestPlaces(scorePostings(whole, wanted.totals, allowed), count)];
}

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

/** In growing batches, until enough are allowed. */
async function inOrder(ctx: QueryContext, wanted: Wanted, scored: Scored, count: number): Promise<number[]> {
  const found: number[] = [];
  let checked = 0;
  for (let size = 2 * count; found.length < count && checked < scored.places.length; size *= 4) {
    const order = bestPlaces(scored, checked + size);
    const batch = [...order.subarray(checked)];
    if (batch.length === 0) break;
    const allowed = await allowedOf(ctx, wanted, batch);
    found.push(...batch.filter((place) => allowed.has(place)));
    checked += batch.length;
  }
  return found.slice(0, count);
}

const joined = `from chunks c
  join documents d on d.organization = c.organization and d.environment = c.environment and d.id = c.document
  join knowledge_bases b on b.organization = c.organization and b.environment = c.environment and b.id = c.base and b.generation = c.generation
  where c.organization = $1 and c.environment = $2 and not c.disabled`;

/** Of these places, those that may be found, with their documents. */
export async function allowedOf(
  { scope, db }: QueryContext,
  { bases, conditions }: Pick<Wanted, "bases" | "conditions">,
  places: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  if (places.length === 0) return new Map();
  const values: unknown[] = [scope.organization, scope.environment, bases.map(({ id }) => id), places];
  const text = conditionText(conditions, (value) => `$${values.push(value)}`);
  const rows = await db.query<{ place: number; document: string }>(
    `select c.place::float8 as place, c.document ${joined} and c.base = any($3::text[]) and c.place = any($4::bigint[]) and ${text}`,
    values,
  );
  return new Map(rows.map(({ place, document }) => [place, document]));
}

export async function allowedPlaces(
  { scope, db }: QueryContext,
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
