import { parseDocument } from "yaml";
import { counted } from "../output/text.ts";
import { CommandError, readInput, type Terminal } from "../terminal.ts";
import { ask, askAll, commandWith, type Definition, may, type Promotion } from "./promotion.ts";

interface Base {
  readonly name: string;
  readonly description: string;
  readonly language: string;
  readonly documents: number;
}
type Document = Readonly<Record<string, unknown>>;

export type Documents = ReadonlyMap<string, readonly Document[]>;

/** Makes the bases that a definition uses in the target, and adds the documents that were given. A base that stays empty is missing. */
export async function bringKnowledge(promotion: Promotion, definition: Definition, given: Documents): Promise<void> {
  const names = basesOf(definition);
  const strange = [...given.keys()].find((name) => !names.includes(name));
  if (strange !== undefined) {
    const used = names.length === 0 ? "it uses none" : `it uses ${names.join(", ")}`;
    throw new CommandError(
      `--documents ${strange}=…: version ${promotion.version} of ${promotion.agent} does not use the knowledge base ${strange}; ${used}.`,
    );
  }
  if (names.length === 0) return;
  const [theirs, ours] = await Promise.all([basesIn(promotion, "source"), basesIn(promotion, "target")]);
  for (const name of names)
    await bringBase(promotion, { name, from: theirs.get(name), to: ours.get(name), documents: given.get(name) });
}

function basesOf({ knowledge = [], tools }: Definition): readonly string[] {
  return [
    ...new Set([
      ...knowledge,
      ...tools.flatMap(({ base, bases = [] }) => [...(base === undefined ? [] : [base]), ...bases]),
    ]),
  ];
}

async function basesIn(promotion: Promotion, side: "source" | "target"): Promise<ReadonlyMap<string, Base>> {
  const bases = await askAll<Base>(promotion[side], "/v1/knowledge/bases");
  return new Map(bases.map((base) => [base.name, base]));
}

interface Wanted {
  readonly name: string;
  readonly from: Base | undefined;
  readonly to: Base | undefined;
  readonly documents: readonly Document[] | undefined;
}

async function bringBase(promotion: Promotion, wanted: Wanted): Promise<void> {
  const { report, target, dryRun } = promotion;
  const { name, from, to } = wanted;
  if (to === undefined) {
    const create = commandWith(target, "knowledge", "bases", "create", "--name", name);
    if (!may(target, "knowledge:write")) {
      report.add("knowledge", "missing", `${name} is not in ${target.environment}, and this key cannot create it.`, [
        create,
      ]);
      return;
    }
    const body = { name, ...(from && { description: from.description, language: from.language }) };
    if (!dryRun) await ask(target, "POST", "/v1/knowledge/bases", { json: body });
    report.add(
      "knowledge",
      dryRun ? "would" : "done",
      `${name}: ${dryRun ? "create" : "created"} the knowledge base in ${target.environment}.`,
    );
  } else report.add("knowledge", "already", `${name} is in ${target.environment}.`);
  await bringDocuments(promotion, wanted);
}

async function bringDocuments(promotion: Promotion, { name, from, to, documents }: Wanted): Promise<void> {
  const { report, source, target, dryRun } = promotion;
  if (documents !== undefined) {
    const told = dryRun
      ? `${counted(documents.length, "document")} to add to ${name}.`
      : await addDocuments(promotion, name, documents);
    report.add("documents", dryRun ? "would" : "done", told);
    return;
  }
  const there = to?.documents ?? 0;
  const counts = `${name} has ${counted(there, "document")} in ${target.environment}; ${source.environment} has ${from?.documents ?? "no such knowledge base"}.`;
  if (there > 0 || from?.documents === 0) {
    report.add("documents", "already", counts);
    return;
  }
  const file = `${name}.yaml`;
  report.add(
    "documents",
    "missing",
    `${counts} Documents belong to their environment; add that environment's documents with either of:`,
    [
      `aos agents promote ${promotion.agent} --to ${target.environment} --documents ${name}=${file}`,
      commandWith(target, "knowledge", "bases", "documents", "bulk", "add", name, "-f", file),
    ],
  );
}

const perCall = 1000;

async function addDocuments(
  { target, report }: Promotion,
  name: string,
  documents: readonly Document[],
): Promise<string> {
  const sum = { added: 0, replaced: 0, unchanged: 0 };
  for (let at = 0; at < documents.length; at += perCall) {
    const path = `/v1/knowledge/bases/${encodeURIComponent(name)}/documents/bulk`;
    const done = await ask<Added>(target, "POST", path, { json: { documents: documents.slice(at, at + perCall) } });
    for (const key of ["added", "replaced", "unchanged"] as const) sum[key] += done[key];
    for (const { index, errors } of done.results.filter((one) => one.errors.length > 0).slice(0, 5))
      report.add(
        "documents",
        "refused",
        `${name}, document ${at + index + 1}: ${errors.map(({ pointer, detail }) => `${pointer} ${detail}`.trim()).join("; ")}`,
      );
  }
  return `${name}: ${sum.added} added, ${sum.replaced} replaced, ${sum.unchanged} unchanged.`;
}

interface Added {
  readonly added: number;
  readonly replaced: number;
  readonly unchanged: number;
  readonly results: readonly {
    readonly index: number;
    readonly errors: readonly { readonly pointer: string; readonly detail: string }[];
  }[];
}

/** Reads `<base>=<file>` for each base. Throws a CommandError. */
export async function readDocuments(given: readonly string[], terminal: Terminal): Promise<Documents> {
  const read = new Map<string, readonly Document[]>();
  for (const text of given) {
    const cut = text.indexOf("=");
    if (cut < 1)
      throw new CommandError(`--documents ${text}: write it as <base>=<file>, such as --documents orders=orders.json.`);
    const file = text.slice(cut + 1);
    read.set(text.slice(0, cut), documentsIn(file, await readInput(file, terminal)));
  }
  return read;
}

function documentsIn(file: string, text: string): readonly Document[] {
  const value = contentOf(file, text);
  const list = Array.isArray(value) ? value : (value as { documents?: unknown } | null)?.documents;
  if (!Array.isArray(list) || list.length === 0)
    throw new CommandError(`${file} does not contain a list of documents.`);
  const nameless = list.findIndex((one) => typeof one?.external_id !== "string");
  if (nameless >= 0)
    throw new CommandError(
      `${file}: document ${nameless + 1} has no external_id. Add one, so that promoting again replaces the document instead of adding it twice.`,
    );
  return list;
}

/** A document in JSON, one JSON document a line, or YAML. */
function contentOf(file: string, text: string): unknown {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  for (const read of [() => JSON.parse(text), () => lines.map((line) => JSON.parse(line))]) {
    try {
      return read();
    } catch {
      // the next form
    }
  }
  const document = parseDocument(text, { logLevel: "silent" });
  const [fault] = document.errors;
  if (fault !== undefined) throw new CommandError(`${file}: ${fault.message.split("\n")[0]}`);
  return document.toJS();
}
