import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { parse } from "yaml";
import { storedJson } from "../../server/src/kernel/stored-json.ts";

// What stands in the folder of a starter, read but not judged: `faults.ts` judges it.

export type Json = Readonly<Record<string, unknown>>;

export interface Manifest {
  readonly kind: string;
  readonly name: string;
  readonly version: string;
  readonly title: string;
  readonly summary: string;
  readonly business_function?: string;
  readonly license?: string;
  readonly requires: { readonly connections: readonly string[]; readonly notes?: readonly string[] };
  readonly limits: readonly string[];
}

export interface AgentFile {
  agent: string;
  description: string;
  knowledge?: string[];
  tools?: { name: string; base?: string; bases?: string[] }[];
  skills: { name: string; input: Json; output?: Json }[];
}

export interface Example {
  readonly input: Json;
  readonly output: Json;
}

export interface Item {
  readonly input: Json;
  readonly expected: Json;
  readonly cluster?: string;
  readonly must_pass?: boolean;
}

export interface Dataset {
  readonly name: string;
  readonly agent: string;
  readonly skill: string;
  readonly description: string;
  /** On what data it stands and who wrote it, in words. */
  readonly data: string;
  readonly items: readonly Item[];
  /** SHA-256 of its file. */
  readonly digest: string;
}

export interface Scorer {
  readonly name: string;
  readonly [field: string]: unknown;
}

export interface Gate {
  readonly datasets: readonly string[];
  readonly scorers: readonly (string | { readonly scorer: string; readonly floor?: number })[];
  readonly floor: number;
  readonly tolerance: number;
  readonly repeats: number;
}

export interface Base {
  readonly name: string;
  readonly description: string;
  readonly language?: string;
  readonly documents: readonly Json[];
}

/** A task to try: what comes out, in words, and the fields of the output that must agree. */
export interface Trial {
  readonly skill: string;
  readonly input: Json;
  readonly expect: string;
  readonly output: Json;
}

export interface Starter {
  readonly folder: string;
  /** Paths of all files, sorted. */
  readonly files: readonly string[];
  /** SHA-256 of each file. */
  readonly digests: ReadonlyMap<string, string>;
  readonly manifest: Manifest;
  readonly readme: string;
  readonly agent: AgentFile;
  /** Examples by skill. */
  readonly training: ReadonlyMap<string, readonly Example[]>;
  /** SHA-256 of the lines `<SHA-256 of the file>  <path>` of the training files. */
  readonly trainingDigest: string;
  readonly datasets: readonly Dataset[];
  readonly scorers: readonly Scorer[];
  readonly gate: Gate;
  readonly bases: readonly Base[];
  readonly policies: readonly Json[];
  readonly trials: readonly Trial[];
}

export const startersFolder = path.resolve(import.meta.dirname, "../../starters");

/** The names of all starters that are agents. */
export async function starterNames(): Promise<string[]> {
  const entries = await readdir(startersFolder, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  const kinds = await Promise.all(
    names.map(async (name) => (await readManifest(path.join(startersFolder, name))).kind),
  );
  return names.filter((_, at) => kinds[at] === "agent").sort();
}

const starterJson = storedJson<{ manifest: Manifest }>();
const readManifest = async (folder: string): Promise<Manifest> =>
  starterJson({ manifest: await readFile(path.join(folder, "bundle.json"), "utf8") }, "manifest");

/** Reads a starter of kind `agent`; throws an Error that names the file where one is missing or cannot be read. */
export async function readStarter(name: string): Promise<Starter> {
  const folder = path.join(startersFolder, name);
  const files = await filesOf(folder);
  const text = (file: string) =>
    readFile(path.join(folder, file), "utf8").catch(() => {
      throw new Error(`starters/${name} has no ${file}`);
    });
  const json = async <T>(file: string): Promise<T> => parsed(`starters/${name}/${file}`, await text(file)) as T;
  const lines = async <T>(file: string): Promise<T[]> =>
    linesOf(await text(file)).map((line, at) => parsed(`starters/${name}/${file}:${at + 1}`, line) as T);
  const all = <T>(start: string) =>
    Promise.all(files.filter((file) => file.startsWith(start)).map((file) => json<T>(file)));
  const trainingFiles = files.filter((file) => file.startsWith("training/"));
  const datasets = await json<Omit<Dataset, "items" | "digest">[]>("datasets.json");
  return {
    folder,
    files,
    digests: new Map(await Promise.all(files.map(async (file) => [file, sha256(await text(file))] as const))),
    manifest: await readManifest(folder),
    readme: await text("readme.md"),
    agent: parse(await text("agent.yaml")) as AgentFile,
    training: new Map(
      await Promise.all(
        trainingFiles.map(async (file) => [path.basename(file, ".jsonl"), await lines<Example>(file)] as const),
      ),
    ),
    trainingDigest: sha256(
      (await Promise.all(trainingFiles.map(async (file) => `${sha256(await text(file))}  ${file}\n`))).join(""),
    ),
    datasets: await Promise.all(
      datasets.map(async (dataset) => ({
        ...dataset,
        items: await lines<Item>(`datasets/${dataset.name}.jsonl`),
        digest: sha256(await text(`datasets/${dataset.name}.jsonl`)),
      })),
    ),
    scorers: await json("scorers.json"),
    gate: await json("gate.json"),
    bases: await all("knowledge/"),
    policies: await all("policies/"),
    trials: await json("try.json"),
  };
}

async function filesOf(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).split(path.sep).join("/"))
    .sort();
}

function parsed(where: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`${where} is no JSON: ${(error as Error).message}`);
  }
}

const linesOf = (text: string): string[] => text.split("\n").filter((line) => line !== "");

export const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
