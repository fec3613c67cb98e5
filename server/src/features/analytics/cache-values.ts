import type { ReadContext } from "../../kernel/context.ts";
import type { FactsReader } from "../../kernel/facts.ts";
import { settingsOf } from "../admin/public.ts";
import { firstNumber, noneNumber, otherNumber } from "./families.ts";
import { readLabelColumns } from "./labels.ts";

// Numbers of dimensions' values, as blocks have them. They never change, and new ones are larger, so that only those need to be read.

/** The values of a dimension. */
export class DimensionValues {
  readonly #texts: string[] = [];
  readonly #known = new Set<string>();

  /** The largest number that is known. */
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

  /** Whether no further value gets a number. */
  isFull(most: number): boolean {
    return this.last - firstNumber + 1 >= most;
  }

  /** `other` for those beyond the limit, null for none. */
  textOf(number: number): string | null {
    return number === otherNumber ? "other" : (this.#texts[number] ?? null);
  }

  /** All values, in the order in which they were first seen. */
  texts(): string[] {
    return this.#texts.flatMap((text) => text ?? []);
  }
}

const known = new WeakMap<FactsReader, Map<string, DimensionValues>>();

type Reading = Pick<ReadContext, "db" | "scope" | "facts">;

/** The values of dimensions that stand in blocks by now. */
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
