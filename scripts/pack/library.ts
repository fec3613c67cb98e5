/**
 * Makes a library as it is published: JavaScript with its types, and what npm needs to know.
 *
 *     npm run build --workspace sdk                          into sdk/dist
 *     sh bin/run scripts/pack/library.ts proof <folder>      into another folder
 */
import { execFile } from "node:child_process";
import { cp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";

const root = path.resolve(import.meta.dirname, "../..");

/** The libraries that are published, with their folders and the Node that they need. The client runs in programs of others, and in browsers. */
const published = {
  sdk: { folder: "sdk", node: ">=20.19" },
  proof: { folder: "packages/proof", node: ">=24" },
} as const;
export type Library = keyof typeof published;
export const libraries = Object.keys(published) as Library[];

/** Builds a library into a folder, which is emptied before. */
export async function buildLibrary(library: Library, into: string): Promise<void> {
  const { folder, node } = published[library];
  const own = path.join(root, folder);
  await rm(into, { recursive: true, force: true });
  const compiler = path.join(root, "node_modules/typescript/bin/tsc");
  await promisify(execFile)(process.execPath, [
    compiler,
    "-p",
    path.join(own, "tsconfig.build.json"),
    "--outDir",
    into,
  ]);
  await Promise.all([declarationsOf(into), writeFile(path.join(into, "package.json"), await manifest(own, node))]);
  for (const file of [path.join(own, "README.md"), path.join(root, "LICENSE")])
    await cp(file, path.join(into, path.basename(file)));
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
    Object.fromEntries(
      Object.entries(all).map(([entry, file]) => [
        entry,
        { types: `${built(file)}.d.ts`, default: `${built(file)}.js` },
      ]),
    );
  const inside = (all: Readonly<Record<string, Platforms>>) =>
    Object.fromEntries(
      Object.entries(all).map(([entry, platforms]) => [
        entry,
        Object.fromEntries(Object.entries(platforms).map(([platform, file]) => [platform, `${built(file)}.js`])),
      ]),
    );
  const more = {
    ...(sideEffects === undefined ? {} : { sideEffects }),
    engines: { node },
    exports: entries(exports),
    ...(imports === undefined ? {} : { imports: inside(imports) }),
    dependencies,
  };
  return `${JSON.stringify({ name, version, description, type, license, ...more }, null, 2)}\n`;
}

if (import.meta.main) {
  const [library = "sdk", folder = path.join(root, "sdk/dist")] = process.argv.slice(2);
  if (!(library in published)) throw new Error(`There is no library ${library}: ${libraries.join(", ")}.`);
  await buildLibrary(library as Library, path.resolve(folder));
  console.log(`wrote ${path.resolve(folder)}`);
}
