import { existsSync, globSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { importsOf } from "../checks/imports.ts";
import { asJavaScript, toJavaScript } from "./javascript.ts";

/** The files that a program is made of, found from its entry: without tests, and without what only types name. */
export interface Program {
  /** JavaScript by its path, relative to the repository. */
  readonly scripts: ReadonlyMap<string, string>;
  /** Files and folders that scripts import or read, relative to the repository. */
  readonly data: ReadonlySet<string>;
  /** Names of the packages that are imported. */
  readonly packages: ReadonlySet<string>;
}

/** A file or folder beside a script: `new URL("./playbook.yaml", import.meta.url)`. */
const BESIDE = /\bnew URL\(\s*"(\.[^"]*)",\s*import\.meta\.url\s*,?\s*\)/g;

/** What an import names that is no path: `from "@aos/sdk"`, `import("#sha256")`. */
const NAMED = /(\bfrom\s*|\bimport\(\s*)"([@#][^"]+)"/g;

export async function programFrom(root: string, entry: string): Promise<Program> {
  const own = await ownEntries(root);
  const scripts = new Map<string, string>();
  const data = new Set<string>();
  const packages = new Set<string>();
  const waiting = [entry, ...loadedByFolder(root)];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (scripts.has(asJavaScript(file))) continue;
    const text = toJavaScript(withPaths(file, await readFile(path.join(root, file), "utf8"), own));
    scripts.set(asJavaScript(file), text);
    const beside = [...text.matchAll(BESIDE)].map(([, target = ""]) =>
      path.posix.join(path.posix.dirname(file as string), target),
    );
    for (const target of [...importsOf({ file, text }).map((one) => one.target), ...beside]) {
      const source = target.replace(/\.js$/, ".ts");
      if (source !== target && existsSync(path.join(root, source))) waiting.push(source);
      else if (beside.includes(target) || /^(cli|server|sdk|packages)\//.test(target)) data.add(target);
      else if (!target.startsWith("node:")) packages.add(packageOf(target));
    }
  }
  return { scripts, data, packages };
}

/** What the registry loads by folder, which no import names. */
const loadedByFolder = (root: string): string[] =>
  globSync("server/src/features/*/{slice.ts,**/operations/*.ts}", { cwd: root })
    .filter((file) => !file.endsWith(".test.ts"))
    .sort();

const packageOf = (specifier: string): string =>
  specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");

/** The folders of the packages that the program may be made of. */
export async function libraryFolders(root: string): Promise<string[]> {
  return ["sdk", ...(await readdir(path.join(root, "packages"))).map((name) => `packages/${name}`)];
}

/** The packages of the repository by what is imported from them, and the platform's parts of theirs, each with its file. */
async function ownEntries(root: string): Promise<ReadonlyMap<string, string>> {
  const entries = new Map<string, string>();
  for (const folder of await libraryFolders(root)) {
    const { name, exports, imports = {} } = JSON.parse(await readFile(path.join(root, folder, "package.json"), "utf8"));
    for (const [entry, file] of Object.entries<string>(exports))
      entries.set(path.posix.join(name, entry), path.posix.join(folder, file));
    for (const [entry, { node }] of Object.entries<{ node: string }>(imports))
      entries.set(entry, path.posix.join(folder, node));
  }
  return entries;
}

/** Imports of the repository's own packages as paths: the program holds them, and asks no registry for their names. */
function withPaths(file: string, text: string, own: ReadonlyMap<string, string>): string {
  return text.replaceAll(NAMED, (whole, before, name) => {
    const target = own.get(name);
    if (target === undefined) return whole;
    const relative = path.posix.relative(path.posix.dirname(file), target);
    return `${before}"${relative.startsWith(".") ? relative : `./${relative}`}"`;
  });
}
