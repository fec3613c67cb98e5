import type pg from "pg";
import type { Service } from "../../server/bench/service.ts";
import { createReader } from "../../server/src/db/reader.ts";
import type { Evidence } from "../../server/src/features/knowledge/search/evidence.ts";
import { type FoundChunk, search } from "../../server/src/features/knowledge/search/store.ts";
import { type Collection, type Document, pageOf, type Question } from "./collections.ts";

/** One question asked of one base. */
export interface Sample {
  readonly base: string;
  /** `right`: pages of the base answer it. `near`: those pages are hidden. `elsewhere`: it belongs to another base. */
  readonly kind: "right" | "near" | "elsewhere";
  /** Name of the set that was put aside; null: to fit with. */
  readonly aside: string | null;
  readonly text: string;
  readonly evidence: Evidence | null;
  /** Whether the first page found answers it, and one of the first three. */
  readonly first: boolean;
  readonly three: boolean;
}

const scope = { organization: "default", environment: "development" } as const;
const documentsAtOnce = 400;
const bytesAtOnce = 800_000;
const shown = 20;

async function post({ url, key }: Service, at: string, body: object): Promise<void> {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const answer = await fetch(url + at, { method: "POST", headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${at} answered ${answer.status}: ${(await answer.text()).slice(0, 500)}`);
}

export async function addCollection(service: Service, { name, documents }: Collection): Promise<void> {
  await post(service, "/v1/knowledge/bases", { name });
  let some: Document[] = [];
  let bytes = 0;
  const send = async () => {
    const body = some.map(({ id, title, text }) => ({ external_id: id, text, ...(title !== "" && { title }) }));
    if (some.length > 0) await post(service, `/v1/knowledge/bases/${name}/documents/bulk`, { documents: body });
    some = [];
    bytes = 0;
  };
  for (const one of documents.filter(({ text }) => text.trim() !== "")) {
    const own = Buffer.byteLength(JSON.stringify(one));
    if (some.length >= documentsAtOnce || bytes + own > bytesAtOnce) await send();
    some.push(one);
    bytes += own;
  }
  await send();
}

const asking = (pool: pg.Pool | pg.PoolClient) => ({ scope, db: createReader(pool as pg.Pool) });

async function ask(pool: pg.Pool | pg.PoolClient, base: string, text: string) {
  return search(asking(pool), { query: text, bases: [base], limit: shown, sight: [null], hybrid: "words" });
}

/** The first three documents. */
function documentsOf(chunks: readonly FoundChunk[]): string[] {
  return [...new Set(chunks.map(({ external_id }) => external_id ?? ""))].slice(0, 3);
}

export async function askAll(
  pool: pg.Pool,
  base: string,
  kind: Sample["kind"],
  aside: string | null,
  questions: readonly Question[],
): Promise<Sample[]> {
  const samples: Sample[] = [];
  for (const question of questions) {
    const { chunks, evidence } =
      kind === "near" && question.pages.size > 0
        ? await askWithout(pool, base, question)
        : await ask(pool, base, question.text);
    const right = documentsOf(chunks).map((document) => kind === "right" && question.pages.has(pageOf(document)));
    const [first = false] = right;
    samples.push({
      base: base.replace(/-small-\d+$/, "-small"),
      kind,
      aside,
      text: question.text,
      evidence,
      first,
      three: right.includes(true),
    });
  }
  return samples;
}

/** The pages that answer are hidden for this one search. */
async function askWithout(pool: pg.Pool, base: string, { text, pages }: Question) {
  const client = await pool.connect();
  try {
    await client.query("begin");
    await client.query(
      `update chunks c set disabled = true from documents d where d.organization = $1 and d.environment = $2 and d.id = c.document
       and c.organization = $1 and c.environment = $2 and regexp_replace(d.external_id, '#\\d+$', '') = any($3)`,
      [scope.organization, scope.environment, [...pages]],
    );
    return await ask(client, base, text);
  } finally {
    await client.query("rollback");
    client.release();
  }
}
