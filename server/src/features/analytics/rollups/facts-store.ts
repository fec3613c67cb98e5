import type { Hit } from "@aos/rollup";
import type { QueryContext } from "../../../kernel/db.ts";
import { storedJson } from "../../../kernel/stored-json.ts";
import type { Cell } from "./fact-values.ts";
import { factsFamily, families, type Kind } from "./families.ts";

export type Contributions = ReadonlyMap<string, readonly Cell[]>;

type StoredCell = [family: number, dims: readonly number[], sums: readonly number[], bins: readonly (readonly Hit[])[]];

const cellsJson = storedJson<{ body: StoredCell[] }>();

/** Cells as text. Equal cells make equal texts. */
export function cellsText(cells: readonly Cell[]): string {
  return JSON.stringify(
    cells.map(
      ({ family, dims, sums, bins }): StoredCell => [
        families.indexOf(family),
        dims,
        withoutTrailing(sums, (sum) => sum === 0),
        withoutTrailing(bins, (hits) => hits.length === 0),
      ],
    ),
  );
}

function withoutTrailing<T>(values: readonly T[], empty: (value: T) => boolean): readonly T[] {
  let length = values.length;
  while (length > 0 && empty(values[length - 1] as T)) length--;
  return values.slice(0, length);
}

export function cellsOfText(text: string): Cell[] {
  return cellsJson({ body: text }, "body").map(([family, dims, sums, bins]) => ({
    family: families[family] as Cell["family"],
    dims,
    sums,
    bins,
  }));
}

export async function readFacts(
  { db, scope }: QueryContext,
  kind: Kind,
  sources: readonly string[],
): Promise<Map<string, string>> {
  const rows = await db.query<{ source: string; body: string }>(
    "select source, body from analytics_facts where organization = $1 and environment = $2 and family = $3 and source = any($4::text[])",
    [scope.organization, scope.environment, factsFamily[kind], sources],
  );
  return new Map(rows.map(({ source, body }) => [source, body]));
}

export async function writeFacts(
  { db, scope }: QueryContext,
  kind: Kind,
  texts: ReadonlyMap<string, string>,
): Promise<void> {
  if (texts.size === 0) return;
  await db.query(
    `insert into analytics_facts (organization, environment, family, source, body)
     select $1, $2, $3, * from unnest($4::text[], $5::text[])
     on conflict (organization, environment, family, source) do update set body = excluded.body`,
    [scope.organization, scope.environment, factsFamily[kind], [...texts.keys()], [...texts.values()]],
  );
}
