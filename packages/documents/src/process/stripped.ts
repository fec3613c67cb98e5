import { mkdtempSync, openSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createRequire, stripTypeScriptTypes } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { fileURLToPath, pathToFileURL } from "node:url";

/** The descriptor on which a process finds the stripped sources. */
const DESCRIPTOR = 3;

/** Sources without types, for processes that would otherwise strip them once per document: a third of what reading a page costs. */
export interface Stripped {
  readonly descriptor: number;
  /** Options of Node by which a process takes the sources from its descriptor. */
  readonly options: readonly string[];
}

let made: Promise<Stripped | null> | undefined;

/**
 * Made when first asked for, one source at a time, so that others have their turn. Null where the sources are JavaScript already, or where no file can be
 * written: then the processes strip for themselves.
 */
export function strippedSources(): Promise<Stripped | null> {
  made ??= import.meta.url.endsWith(".ts") ? writeSources() : Promise.resolve(null);
  return made;
}

/** The file has no name, so nothing is left of it and nobody changes it. */
async function writeSources(): Promise<Stripped | null> {
  try {
    const json = Buffer.from(JSON.stringify(await sources()));
    const folder = mkdtempSync(path.join(tmpdir(), "aos-documents-"));
    try {
      const file = path.join(folder, "sources.json");
      writeFileSync(file, json, { mode: 0o600 });
      return { descriptor: openSync(file, "r"), options: ["--import", hookOf(json.length)] };
    } finally {
      rmSync(folder, { recursive: true });
    }
  } catch {
    return null;
  }
}

/** This package and those of the repository that it imports, by their URL. */
async function sources(): Promise<Record<string, string>> {
  const { resolve } = createRequire(import.meta.url);
  const others = ["@aos/strict-json", "@aos/text"].map((name) => path.dirname(realpathSync(resolve(name))));
  const own = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
  const folders = [own, ...others];
  const files = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /(?<!\.test)\.ts$/.test(entry.name) && !entry.parentPath.includes("testing"))
      .map((entry) => path.join(entry.parentPath, entry.name)),
  );
  const stripped: Record<string, string> = {};
  for (const file of files) {
    stripped[pathToFileURL(file).href] = stripTypeScriptTypes(readFileSync(file, "utf8"));
    await turn();
  }
  return stripped;
}

/** Processes share the descriptor, so each reads from a given place. */
function hookOf(length: number): string {
  return `data:text/javascript,${encodeURIComponent(`
    import { closeSync, readSync } from "node:fs";
    import { registerHooks } from "node:module";
    const bytes = Buffer.alloc(${length});
    for (let at = 0; at < ${length}; ) at += readSync(${DESCRIPTOR}, bytes, at, ${length} - at, at);
    closeSync(${DESCRIPTOR});
    const sources = JSON.parse(bytes);
    registerHooks({
      load: (url, context, next) =>
        Object.hasOwn(sources, url) ? { format: "module", source: sources[url], shortCircuit: true } : next(url, context),
    });
  `)}`;
}
