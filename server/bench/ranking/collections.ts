import { readdir, readFile } from "node:fs/promises";
import path from "node:path";

export interface Passage {
  readonly id: string;
  readonly doc: string;
  readonly title: string;
  readonly text: string;
}

export interface Query {
  readonly text: string;
  /** The gain of each document that is relevant. */
  readonly gains: ReadonlyMap<string, number>;
}

/** Passages with questions, and the documents that answer each. */
export interface Collection {
  readonly name: string;
  readonly language: string;
  readonly passages: readonly Passage[];
  readonly queries: readonly Query[];
}

/**
 * Those of a folder: `cranfield/` with documents, queries and judgements, and `search/<name>.passages.jsonl` with
 * `<name>.queries.jsonl`.
 */
export async function readCollections(folder: string, languages: Readonly<Record<string, string>> = {}) {
  const names = (await readdir(path.join(folder, "search"))).flatMap(
    (file) => /^(.+)\.passages\.jsonl$/.exec(file)?.[1] ?? [],
  );
  const collections: Collection[] = [await readCranfield(folder)];
  for (const name of names.sort()) {
    const passages = await readLines<Passage>(path.join(folder, `search/${name}.passages.jsonl`));
    const asked = await readLines<{ text: string; rel: string[] }>(path.join(folder, `search/${name}.queries.jsonl`));
    const queries = asked.map(({ text, rel }) => ({ text, gains: new Map(rel.map((document) => [document, 1])) }));
    collections.push({ name, language: languages[name] ?? "english", passages, queries });
  }
  return collections;
}

async function readCranfield(folder: string): Promise<Collection> {
  const documents = await readLines<{ id: string; title: string; text: string }>(
    path.join(folder, "cranfield/documents.jsonl"),
  );
  const asked = await readLines<{ id: string; text: string }>(path.join(folder, "cranfield/queries.jsonl"));
  const judged = (await readFile(path.join(folder, "cranfield/qrels.tsv"), "utf8")).trim().split("\n").slice(1);
  const gains = new Map<string, Map<string, number>>();
  for (const line of judged) {
    const [query = "", document = "", gain] = line.split("\t");
    gains.set(query, (gains.get(query) ?? new Map<string, number>()).set(document, Number(gain)));
  }
  const queries = asked.map(({ id, text }) => ({ text, gains: gains.get(id) ?? new Map<string, number>() }));
  return {
    name: "cranfield",
    language: "english",
    passages: documents.map((one) => ({ ...one, doc: one.id })),
    queries: queries.filter((one) => one.gains.size > 0),
  };
}

async function readLines<T>(file: string): Promise<T[]> {
  const text = await readFile(file, "utf8");
  return text
    .trim()
    .split("\n")
    .map((line): T => JSON.parse(line));
}
