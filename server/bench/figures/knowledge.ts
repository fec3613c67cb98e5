import { readFile } from "node:fs/promises";
import path from "node:path";
import { readTable } from "../csv.ts";
import type { Bench, Figure, Result } from "../figure.ts";
import { Missing } from "../programs.ts";
import type { Service } from "../service.ts";

/** With `cranfield/documents.jsonl`, `queries.jsonl` and `qrels.tsv`, and `search/<name>.passages.jsonl` and `<name>.queries.jsonl`. */
const folder = process.env.AOS_BENCH_DATA ?? "";
const base = "cranfield";
const documentsAtOnce = 500;
const bytesAtOnce = 900_000;
const passagesAtOnce = 5000;
/** Filling stops after this long, and the search is measured among as many as there are. */
const longestFillMs = 8 * 60_000;

interface Document {
  readonly id: string;
  readonly title: string;
  readonly text: string;
}

interface Collection {
  readonly name: string;
  /** What nDCG@10 has to be. */
  readonly bar: number;
  readonly aim: number;
  readonly documents: readonly Document[];
  /** With the gain of each document that is relevant. */
  readonly queries: readonly { readonly text: string; readonly gains: ReadonlyMap<string, number> }[];
}

/** Search of knowledge: how good the order is, how fast texts come in, and how fast a search is among many passages, all in one configuration. */
export const knowledge: Figure = {
  name: "knowledge",
  title: "search of knowledge: ranking on three collections, ingest, and speed among many passages",
  async run(bench) {
    const collection = await readCranfield();
    const others = await Promise.all(passageCollections.map(readPassages));
    const results: Result[] = [];
    await bench.withService(async (service) => {
      results.push(await ingest(bench, service, collection));
      results.push(...(await quality(bench, service, collection)), await foreign(service));
      for (const other of others) {
        await addAll(service, other.name, other.documents);
        results.push(...(await quality(bench, service, other)));
      }
      const sizes = bench.quick ? [20_000] : [100_000, 1_000_000];
      let filled = 0;
      for (const size of sizes) {
        filled = await fillPassages(bench, service, filled, size);
        results.push(...(await speed(bench, service, collection, filled)));
      }
    });
    return results;
  },
};

/** Collections of passages with the documents that answer each query, and what nDCG@10 has to be; BM25 alone has .375, .582 and .806. */
const passageCollections = [
  { name: "manual", bar: 0.64, aim: 0.67 },
  { name: "packages", bar: 0.84, aim: 0.86 },
] as const;

async function readLines<T>(name: string): Promise<T[]> {
  const file = path.join(folder, name);
  const text = await readFile(file, "utf8").catch(() => {
    throw new Missing(`${file} cannot be read: set AOS_BENCH_DATA to the folder that has it`);
  });
  return text
    .trim()
    .split("\n")
    .map((line) => (name.endsWith(".jsonl") ? JSON.parse(line) : line));
}

async function readCranfield(): Promise<Collection> {
  const [documents, asked, judgements] = await Promise.all([
    readLines<Document>("cranfield/documents.jsonl"),
    readLines<{ id: string; text: string }>("cranfield/queries.jsonl"),
    readLines<string>("cranfield/qrels.tsv"),
  ]);
  const gains = new Map<string, Map<string, number>>();
  for (const line of judgements.slice(1)) {
    const [query = "", document = "", gain] = line.split("\t");
    gains.set(query, (gains.get(query) ?? new Map<string, number>()).set(document, Number(gain)));
  }
  const queries = asked.map(({ id, text }) => ({ text, gains: gains.get(id) ?? new Map() }));
  return { name: base, bar: 0.4, aim: 0.42, documents, queries };
}

async function readPassages({ name, ...bars }: (typeof passageCollections)[number]): Promise<Collection> {
  const [passages, asked] = await Promise.all([
    readLines<Document & { doc: string }>(`search/${name}.passages.jsonl`),
    readLines<{ text: string; rel: string[] }>(`search/${name}.queries.jsonl`),
  ]);
  const documents = [...Map.groupBy(passages, ({ doc }) => doc)].map(([id, own]) => ({
    id,
    title: own[0]?.title ?? "",
    text: own.map(({ text }) => text).join("\n\n"),
  }));
  const queries = asked.map(({ text, rel }) => ({ text, gains: new Map(rel.map((document) => [document, 1])) }));
  return { name, ...bars, documents, queries };
}

async function post<T>({ url, key }: Service, path: string, body: object): Promise<T> {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const answer = await fetch(url + path, { method: "POST", headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as T;
}

/** Adds documents to a new base by the bulk call. Returns their bytes. */
async function addAll(service: Service, name: string, documents: readonly Document[], copy = 0): Promise<number> {
  if (copy <= 1) await post(service, "/v1/knowledge/bases", { name });
  let bytes = 0;
  for (const some of callsOf(documents)) {
    const body = some.map(({ id, title, text }) => ({
      external_id: `${copy === 0 ? "" : `${copy}-`}${id}`,
      text,
      ...(title !== "" && { title }),
    }));
    for (const { title, text } of some) bytes += Buffer.byteLength(title) + Buffer.byteLength(text);
    await post(service, `/v1/knowledge/bases/${name}/documents/bulk`, { documents: body });
  }
  return bytes;
}

/** Documents of one call: as many as it takes, by number and size. */
function callsOf(documents: readonly Document[]): Document[][] {
  const calls: Document[][] = [];
  let bytes = 0;
  for (const one of documents.filter(({ text }) => text.trim() !== "")) {
    const own = Buffer.byteLength(JSON.stringify(one));
    const last = calls.at(-1);
    if (!last || last.length >= documentsAtOnce || bytes + own > bytesAtOnce) {
      calls.push([one]);
      bytes = own;
    } else {
      last.push(one);
      bytes += own;
    }
  }
  return calls;
}

/** Adds the collection several times under other ids; what counts is the last time, when the vocabulary is known. */
async function ingest(bench: Bench, service: Service, { name, documents }: Collection): Promise<Result> {
  await addAll(service, name, documents);
  const rates: number[] = [];
  for (let copy = 1; copy <= (bench.quick ? 1 : 3); copy += 1) {
    const began = performance.now();
    const bytes = await addAll(service, "copies", documents, copy);
    rates.push(bytes / 1e6 / ((performance.now() - began) / 1000));
  }
  bench.say(
    `  ingest of plain text, calls of ${documentsAtOnce} documents: ${rates.map((rate) => rate.toFixed(2)).join(", ")} MB/s`,
  );
  const value = Math.max(...rates);
  return { what: "ingest of plain text, MB", value, unit: "/s", bar: 1, aim: 4, better: "higher" };
}

interface Answer {
  readonly data: readonly { external_id: string }[];
  readonly answered: boolean;
}

async function quality(bench: Bench, service: Service, collection: Collection): Promise<Result[]> {
  const { name, queries, bar, aim } = collection;
  const sums = { ndcg: 0, map: 0, recall: 0, answered: 0, n: 0 };
  const halves = [0, 0];
  for (const [at, { text, gains }] of queries.entries()) {
    if (gains.size === 0) continue;
    const body = { query: text, bases: [name], limit: 50 };
    const { data, answered } = await post<Answer>(service, "/v1/knowledge/search", body);
    const order = [...new Set(data.map(({ external_id }) => external_id))].map((document) => gains.get(document) ?? 0);
    const ndcg = discounted(order) / discounted([...gains.values()].sort((a, b) => b - a));
    halves[at % 2] = (halves[at % 2] as number) + ndcg;
    sums.ndcg += ndcg;
    sums.map += averagePrecision(order, gains.size);
    sums.recall += order.filter((gain) => gain > 0).length / gains.size;
    sums.answered += answered ? 1 : 0;
    sums.n += 1;
  }
  const [first, second] = halves.map((sum) => ((2 * sum) / sums.n).toFixed(3));
  bench.say(`  ${name}: ${sums.n} questions; nDCG@10 of every other one ${first}, of the rest ${second}`);
  const mean = (what: string, sum: number, bars: { bar: number | null; aim: number | null }): Result => ({
    what,
    value: sum / sums.n,
    unit: "",
    ...bars,
    better: "higher",
  });
  const free = { bar: null, aim: null };
  return [
    mean(`nDCG@10 on ${name}`, sums.ndcg, { bar, aim }),
    mean(`MAP of the 50 best passages on ${name}`, sums.map, free),
    mean(`recall in the 50 best passages on ${name}`, sums.recall, free),
    mean(`questions of ${name} that are answered`, sums.answered, free),
  ];
}

/** Questions to a bank, evenly from all of its categories, of which the collection can answer none. */
async function foreign(service: Service): Promise<Result> {
  const rows = await readTable("banking77.csv");
  const asked = Array.from({ length: 200 }, (_none, at) => rows[Math.floor((at * rows.length) / 200)]?.text ?? "");
  let wrong = 0;
  for (const query of asked) {
    const body = { query, bases: [base], limit: 10 };
    if ((await post<Answer>(service, "/v1/knowledge/search", body)).answered) wrong += 1;
  }
  const value = wrong / asked.length;
  return { what: "questions to a bank taken for answered", value, unit: "", bar: null, aim: null, better: "lower" };
}

const discounted = (gains: readonly number[]): number =>
  gains.slice(0, 10).reduce((sum, gain, at) => sum + gain / Math.log2(at + 2), 0);

function averagePrecision(gains: readonly number[], relevant: number): number {
  let found = 0;
  let sum = 0;
  for (const [at, gain] of gains.entries()) {
    if (gain <= 0) continue;
    found += 1;
    sum += found / (at + 1);
  }
  return sum / relevant;
}

/** Passages of five sentences drawn from the collection's own texts, so that their words are as common and as rare as in it; ten to a document. */
async function fillPassages(bench: Bench, { pool }: Service, from: number, to: number): Promise<number> {
  const began = performance.now();
  await pool.query(
    `insert into knowledge_bases (organization, environment, id, name) values ('default', 'development', 'kb_many', 'many') on conflict do nothing`,
  );
  await pool.query(`create table if not exists bench_sentences as
    select row_number() over () as n, s as sentence from documents d, regexp_split_to_table(d.text, '\\s+\\.\\s+') s
    where d.base = (select id from knowledge_bases where name = '${base}' limit 1) and length(s) between 40 and 400`);
  await pool.query("create unique index if not exists bench_sentences_n on bench_sentences (n)");
  let end = from;
  while (end < to && performance.now() - began < longestFillMs) {
    const start = end;
    end = Math.min(to, start + passagesAtOnce);
    await pool.query(
      `insert into documents (organization, environment, id, base, title, text)
       select 'default', 'development', 'doc_' || lpad(n::text, 26, '0'), 'kb_many', 'Document ' || n, '' from generate_series($1::int / 10, ($2::int - 1) / 10) n`,
      [start, end],
    );
    await pool.query(
      `with drawn as materialized (
         select p.n, floor(random() * (select max(n) from bench_sentences))::int + 1 as sentence from generate_series($1::int, $2::int - 1) as p(n), generate_series(1, 5)
       ), passages as materialized (
         select d.n, min(left(s.sentence, 60)) as title, string_agg(s.sentence, '. ') as text from drawn d join bench_sentences s on s.n = d.sentence group by d.n
       )
       insert into chunks (organization, environment, base, document, number, title, text, lexemes, stems)
       select 'default', 'development', 'kb_many', 'doc_' || lpad((n / 10)::text, 26, '0'), n % 10 + 1, title, text,
         setweight(to_tsvector('english', title), 'C') || to_tsvector('english', text), length(to_tsvector('english', text)) from passages order by n`,
      [start, end],
    );
  }
  const filled = performance.now();
  await pool.query("vacuum analyze chunks, chunk_postings, chunk_terms, documents");
  const seconds = (ms: number): string => (ms / 1000).toFixed(0);
  bench.say(
    `  filled to ${end.toLocaleString("en")} passages in ${seconds(filled - began)} s, vacuumed in ${seconds(performance.now() - filled)} s`,
  );
  return end;
}

async function speed(bench: Bench, service: Service, { queries }: Collection, size: number): Promise<Result[]> {
  const times: number[] = [];
  for (const round of [0, 1, 2]) {
    for (const { text } of queries) {
      const began = performance.now();
      const { data } = await post<Answer>(service, "/v1/knowledge/search", { query: text, bases: ["many"], limit: 10 });
      if (data.length !== 10) throw new Error(`"${text}" found ${data.length} passages among ${size}`);
      if (round > 0) times.push(performance.now() - began);
    }
  }
  times.sort((a, b) => a - b);
  const at = (part: number): number => times[Math.floor(part * (times.length - 1))] as number;
  const [bar, aim] = size > 100_000 ? [250, 100] : [60, 25];
  const of = `search among ${size.toLocaleString("en")} passages`;
  bench.say(`  ${of}: ${times.length} calls by one client after one round to warm up`);
  return [
    { what: `${of}, p50`, value: at(0.5), unit: "ms", bar: null, aim: null, better: "lower" },
    { what: `${of}, p95`, value: at(0.95), unit: "ms", bar, aim, better: "lower" },
  ];
}
