import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import type { Operation } from "../kernel/operation.ts";
import { describe, isOperation, type OperationDescription } from "../kernel/operation-seal.ts";
import type { Slice } from "../kernel/slice.ts";
import { type OwnedTable, OwnedTables } from "../resources/tables.ts";

/** A slice as its folder holds it. */
export interface LoadedSlice {
  readonly name: string;
  readonly slice: Slice;
  readonly operations: readonly Operation[];
  /** What its `resource.ts` files own. */
  readonly tables: readonly OwnedTable[];
}

/** The files of a folder that is a slice. */
interface SliceFiles {
  readonly name: string;
  readonly declaration: string;
  readonly operations: readonly string[];
  readonly resources: readonly string[];
}

/** Loads every folder as a slice: its `slice.ts`, its `resource.ts` files, and the files in its `operations` folders. The order is that of their paths. */
export async function loadSlices(folder: string, extension: string): Promise<readonly LoadedSlice[]> {
  const slices: LoadedSlice[] = [];
  for (const files of findSlices(folder, extension)) slices.push(await loadSlice(files));
  return slices;
}

/**
 * Imports the files of all slices by one module, so that `loadSlices` finds them loaded. At each `import()` of a new file Node walks everything
 * that the file imports: for hundreds of operations that share a thousand files this took a quarter of the processor time of a start. Only where
 * Node itself loads modules: a test runner has its own.
 */
export async function preloadSlices(folder: string, extension: string): Promise<void> {
  const files = findSlices(folder, extension).flatMap(({ declaration, resources, operations }) => [
    declaration,
    ...resources,
    ...operations,
  ]);
  const source = files.map((file) => `import ${JSON.stringify(pathToFileURL(file).href)};`).join("");
  await import(`data:text/javascript,${encodeURIComponent(source)}`);
}

function findSlices(folder: string, extension: string): readonly SliceFiles[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort()
    .map((name) => findSlice(path.join(folder, name), extension));
}

function findSlice(folder: string, extension: string): SliceFiles {
  const declaration = path.join(folder, `slice${extension}`);
  if (!existsSync(declaration))
    throw new Error(`${declaration} is missing: export \`slice = defineSlice({ … })\` there.`);
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).sort();
  const paths = (pattern: RegExp): string[] =>
    files
      .filter((file) => pattern.test(file) && file.endsWith(extension) && !file.includes(".test."))
      .map((file) => path.join(folder, file));
  const [operations, resources] = [paths(/(^|\/)operations\/[^/]+$/), paths(/(^|\/)resource\.[jt]s$/)];
  return { name: path.basename(folder), declaration, operations, resources };
}

async function loadSlice({ name, declaration, operations, resources }: SliceFiles): Promise<LoadedSlice> {
  const own = await load(declaration);
  const modules: Record<string, unknown>[] = [];
  for (const file of [...operations, ...resources]) modules.push(await load(file)); // one by one: side by side, Node links the shared graph again for each
  const slice = own.slice as Slice | undefined;
  if (!slice) throw new Error(`${declaration} exports no \`slice\`: export \`slice = defineSlice({ … })\`.`);
  const found = modules.flatMap((module) => Object.values(module));
  const tables = found.filter((value) => value instanceof OwnedTables).flatMap((owned) => owned.tables);
  return { name, slice, operations: [...new Set(found.filter(isOperation))], tables };
}

const load = (file: string): Promise<Record<string, unknown>> => import(pathToFileURL(file).href);

/** The operations of slices, by id. Throws where one of the interface is of no group, or its action is declared nowhere. */
export function operationsOf(slices: readonly LoadedSlice[]): readonly Operation[] {
  const groups = new Set(slices.filter(({ slice }) => slice.about !== undefined).map(({ name }) => name));
  const actions = new Set(slices.flatMap(({ slice }) => Object.keys(slice.actions)));
  for (const { name, operations } of slices)
    for (const operation of operations) {
      const fault = misfit(describe(operation), groups, actions);
      if (fault !== null) throw new Error(`features/${name}/operations: ${operation.id} ${fault}`);
    }
  return slices.flatMap(({ operations }) => operations).sort((a, b) => (a.id < b.id ? -1 : 1));
}

function misfit(
  { id, action, path: address }: OperationDescription,
  groups: ReadonlySet<string>,
  actions: ReadonlySet<string>,
): string | null {
  const group = id.slice(0, id.indexOf("."));
  if (address?.startsWith("/v1/") && !groups.has(group))
    return `belongs to no group: change its id, or add features/${group}/slice.ts with \`about\`.`;
  if (action !== null && !actions.has(action))
    return `is governed as ${action}, which no slice declares, so that no policy could name it: add it to \`actions\` in a slice.ts.`;
  return null;
}
