import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { readTable } from "../../server/bench/csv.ts";
import { laterElsewhere, laterQuestions } from "./later-questions.ts";
import { elsewhereQuestions, manualQuestions, type PageQuestion } from "./questions.ts";

export interface Document {
  readonly id: string;
  readonly title: string;
  readonly text: string;
}

export interface Question {
  readonly text: string;
  /** Pages that answer it. */
  readonly pages: ReadonlySet<string>;
}

export interface Collection {
  readonly name: string;
  readonly documents: readonly Document[];
  readonly questions: readonly Question[];
  /** Used for no choice. */
  readonly setAside: readonly {
    readonly name: string;
    readonly questions: readonly Question[];
    readonly elsewhere: readonly string[];
  }[];
}

/** A page of the manual has several documents, one a section. */
export const pageOf = (document: string): string => document.replace(/#\d+$/, "");

const smallBases = 6;
const questionsOfEach = 8;
const strangersOfEach = 10;

/** Bases of some twenty documents, as most are that somebody begins with: the pages that answer a few of the questions, and some others. */
export function smallOnes({ name, documents, questions }: Collection): Collection[] {
  const byPage = Map.groupBy(documents, ({ id }) => pageOf(id));
  return Array.from({ length: smallBases }, (_none, at) => {
    const some = questions.filter((_one, index) => index % (smallBases * 3) === at).slice(0, questionsOfEach);
    const pages = some.flatMap((question) => [...question.pages].slice(0, 1));
    const answering = [...new Set(pages)].flatMap((page) => byPage.get(page)?.slice(0, 4) ?? []);
    const step = Math.max(1, Math.floor(documents.length / strangersOfEach));
    const others = documents.filter((_one, index) => index % step === at).slice(0, strangersOfEach);
    return {
      name: `${name}-small-${at}`,
      documents: [...new Set([...answering, ...others])],
      questions: some,
      setAside: [],
    };
  });
}

/** `data` has `cranfield/`, `search/` and `banking77.csv`; `packages` has Debian's `git-doc` and `python3.11-doc`, unpacked by `dpkg-deb -x`. */
export async function readCollections(data: string, packages: string): Promise<Collection[]> {
  return [
    await readManual(data),
    { ...(await readPassages(data, "packages")), setAside: [] },
    await readCranfield(data),
    await readGit(path.join(packages, "git-doc/usr/share/doc/git-doc")),
    await readPython(path.join(packages, "python3.11-doc/usr/share/doc/python3.11/html/_sources")),
  ];
}

async function readLines<T>(file: string): Promise<T[]> {
  const lines = (await readFile(file, "utf8")).trim().split("\n");
  return lines.map((line) => (file.endsWith(".jsonl") ? JSON.parse(line) : line) as T);
}

async function readPassages(data: string, name: string) {
  const folder = path.join(data, "search");
  const passages = await readLines<Document & { doc: string }>(path.join(folder, `${name}.passages.jsonl`));
  const asked = await readLines<{ text: string; rel: string[] }>(path.join(folder, `${name}.queries.jsonl`));
  const documents = [...Map.groupBy(passages, ({ doc }) => doc)].map(([id, own]) => ({
    id,
    title: own[0]?.title ?? "",
    text: own.map(({ text }) => text).join("\n\n"),
  }));
  const questions = asked.map(({ text, rel }) => ({ text, pages: new Set(rel.map(pageOf)) }));
  return { name, documents, questions };
}

/** Fitted on questions of odd numbers; the others are set aside, and so are those that people wrote. */
async function readManual(data: string): Promise<Collection> {
  const manual = await readPassages(data, "manual");
  const half = (odd: number) => manual.questions.filter((_one, at) => at % 2 === odd);
  const asked = (some: readonly PageQuestion[]) => some.map(({ text, pages }) => ({ text, pages: new Set(pages) }));
  return {
    ...manual,
    questions: half(1),
    setAside: [
      { name: "questions of people", questions: asked(manualQuestions), elsewhere: elsewhereQuestions },
      { name: "index terms", questions: half(0), elsewhere: (await readElsewhere()).aside },
      { name: "later questions", questions: asked(laterQuestions), elsewhere: laterElsewhere },
    ],
  };
}

async function readCranfield(data: string): Promise<Collection> {
  const folder = path.join(data, "cranfield");
  const [documents, asked, judged] = await Promise.all([
    readLines<Document>(path.join(folder, "documents.jsonl")),
    readLines<{ id: string; text: string }>(path.join(folder, "queries.jsonl")),
    readLines<string>(path.join(folder, "qrels.tsv")),
  ]);
  const pages = Map.groupBy(
    judged.slice(1).map((line) => line.split("\t")),
    ([query]) => query,
  );
  const questions = asked.map(({ id, text }) => ({
    text,
    pages: new Set(
      (pages.get(id) ?? []).flatMap(([, document, gain]) => (Number(gain) > 0 ? [document as string] : [])),
    ),
  }));
  return { name: "cranfield", documents, questions: questions.filter((one) => one.pages.size > 0), setAside: [] };
}

/** Pages of git without the line that says what a command is for, which is the question. */
async function readGit(folder: string): Promise<Collection> {
  const names = (await readdir(folder)).filter((name) => /^git-.*\.txt$/.test(name)).sort();
  const documents: Document[] = [];
  const questions: Question[] = [];
  for (const name of names) {
    const text = await readFile(path.join(folder, name), "utf8");
    const said = /^NAME\n-+\n(\S+) - (.*)\n/m.exec(text);
    documents.push({ id: name, title: name.replace(/\.txt$/, ""), text: said ? text.replace(said[0], "") : text });
    if (said) questions.push({ text: said[2] as string, pages: new Set([name]) });
  }
  return { name: "git", documents, questions, setAside: [] };
}

/** Python's documentation, by sections. The frequently asked questions are asked; their headings are not in the texts. */
async function readPython(folder: string): Promise<Collection> {
  const documents: Document[] = [];
  const questions: Question[] = [];
  for (const part of ["faq", "howto", "library", "tutorial", "using"]) {
    for (const name of (await readdir(path.join(folder, part))).sort()) {
      const text = await readFile(path.join(folder, part, name), "utf8");
      for (const [at, { heading, body }] of sectionsOf(text).entries()) {
        const id = `${part}/${name}/${at}`;
        const isAsked = part === "faq" && heading.endsWith("?");
        documents.push({ id, title: isAsked ? "" : heading, text: body });
        if (isAsked) questions.push({ text: heading.replaceAll("``", ""), pages: new Set([id]) });
      }
    }
  }
  return { name: "python", documents, questions, setAside: [] };
}

/** Of a text in reStructuredText: a line and below it as many signs. */
function sectionsOf(text: string): { heading: string; body: string }[] {
  const parts = text.split(/^(?:([=*#~^-])\1+\n)?(\S[^\n]*)\n([=*#~^-])\3{2,}\n/m);
  const sections: { heading: string; body: string }[] = [];
  for (let at = 2; at < parts.length; at += 4) {
    const body = (parts[at + 2] ?? "").replace(/^\.\. .*$/gm, "").trim();
    if (body !== "") sections.push({ heading: (parts[at] as string).trim(), body });
  }
  return sections;
}

/** Every `step`th question of customers of a bank, and the own ones from elsewhere. */
export async function readElsewhere(): Promise<{
  readonly fit: string[];
  readonly aside: string[];
}> {
  const rows = await readTable("banking77.csv");
  const texts = rows.map(({ text = "" }) => text);
  const every = (step: number, from: number) => texts.filter((_one, at) => at % step === from);
  return { fit: every(97, 0), aside: every(97, 48) };
}
