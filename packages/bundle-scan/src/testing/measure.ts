import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Finding } from "../findings.ts";
import { scanBundle } from "../scan.ts";
import { manifestOf, type Texts } from "./clean-bundles.ts";
import { type Plant, plantAll } from "./plant.ts";

export const bytesOf = (files: Texts): Map<string, Uint8Array> =>
  new Map([...files].map(([name, text]) => [name, Buffer.from(text)]));
const serious = (findings: readonly Finding[]): Finding[] => findings.filter(({ level }) => level !== "note");

/** Which planted faults were found: by one of their rules, in their file, as a warning or an error that the clean bundle does not have. */
export function recallOf(plants: readonly Plant[], seed: number): { found: number; planted: number; missed: string[] } {
  const missed = plantAll(plants, seed)
    .filter(({ plant, files, clean, path: file, kind }) => {
      const manifest = manifestOf(kind);
      const before = new Set(scanBundle(bytesOf(clean), manifest).map(({ rule, path: at }) => `${rule} ${at}`));
      const found = serious(scanBundle(bytesOf(files), manifest));
      return !found.some(
        ({ rule, path: at }) => plant.rules.includes(rule) && at === file && !before.has(`${rule} ${at}`),
      );
    })
    .map(({ plant, path: file }) => `${plant.rules[0]}: ${plant.name} (${file})`);
  return { found: plants.length - missed.length, planted: plants.length, missed };
}

/** Findings in files that have none, each file scanned by itself. Notes are counted apart. */
export function falseFindings(files: Texts): { files: number; serious: Finding[]; notes: number; flagged: number } {
  const all = [...files].map(([name, text]) =>
    scanBundle(new Map([[name, Buffer.from(text)]]), { kind: "", name: "", version: "" }),
  );
  return {
    files: files.size,
    serious: all.flatMap(serious),
    notes: all.flat().filter(({ level }) => level === "note").length,
    flagged: all.filter((found) => serious(found).length > 0).length,
  };
}

/** All Markdown files of a folder as documents of knowledge bases. */
export function markdownOf(folder: string): Texts {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".md"));
  return new Map(
    names.sort().map((name, index) => {
      const text = readFileSync(path.join(folder, name), "utf8");
      return [`knowledge/d${index}.json`, JSON.stringify({ name, documents: [{ title: name, text }] })];
    }),
  );
}
