import { redact } from "@aos/data-classes";
import { first, select } from "../../../db/scoped.ts";
import { admits } from "../../../db/stored-events.ts";
import type { WriteContext } from "../../../kernel/context.ts";
import type { QueryContext } from "../../../kernel/db.ts";
import type { Statements, Sweep } from "../../../kernel/machines.ts";
import type { Principal } from "../../../kernel/principal.ts";
import type { Readers } from "../../../kernel/readers.ts";
import type { EraseWork } from "../../../resources/tables.ts";
import { type ReaderTokens, readerTokens, visibleText } from "../access.ts";
import { findBase, type Seeing } from "../bases/lookup-store.ts";
import { noteRetrievals } from "../documents/store.ts";
import type { Judgement } from "../search/judgement.ts";
import type { AskedQuestion } from "./grouping.ts";

export type SearchedBase = NonNullable<Awaited<ReturnType<typeof findSearchedBase>>>;

export async function findSearchedBase(ctx: Seeing, idOrName: string) {
  const found = await findBase(ctx, idOrName);
  if (!found) return undefined;
  return first(
    ctx,
    select(ctx, "knowledge_bases", "b")
      .select(["b.id", "b.name", "b.language", "b.generation", "b.embedding"])
      .where("b.id", "=", found.id),
  );
}

export interface StoredQuestion extends AskedQuestion {
  readonly agent: string | null;
  readonly answered: boolean;
}

export const mostQuestions = 5_000;

/** Newest first, as far as the caller may read them. */
export async function listQuestions(
  { scope, db, principal }: Seeing,
  { id, language }: Pick<SearchedBase, "id" | "language">,
  { after, before, answered }: { after: Date | null; before: Date | null; answered: boolean },
): Promise<StoredQuestion[]> {
  const values: unknown[] = [scope.organization, scope.environment, id, language, answered, after, before];
  const readable = readableQuestion(principal, (value) => `$${values.push(value)}`);
  const rows = await db.query<Omit<StoredQuestion, "at"> & { at: Date }>(
    `select id, query, agent, answered, at, tsvector_to_array(to_tsvector($4::regconfig, query)) as stems from knowledge_questions q
     where organization = $1 and environment = $2 and base = $3 and answered = $5
       and ($6::timestamptz is null or at >= $6) and ($7::timestamptz is null or at < $7) and ${readable}
     order by at desc, id desc limit ${mostQuestions}`,
    values,
  );
  return rows.map((row) => ({ ...row, at: row.at.getTime() }));
}

/** Returns how many, at most `most`. */
export async function deleteOldQuestions(db: Statements, before: Date, most: number): Promise<number> {
  const rows = await db.query(
    `delete from knowledge_questions where (organization, environment, id) in
       (select organization, environment, id from knowledge_questions where at < $1 order by at limit $2) returning id`,
    [before, most],
  );
  return rows.length;
}

/** By id or external id, as far as the reader may see them. */
export async function findExpected(
  { scope, db }: QueryContext,
  base: string,
  names: readonly string[],
  reader: ReaderTokens,
): Promise<ReadonlyMap<string, string>> {
  const values: unknown[] = [scope.organization, scope.environment, base, names];
  const bind = (value: unknown): string => `$${values.push(value)}`;
  const rows = await db.query<{ name: string; id: string }>(
    `select n.name, d.id from unnest($4::text[]) as n(name)
     join documents d on d.organization = $1 and d.environment = $2 and d.base = $3 and (d.id = n.name or d.external_id = n.name)
     where ${visibleText([reader], ["d.readers"], bind)}`,
    values,
  );
  return new Map(rows.map(({ name, id }) => [name, id]));
}

/**
 * SQL: whether a caller may read a question `q`: they asked it, or all its lists of readers admit them. A key that is narrowed to agents reads what those asked.
 * `bind` adds a parameter and returns how the statement names it.
 */
export function readableQuestion(principal: Principal, bind: (value: unknown) => string): string {
  const admitted = admits("q.readers", [readerTokens(principal)], bind);
  const own = `(q.asked_by = ${bind(principal.id)} or ${admitted})`;
  return principal.agents === null ? own : `(q.agent = any(${bind(principal.agents)}::text[]) and ${own})`;
}

const KEPT_DAYS = 90;
const most = 1_000;

export const questionSweep: Sweep = {
  name: "knowledge.questions",
  async run({ db, now }) {
    await deleteOldQuestions(db, new Date(now - KEPT_DAYS * 86_400_000), most);
  },
};

export interface NewQuestion {
  readonly query: string;
  readonly found: {
    readonly bases: readonly string[];
    readonly chunks: readonly { readonly base_id: string; readonly document: string; readonly score: number }[];
    readonly coverage: number;
    readonly answered: boolean;
    readonly judgement: Judgement;
  };
  /** The task that asked; its ratings are those of the answer. */
  readonly task?: string | null;
  readonly asked_by: string;
  readonly agent: string | null;
  /** What the writer may read and so quote; null: everything, as for agents. */
  readonly quotes: ReaderTokens;
}

const mostBases = 20;

/** For each base that was searched; personal data is replaced. Also counts retrievals. */
export async function noteQuestion(
  ctx: Pick<WriteContext, "scope" | "newId" | "now" | "db">,
  { query, found, task = null, asked_by, agent, quotes }: NewQuestion,
): Promise<void> {
  const { scope, now, db } = ctx;
  const bases = found.bases.slice(0, mostBases);
  if (bases.length === 0 || !/[\p{L}\p{N}\p{S}]/u.test(query)) return; // punctuation asks for nothing
  await noteRetrievals(ctx, [...new Set(found.chunks.map(({ document }) => document))], new Date(now));
  const own = bases.map((base) => found.chunks.filter(({ base_id }) => base_id === base));
  await db.query(
    `insert into knowledge_questions (organization, environment, id, base, query, asked_by, agent, at, best_score, coverage, answered, results, readers, outcome, probability, task)
     select $1, $2, id, base, $5, $6, $7, $8, best_score, $9, $10, results, $13, $14, $15, $16
     from unnest($3::text[], $4::text[], $11::float8[], $12::int[]) as q(id, base, best_score, results)
     where exists (select from knowledge_bases b where b.organization = $1 and b.environment = $2 and b.id = q.base)`,
    [
      scope.organization,
      scope.environment,
      bases.map(() => ctx.newId("qst")),
      bases,
      redact(query).value,
      asked_by,
      agent,
      new Date(now),
      found.coverage,
      found.answered,
      own.map((chunks) => chunks[0]?.score ?? 0),
      own.map((chunks) => chunks.length),
      JSON.stringify(await readersOfQuestion(ctx, found.bases, quotes)),
      found.judgement.outcome,
      found.judgement.probability,
      task,
    ],
  );
}

/** A reply that was rated down leaves a gap, whatever its search found; a later good rating takes that back. */
export async function rateQuestions({ scope, db }: QueryContext, task: string, good: boolean): Promise<void> {
  await db.query(
    `update knowledge_questions set rated = $4, answered = $4 and outcome <> 'nothing'
     where organization = $1 and environment = $2 and task = $3`,
    [scope.organization, scope.environment, task, good],
  );
}

/** Beyond this, only the asker and those who see everything may read the question. */
const mostRestricted = 2_000;
const nobody: Readers = [];

/** All must admit a reader of the question: those of the bases, and of every document that the asker may quote. Fixed when asked, since documents change. */
async function readersOfQuestion(
  { scope, db }: QueryContext,
  bases: readonly string[],
  quotes: ReaderTokens,
): Promise<Readers[]> {
  const values: unknown[] = [scope.organization, scope.environment, bases, mostRestricted + 1];
  const quotable = visibleText([quotes], ["readers"], (value) => `$${values.push(value)}`);
  const rows = await db.query<{ readers: string[]; documents: number }>(
    `select readers, count(*)::int as documents from (
       (select readers from documents where organization = $1 and environment = $2 and base = any($3::text[]) and readers is not null and ${quotable} limit $4)
       union all select readers from knowledge_bases where organization = $1 and environment = $2 and id = any($3::text[]) and readers is not null
     ) restricted group by readers`,
    values,
  );
  const seen = rows.reduce((sum, { documents }) => sum + documents, 0);
  return seen > mostRestricted ? [nobody] : rows.map(({ readers }) => readers);
}

/** Matched by the texts that tools were called with. */
export const eraseQuestions: EraseWork = async ({ scope, db }, { tasks, texts }) => {
  if (texts.length === 0) return;
  await db.query(
    `delete from knowledge_questions q using tasks t
     where q.organization = $1 and q.environment = $2 and t.organization = $1 and t.environment = $2 and t.id = any($3::text[])
       and q.agent = t.agent and q.at >= t.created_at and q.query = any($4::text[])`,
    [scope.organization, scope.environment, tasks, texts],
  );
};
