import { redact } from "@aos/data-classes";
import type { WriteContext } from "../../../kernel/context.ts";
import type { Readers } from "../../../kernel/readers.ts";
import { type ReaderTokens, visibleText } from "../access.ts";
import { noteRetrievals } from "../document-store.ts";
import type { Looking } from "../store.ts";

/** What a search says of itself. */
export interface AskedQuestion {
  readonly query: string;
  readonly found: {
    readonly bases: readonly string[];
    readonly chunks: readonly { readonly base_id: string; readonly document: string; readonly score: number }[];
    readonly coverage: number;
    readonly answered: boolean;
  };
  readonly asked_by: string;
  readonly agent: string | null;
  /** What whoever wrote the question may read, and so may quote; null: everything, as of an agent, which is given texts by others. */
  readonly quotes: ReaderTokens;
}

/** A question to more bases than these is noted with the first of them. */
const mostBases = 20;

/**
 * Notes a question with each base that was searched, for the list of gaps, and the documents it was answered with; personal data in it is replaced. It commits with the search's own record: a search
 * changes nothing else, but as a call it has a transaction.
 */
export async function noteQuestion(
  ctx: Pick<WriteContext, "scope" | "newId" | "now" | "db">,
  { query, found, asked_by, agent, quotes }: AskedQuestion,
): Promise<void> {
  const { scope, now, db } = ctx;
  const bases = found.bases.slice(0, mostBases);
  if (bases.length === 0 || !/[\p{L}\p{N}\p{S}]/u.test(query)) return; // punctuation asks for nothing
  await noteRetrievals(ctx, [...new Set(found.chunks.map(({ document }) => document))], new Date(now));
  const own = bases.map((base) => found.chunks.filter(({ base_id }) => base_id === base));
  await db.query(
    `insert into knowledge_questions (organization, environment, id, base, query, asked_by, agent, at, best_score, coverage, answered, results, readers)
     select $1, $2, id, base, $5, $6, $7, $8, best_score, $9, $10, results, $13
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
    ],
  );
}

/** Restricted documents whose lists are read for a question; of more, nobody but the asker and those who see everything reads it. */
const mostRestricted = 2_000;
const nobody: Readers = [];

/**
 * The lists of readers that all have to admit whoever reads a question: those of the bases that were searched, and of all documents in them that the asker may
 * quote. They are fixed when it is asked: documents change and go, the words stay.
 */
async function readersOfQuestion(
  { scope, db }: Looking,
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
