import { existsSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { type Finding, isTest, lineAt, type Source } from "./sources.ts";

// What registration by folder would pass over in silence.

const declaration =
  /\b(?:define(?:Read|Operation|Append|Batch|List|Inside)|\.(?:read|list|remove)Operation)(?:<[^>]*>)?\(/;
const features = /^server\/src\/features\/([^/]+)\//;
const migration = /^server\/src\/db\/migrations\/[^/]+\.sql$/;

/** Folders without a declaration, operations where nothing loads them, and tables that the schema's text lacks. */
export function sliceFindings(sources: readonly Source[]): Finding[] {
  return [...folderFindings(sources), ...operationFindings(sources), ...tableFindings(sources)];
}

function folderFindings(sources: readonly Source[]): Finding[] {
  const files = new Set(sources.map(({ file }) => file));
  const folders = new Set(sources.flatMap(({ file }) => features.exec(file)?.[0] ?? []));
  return [...folders]
    .map((folder) => `${folder}slice.ts`)
    .filter((file) => !files.has(file))
    .map((file) => ({ file, line: 1, what: "is missing: export `slice = defineSlice({ … })` there" }));
}

function operationFindings(sources: readonly Source[]): Finding[] {
  return sources
    .filter(({ file }) => features.test(file) && file.endsWith(".ts") && !isTest(file))
    .flatMap(({ file, text }) => {
      const loaded = file.includes("/operations/");
      const slice = features.exec(file)?.[0] as string;
      return [...text.matchAll(/^(export )?(?:const|let) \w+[^=\n]* = (.*)$/gm)]
        .filter(([, exported, value]) => declaration.test(value as string) && !(loaded && exported))
        .map((match) => ({
          file,
          line: lineAt(text, match.index),
          what: loaded
            ? "declares an operation that is not registered: export it"
            : `declares an operation that is not registered: move it to a file in ${slice}operations/`,
        }));
    });
}

function tableFindings(sources: readonly Source[]): Finding[] {
  const schema = sources.find(({ file }) => file === "server/src/db/schema.sql");
  if (!schema) return [];
  const there = new Set(names(schema.text, /^create table (\w+)/gim));
  const migrations = sources.filter(({ file }) => migration.test(file)).sort((a, b) => (a.file < b.file ? -1 : 1));
  const made = new Map<string, Finding>();
  for (const { file, text } of migrations)
    for (const { index, 1: create, 2: drop, 3: from, 4: to } of text.matchAll(statement)) {
      const what = "is missing from server/src/db/schema.sql: run npm run gen -- --schema";
      const enter = (table: string) =>
        made.set(table, { file, line: lineAt(text, index), what: `makes the table ${table}, which ${what}` });
      if (create) enter(create);
      for (const table of drop?.split(/,\s*/) ?? []) made.delete(table);
      if (from && made.delete(from)) enter(to as string);
    }
  return [...made].filter(([table]) => !there.has(table)).map(([, finding]) => finding);
}

const statement =
  /^[ \t]*(?:create table (?:if not exists )?(\w+)(?! partition of)\b|drop table (?:if exists )?(\w+(?:,\s*\w+)*)|alter table (\w+) rename to (\w+))/gim;
const names = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map((match) => match[1] as string);

/** Resources whose schemas the API description holds in their operations. */
const inlined = /\/admin\/sessions\//;

/** Schemas of a slice that its `schemas.ts` does not export, so that the API description repeats them in place of naming a component. */
export async function componentFindings(root: string, sources: readonly Source[]): Promise<Finding[]> {
  const modules = sources.filter(
    ({ file }) => /^server\/src\/features\/.*schemas\.ts$/.test(file) && !inlined.test(file),
  );
  const found = await Promise.all(
    modules.map(async ({ file, text }) => {
      const main = `${features.exec(file)?.[0]}schemas.ts`;
      if (!existsSync(path.join(root, main))) return [];
      const components = new Set(Object.values(await load(root, main)));
      const lacking = Object.entries(await load(root, file)).filter(
        ([, value]) => hasShape(value) && !components.has(value),
      );
      return lacking.map(([name]) => ({
        file,
        line: lineAt(text, Math.max(0, text.search(new RegExp(`export const ${name}\\b`)))),
        what: `exports the schema ${name}, which is no component: export it from ${main} as well, under a name that no other schema there has`,
      }));
    }),
  );
  return found.flat();
}

const load = (root: string, file: string): Promise<object> => import(pathToFileURL(path.join(root, file)).href);

/** Only what has a shape becomes a component. */
const hasShape = (value: unknown): boolean =>
  typeof value === "object" && value !== null && "type" in value && value.type === "object" && "properties" in value;
