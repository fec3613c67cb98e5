import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
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

export async function programFrom(root: string, entry: string): Promise<Program> {
  const scripts = new Map<string, string>();
  const data = new Set<string>();
  const packages = new Set<string>();
  const waiting = [entry];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (scripts.has(asJavaScript(file))) continue;
    const text = toJavaScript(await readFile(path.join(root, file), "utf8"));
    scripts.set(asJavaScript(file), text);
    const beside = [...text.matchAll(BESIDE)].map(([, target = ""]) => path.posix.join(path.posix.dirname(file as string), target));
    for (const target of [...importsOf({ file, text }).map((one) => one.target), ...beside]) {
      const source = target.replace(/\.js$/, ".ts");
      if (source !== target && existsSync(path.join(root, source))) waiting.push(source);
      else if (beside.includes(target) || /^(cli|server)\//.test(target)) data.add(target);
      else if (!target.startsWith("node:")) packages.add(packageOf(target));
    }
  }
  return { scripts, data, packages };
}

const packageOf = (specifier: string): string =>
  specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");
