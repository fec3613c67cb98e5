import type { Statements } from "../../kernel/machines.ts";
import type { Scope } from "../../kernel/principal.ts";
import { firstNumber } from "./families.ts";

// A label of a task is free text; `customer:acme` is the value `acme` of the label `customer`. An environment declares at most five as dimensions
// (`PATCH /v1/admin/settings`, `analytics.labels`). Each gets a column of blocks, after a family's own dimensions, and keeps it for good.

/** The dimension of `analytics_values` whose values are the labels that have a column, in the order of their columns. */
const columnsDimension = "label";
export const labelDimension = (name: string): `label:${string}` => `label:${name}`;

/** Labels that an environment can have declared over time; later ones get no column. */
export const mostLabelColumns = 32;

/** The value of a label, such as `acme` of `customer` in `customer:acme`; null: the task has none. Of several the first counts. */
export function labelValue(labels: readonly string[], name: string): string | null {
  const found = labels.find((label) => label.startsWith(`${name}:`) && label.length > name.length + 1);
  return found === undefined ? null : found.slice(name.length + 1);
}

/** Labels with columns, in their order. */
export interface LabelColumns {
  /** Every label that was ever declared. */
  readonly names: readonly string[];
  /** Those that are declared now. */
  readonly declared: ReadonlySet<string>;
}

/** The labels that were ever declared, in the order of their columns. */
export async function readLabelColumns(
  db: Statements,
  { organization, environment }: Scope,
): Promise<readonly string[]> {
  const rows = await db.query<{ value: string }>(
    "select value from analytics_values where organization = $1 and environment = $2 and dimension = $3 order by number",
    [organization, environment, columnsDimension],
  );
  return rows.map(({ value }) => value);
}

/** Declared labels that have no column yet: those that get one, and those that nothing is counted by because all columns are taken. */
export function missingColumns(names: readonly string[], declared: readonly string[]) {
  const missing = declared.filter((name) => !names.includes(name));
  const free = Math.max(0, mostLabelColumns - names.length);
  return { given: missing.slice(0, free), uncounted: missing.slice(free) };
}

/** Makes sure of a column for each declared label. */
export async function columnsFor(
  db: Statements,
  { organization, environment }: Scope,
  declared: readonly string[],
): Promise<LabelColumns> {
  const names = await readLabelColumns(db, { organization, environment });
  const { given: missing } = missingColumns(names, declared);
  if (missing.length > 0)
    await db.query(
      `insert into analytics_values (organization, environment, dimension, number, value)
       select $1, $2, $3, * from unnest($4::int[], $5::text[])`,
      [
        ...[organization, environment, columnsDimension],
        ...[missing.map((_name, at) => firstNumber + names.length + at), missing],
      ],
    );
  return { names: [...names, ...missing], declared: new Set(declared) };
}
