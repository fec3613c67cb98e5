import type { QueryContext } from "../../../kernel/db.ts";
import type { FactColumns } from "./facts.ts";
import { families, firstNumber, type LabelColumns, labelDimension, noneNumber, otherNumber } from "./families.ts";
import { type Family, familyDimensions, mostLabelValues, mostValues } from "./measures.ts";

const mostKept = 500_000;

export interface Cell extends Omit<FactColumns, "dims" | "labels"> {
  readonly dims: readonly number[];
}

type Numbers = Map<string, Map<string, number>>;

/**
 * Numbers of values, as far as this process knows them. They never change, so what was read once holds; what is new gets its number in the transaction of the
 * caller, which has to `forget` where that fails.
 */
export class ValueNumbers {
  #known = new Map<string, Numbers>();
  #kept = 0;

  forget(): void {
    this.#known = new Map();
    this.#kept = 0;
  }

  async number(ctx: QueryContext, facts: readonly FactColumns[], columns: LabelColumns): Promise<Cell[]> {
    if (this.#kept > mostKept) this.forget();
    const numbers = this.#of(ctx.scope);
    const labels = columns.names.map((name) => numbersOf(numbers, labelDimension(name)));
    const own = new Map(families.map((family) => [family, dimensionsIn(numbers, family)]));
    const missing = new Missing();
    for (const { family, dims, labels: values } of facts) {
      for (const [at, known] of (own.get(family) as Named[]).entries()) missing.note(known, dims[at]);
      for (const [at, value] of values.entries()) missing.note(labels[at] as Named, value);
    }
    if (missing.size > 0) await this.#learn(ctx, numbers, missing.all());
    const numberOf = ({ numbers: known }: Named, value: string | null | undefined): number =>
      value === null || value === undefined ? noneNumber : (known.get(value) as number);
    return facts.map(({ family, dims, labels: values, sums, bins }) => ({
      family,
      dims: [
        ...(own.get(family) as Named[]).map((known, at) => numberOf(known, dims[at])),
        ...values.map((value, at) => numberOf(labels[at] as Named, value)),
      ],
      sums,
      bins,
    }));
  }

  #of({ organization, environment }: QueryContext["scope"]): Numbers {
    const name = `${organization} ${environment}`;
    const numbers = this.#known.get(name) ?? new Map<string, Map<string, number>>();
    this.#known.set(name, numbers);
    return numbers;
  }

  async #learn({ db, scope }: QueryContext, numbers: Numbers, missing: readonly Value[]): Promise<void> {
    const keep = (found: readonly Numbered[]): void => {
      for (const { dimension, value, number } of found) numbersOf(numbers, dimension).numbers.set(value, number);
      this.#kept += found.length;
    };
    const columns = [missing.map(([dimension]) => dimension), missing.map(([, value]) => value)];
    keep(
      await db.query<Numbered>(
        `select v.dimension, v.value, v.number from unnest($3::text[], $4::text[]) as m(dimension, value)
         join analytics_values v on v.organization = $1 and v.environment = $2 and v.dimension = m.dimension and v.value = m.value`,
        [scope.organization, scope.environment, ...columns],
      ),
    );
    const fresh = missing.filter(([dimension, value]) => !numbersOf(numbers, dimension).numbers.has(value));
    if (fresh.length > 0) keep(await numberNew(db, scope, fresh));
  }
}

interface Named {
  readonly dimension: string;
  readonly numbers: Map<string, number>;
}

function numbersOf(all: Numbers, dimension: string): Named {
  const numbers = all.get(dimension) ?? new Map<string, number>();
  all.set(dimension, numbers);
  return { dimension, numbers };
}

const dimensionsIn = (numbers: Numbers, family: Family): Named[] =>
  familyDimensions[family].map((dimension) => numbersOf(numbers, dimension));

type Value = readonly [dimension: string, value: string];

class Missing {
  readonly #values = new Map<string, Set<string>>();
  size = 0;

  note({ dimension, numbers }: Named, value: string | null | undefined): void {
    if (value === null || value === undefined || numbers.has(value)) return;
    const values = this.#values.get(dimension) ?? new Set<string>();
    this.#values.set(dimension, values.add(value));
    this.size++;
  }

  all(): Value[] {
    return [...this.#values].flatMap(([dimension, values]) => [...values].map((value): Value => [dimension, value]));
  }
}

interface Numbered {
  readonly dimension: string;
  readonly value: string;
  readonly number: number;
}

const mostOf = (dimension: string): number => (dimension.startsWith("label:") ? mostLabelValues : mostValues);

/** Gives new values the next numbers, as far as their dimension has any left; the others are `other` for good. */
async function numberNew(
  db: QueryContext["db"],
  { organization, environment }: QueryContext["scope"],
  fresh: readonly Value[],
): Promise<Numbered[]> {
  const taken = await db.query<{ dimension: string; last: number }>(
    `select dimension, max(number) as last from analytics_values
     where organization = $1 and environment = $2 and dimension = any($3::text[]) group by dimension`,
    [organization, environment, [...new Set(fresh.map(([dimension]) => dimension))]],
  );
  const lasts = new Map(taken.map(({ dimension, last }) => [dimension, last]));
  const numbered = fresh.map(([dimension, value]) => {
    const number = (lasts.get(dimension) ?? firstNumber - 1) + 1;
    if (number - firstNumber >= mostOf(dimension)) return { dimension, value, number: otherNumber };
    lasts.set(dimension, number);
    return { dimension, value, number };
  });
  const stored = numbered.filter(({ number }) => number !== otherNumber);
  if (stored.length > 0)
    await db.query(
      `insert into analytics_values (organization, environment, dimension, number, value)
       select $1, $2, * from unnest($3::text[], $4::int[], $5::text[])`,
      [
        organization,
        environment,
        stored.map(({ dimension }) => dimension),
        stored.map(({ number }) => number),
        stored.map(({ value }) => value),
      ],
    );
  return numbered;
}
