import { execFile } from "node:child_process";
import { cp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";

const root = path.resolve(import.meta.dirname, "../..");

/** What is particular to a library as it is published. */
export interface Library {
  /** Its folder in the repository. */
  readonly folder: "sdk" | "proof";
  /** The Node that it needs. */
  readonly node: string;
}

export const libraries: readonly Library[] = [
  { folder: "sdk", node: ">=20.19" }, // for programs of others; browsers run it as well
  { folder: "proof", node: ">=24" },
];

/** Builds a library into a folder, which is emptied before: JavaScript with its types, and what npm needs to know. */
export async function buildLibrary({ folder, node }: Library, into: string): Promise<void> {
  const own = path.join(root, folder);
  await rm(into, { recursive: true, force: true });
  const compiler = path.join(root, "node_modules/typescript/bin/tsc");
  await promisify(execFile)(process.execPath, [compiler, "-p", path.join(own, "tsconfig.build.json"), "--outDir", into]);
  await Promise.all([declarationsOf(into), writeFile(path.join(into, "package.json"), await manifest(own, node))]);
  for (const file of [path.join(own, "README.md"), path.join(root, "LICENSE")]) await cp(file, path.join(into, path.basename(file)));
}

/** The compiler writes `.js` into imports of values only; types are found under the same name. */
async function declarationsOf(folder: string): Promise<void> {
  const files = (await readdir(folder, { recursive: true })).filter((file) => file.endsWith(".d.ts"));
  for (const file of files.map((name) => path.join(folder, name))) {
    const text = await readFile(file, "utf8");
    await writeFile(file, text.replaceAll(/(from "\.{1,2}\/[^"]+)\.ts"/g, '$1.js"'));
  }
}

type Platforms = Readonly<Record<string, string>>;

async function manifest(own: string, node: string): Promise<string> {
  const source = JSON.parse(await readFile(path.join(own, "package.json"), "utf8"));
  const { name, version, type, license, description, dependencies, exports, imports, sideEffects } = source;
  const built = (file: string) => file.replace("./src/", "./").replace(/\.ts$/, "");
  const entries = (all: Platforms) =>
    Object.fromEntries(Object.entries(all).map(([entry, file]) => [entry, { types: `${built(file)}.d.ts`, default: `${built(file)}.js` }]));
  const inside = (all: Readonly<Record<string, Platforms>>) =>
    Object.fromEntries(
      Object.entries(all).map(([entry, platforms]) => [
        entry,
        Object.fromEntries(Object.entries(platforms).map(([platform, file]) => [platform, `${built(file)}.js`])),
      ]),
    );
  const more = {
    ...(sideEffects === undefined ? {} : { sideEffects }),
    ...{ engines: { node }, exports: entries(exports) },
    ...(imports === undefined ? {} : { imports: inside(imports) }),
    dependencies,
  };
  return `${JSON.stringify({ name, version, description, type, license, ...more }, null, 2)}\n`;
}
