import { first, select } from "../../../db/scoped.ts";
import type { Statements } from "../../../kernel/machines.ts";
import { type ReaderTokens, visibleText } from "../access.ts";
import { findBase, type Looking, type Seeing } from "../store.ts";
import type { AskedQuestion } from "./group-questions.ts";
import { readableQuestion } from "./question-readers.ts";

/** A base as retrieval needs it. */
export type SearchedBase = NonNullable<Awaited<ReturnType<typeof findSearchedBase>>>;

/** A base by its id or name, as retrieval needs it, where the caller may read it. */
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

/** A question with how it went. */
export interface StoredQuestion extends AskedQuestion {
  readonly agent: string | null;
  readonly answered: boolean;
}

/** Questions that are looked through at most, the newest. */
export const mostQuestions = 5_000;

/** The newest questions of a base that the caller may read and that found nothing good, or (`answered`) those that did. */
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

/** Deletes questions that were asked before this; returns how many, at most `most`. */
export async function deleteOldQuestions(db: Statements, before: Date, most: number): Promise<number> {
  const rows = await db.query(
    `delete from knowledge_questions where (organization, environment, id) in
       (select organization, environment, id from knowledge_questions where at < $1 order by at limit $2) returning id`,
    [before, most],
  );
  return rows.length;
}

/** The ids of documents of a base by id or external id, as far as there are such that the reader may see. */
export async function findExpected(
  { scope, db }: Looking,
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
