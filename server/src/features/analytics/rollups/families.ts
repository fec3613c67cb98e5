import type { Shape } from "@aos/rollup";
import { timeOfId } from "../../../kernel/ids.ts";
import type { Statements } from "../../../kernel/machines.ts";
import type { Scope } from "../../../kernel/principal.ts";
import { type Family, familyBins, familyDimensions, familySums, labelled } from "./measures.ts";

export const kinds = ["task", "approval", "violation", "delivery"] as const;
export type Kind = (typeof kinds)[number];

/** The family under which `analytics_facts` keeps what a source of a kind contributes; a task's includes its steps. */
export const factsFamily = {
  task: "tasks",
  approval: "approvals",
  violation: "violations",
  delivery: "deliveries",
} as const satisfies Record<Kind, Family>;

/** The families in the order in which stored facts name them by number: add at the end only. */
export const families = ["tasks", "steps", "approvals", "violations", "deliveries"] as const satisfies Family[];

/** Columns of a family's blocks: its dimensions, then the labels that were ever declared where it has them; its sums and bins. */
export const shapeOf = (family: Family, labels: number): Shape => ({
  dims: familyDimensions[family].length + (labelled.has(family) ? labels : 0),
  sums: familySums[family].length,
  bins: familyBins[family].length,
});

/** Numbers of values that stand for no value of their own. */
export const otherNumber = 0;
export const noneNumber = 1;
export const firstNumber = 2;

export const minuteMs = 60_000;
export const quarterMinutes = 15;
export const hourMinutes = 60;
export const dayMinutes = 1_440;

/** The time of a source: that of its id, which its key begins with. */
export const timeOfSource = (source: string): number => timeOfId(source.split("/", 1)[0] as string) ?? 0;
export const minuteOfSource = (source: string): number => Math.floor(timeOfSource(source) / minuteMs);
export const quarterOf = (minute: number): number => minute - (minute % quarterMinutes);
export const hourOf = (minute: number): number => minute - (minute % hourMinutes);
export const dayOf = (minute: number): number => minute - (minute % dayMinutes);

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

export interface LabelColumns {
  readonly names: readonly string[];
  /** Those that are declared now. */
  readonly declared: ReadonlySet<string>;
}

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
        organization,
        environment,
        columnsDimension,
        missing.map((_name, at) => firstNumber + names.length + at),
        missing,
      ],
    );
  return { names: [...names, ...missing], declared: new Set(declared) };
}
