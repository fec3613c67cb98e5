/**
 * Makes the package as it is published: JavaScript of 2022 with its types, and what npm needs to know.
 *
 *     npm run build --workspace sdk              into sdk/dist; then: npm publish sdk/dist
 *     sh bin/run sdk/build.ts <folder>           into another folder
 */
import { execFile } from "node:child_process";
import { cp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";

const own = import.meta.dirname;
const root = path.dirname(own);

/** Builds the package into a folder, which is emptied before. */
export async function build(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  const compiler = path.join(root, "node_modules/typescript/bin/tsc");
  await promisify(execFile)(process.execPath, [compiler, "-p", path.join(own, "tsconfig.build.json"), "--outDir", folder]);
  await Promise.all([declarationsOf(folder), writeFile(path.join(folder, "package.json"), await manifest())]);
  await cp(path.join(own, "README.md"), path.join(folder, "README.md"));
  await cp(path.join(root, "LICENSE"), path.join(folder, "LICENSE"));
}

/** The compiler writes `.js` into imports of values only; types are found under the same name. */
async function declarationsOf(folder: string): Promise<void> {
  const files = (await readdir(folder, { recursive: true })).filter((file) => file.endsWith(".d.ts"));
  for (const file of files.map((name) => path.join(folder, name))) {
    const text = await readFile(file, "utf8");
    await writeFile(file, text.replaceAll(/(from "\.{1,2}\/[^"]+)\.ts"/g, '$1.js"'));
  }
}

async function manifest(): Promise<string> {
  const { name, version, type, license, description, dependencies, exports } = JSON.parse(
    await readFile(path.join(own, "package.json"), "utf8"),
  );
  const built = (source: string) => {
    const file = source.replace("./src/", "./").replace(/\.ts$/, "");
    return { types: `${file}.d.ts`, default: `${file}.js` };
  };
  const published = Object.fromEntries(Object.entries(exports as Record<string, string>).map(([entry, source]) => [entry, built(source)]));
  const more = { sideEffects: false, engines: { node: ">=20.19" }, exports: published, dependencies };
  return `${JSON.stringify({ name, version, description, type, license, ...more }, null, 2)}\n`;
}

if (import.meta.main) {
  const folder = path.resolve(process.argv[2] ?? path.join(own, "dist"));
  await build(folder);
  console.log(`wrote ${folder}`);
}
