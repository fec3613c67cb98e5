import { redact } from "@aos/data-classes";
import type { WriteContext } from "../../../kernel/context.ts";
import { noteRetrievals } from "../document-store.ts";

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
}

/** A question to more bases than these is noted with the first of them. */
const mostBases = 20;

/**
 * Notes a question with each base that was searched, for the list of gaps, and the documents it was answered with; personal data in it is replaced. It commits with the search's own record: a search
 * changes nothing else, but as a call it has a transaction.
 */
export async function noteQuestion(
  ctx: Pick<WriteContext, "scope" | "newId" | "now" | "db">,
  { query, found, asked_by, agent }: AskedQuestion,
): Promise<void> {
  const { scope, now, db } = ctx;
  const bases = found.bases.slice(0, mostBases);
  if (bases.length === 0 || !/[\p{L}\p{N}\p{S}]/u.test(query)) return; // punctuation asks for nothing
  await noteRetrievals(ctx, [...new Set(found.chunks.map(({ document }) => document))], new Date(now));
  const own = bases.map((base) => found.chunks.filter(({ base_id }) => base_id === base));
  await db.query(
    `insert into knowledge_questions (organization, environment, id, base, query, asked_by, agent, at, best_score, coverage, answered, results)
     select $1, $2, id, base, $5, $6, $7, $8, best_score, $9, $10, results
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
    ],
  );
}
