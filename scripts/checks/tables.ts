import { readFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { storedJson } from "../../server/src/kernel/stored-json.ts";
import { type AnyTable, type OwnedTable, OwnedTables } from "../../server/src/resources/tables.ts";
import { type Finding, isTest, lineAt, type Source } from "./sources.ts";

// A table has one owner: the `resource.ts` (outside of slices the `tables.ts`) that declares it. Only files of the owner's area name the table in SQL.

/** What is left of earlier times, in `tables-left.json`. Both lists may only shrink. */
interface Left {
  /** Tables without an owner yet. */
  readonly unowned: readonly string[];
  /** How many files of an area name a foreign table, by area and table. */
  readonly foreign: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

const list = "scripts/checks/tables-left.json";
const leftJson = storedJson<{ file: Left }>();
const declaration = /^server\/src\/.*\/(resource|tables)\.ts$/;
const isDeclaration = (file: string): boolean =>
  declaration.test(file) && !/^server\/src\/(resources|db\/generated)\//.test(file);

/** Slice, or part of the service outside of slices. */
const areaOf = (file: string): string => {
  const [, , area = "", slice = ""] = file.split("/");
  return area === "features" && !slice.endsWith(".ts") ? slice : area;
};

/** Tables with their owners, as `resource.ts` and `tables.ts` declare them. */
export async function readOwners(
  root: string,
  sources: readonly Source[],
): Promise<readonly { readonly file: string; readonly owned: OwnedTable }[]> {
  const files = sources.filter(({ file }) => isDeclaration(file)).map(({ file }) => file);
  const modules = await Promise.all(files.map((file) => import(pathToFileURL(path.join(root, file)).href)));
  return files.flatMap((file, index) =>
    Object.values(modules[index] as object)
      .filter((value) => value instanceof OwnedTables)
      .flatMap(({ tables }) => tables.map((owned) => ({ file, owned }))),
  );
}

/** Tables with no owner or two, and statements over tables of others. */
export async function tableFindings(root: string, sources: readonly Source[]): Promise<Finding[]> {
  const owners = await readOwners(root, sources);
  const left = leftJson({ file: readFileSync(path.join(root, list), "utf8") }, "file");
  const tables = tableNames(sources);
  const areas = new Map<string, string>(owners.map(({ file, owned }) => [owned.table, areaOf(file)]));
  return [
    ...doubleFindings(owners),
    ...unownedFindings(tables, new Set(areas.keys()), left.unowned),
    ...foreignFindings(namings(sources, tables), areas, left.foreign),
  ];
}

/** Every table, by the types that are generated from the schema. */
function tableNames(sources: readonly Source[]): string[] {
  const text = sources.find(({ file }) => file === "server/src/db/generated/tables.ts")?.text ?? "";
  const own = text.slice(text.indexOf("export interface Tables"));
  return [...own.matchAll(/^ {2}(\w+): \w+;/gm)].map((match) => match[1] as string);
}

function doubleFindings(owners: readonly { readonly file: string; readonly owned: OwnedTable }[]): Finding[] {
  const first = new Map<AnyTable, string>();
  return owners.flatMap(({ file, owned: { table } }) => {
    const other = first.get(table);
    if (other === undefined) first.set(table, file);
    return other === undefined ? [] : [{ file, line: 1, what: `owns ${table}, which ${other} owns` }];
  });
}

function unownedFindings(tables: readonly string[], owned: ReadonlySet<string>, left: readonly string[]): Finding[] {
  const missing = tables.filter((table) => !owned.has(table) && !left.includes(table));
  const over = left.filter((table) => owned.has(table) || !tables.includes(table));
  return [
    ...missing.map((table) => ({
      file: "server/src/db/schema.sql",
      line: 1,
      what: `${table} has no owner: declare it by ownTables in the resource.ts of the resource that writes it`,
    })),
    ...over.map((table) => ({
      file: list,
      line: 1,
      what: `${table} has an owner, or is gone: take it out of \`unowned\``,
    })),
  ];
}

interface Naming {
  readonly file: string;
  readonly line: number;
  readonly table: string;
}

/** Where SQL or its builders name a table. */
export function namings(sources: readonly Source[], tables: readonly string[]): Naming[] {
  const names = [...tables].sort((a, b) => b.length - a.length).join("|");
  const pattern = new RegExp(
    `\\b(?:from|join|into|update|using|table|only)\\s+(?:lateral\\s+|only\\s+)?(?:public\\.)?(${names})\\b(?!\\s*[(.'’:])` +
      `|\\b(?:select|insert|update|remove|rowsOf|selectFrom|shareRows)\\((?:\\s*\\w+,)?\\s*"(${names})"` +
      `|\\b(?:Row|NewRow|Changes)<"(${names})"`,
    "g",
  );
  return sources
    .filter(
      ({ file }) =>
        /^server\/src\/.*\.ts$/.test(file) &&
        !isTest(file) &&
        !/^server\/src\/(db\/generated|testing|seed)\//.test(file),
    )
    .flatMap(({ file, text }) => {
      const code = text.replace(/\/\*[\s\S]*?\*\/|(^|\s)\/\/.*$/gm, (comment) => comment.replace(/[^\n]/g, " "));
      return [...code.matchAll(pattern)].map((match) => ({
        file,
        line: lineAt(code, match.index),
        table: (match[1] ?? match[2] ?? match[3]) as string,
      }));
    });
}

/** How many files of each area name each foreign table. */
export function countForeign(
  found: readonly Naming[],
  areas: ReadonlyMap<string, string>,
): Record<string, Record<string, number>> {
  const files = new Map<string, Set<string>>();
  for (const { file, table } of found) {
    const area = areaOf(file);
    if (area === (areas.get(table) ?? area)) continue;
    const key = `${area} ${table}`;
    files.set(key, (files.get(key) ?? new Set()).add(file));
  }
  const counts: Record<string, Record<string, number>> = {};
  for (const [key, some] of [...files].sort()) {
    const [area, table] = key.split(" ") as [string, string];
    counts[area] = { ...counts[area], [table]: some.size };
  }
  return counts;
}

function foreignFindings(
  found: readonly Naming[],
  areas: ReadonlyMap<string, string>,
  left: Left["foreign"],
): Finding[] {
  const counts = countForeign(found, areas);
  const more = found.filter(({ file, table }) => {
    const area = areaOf(file);
    return area !== (areas.get(table) ?? area) && (counts[area]?.[table] ?? 0) > (left[area]?.[table] ?? 0);
  });
  const fewer = Object.entries(left).flatMap(([area, tables]) =>
    Object.entries(tables)
      .filter(([table, count]) => (counts[area]?.[table] ?? 0) < count)
      .map(([table]) => ({ area, table })),
  );
  return [
    ...more.map(({ file, line, table }) => ({
      file,
      line,
      what: `names the table ${table} of ${areas.get(table)}: read what its owner shares (shared-rows.ts), or call a query that it exports`,
    })),
    ...fewer.map(({ area, table }) => ({
      file: list,
      line: 1,
      what: `says ${left[area]?.[table]} files of ${area} name ${table}; there are ${counts[area]?.[table] ?? 0}: lower the number`,
    })),
  ];
}
