import { first, select } from "../../../db/scoped.ts";
import type { Statements } from "../../../kernel/machines.ts";
import { type ReaderTokens, visibleText } from "../access.ts";
import { findBase, type Looking, type Seeing } from "../store.ts";
import type { AskedQuestion } from "./group-questions.ts";

/** A base as retrieval needs it. */
export type SearchedBase = NonNullable<Awaited<ReturnType<typeof findSearchedBase>>>;

/** A base by its id or name, if the reader may see it. */
export async function findSearchedBase(ctx: Seeing, idOrName: string, reader: ReaderTokens) {
  const found = await findBase(ctx, idOrName);
  if (!found) return undefined;
  const query = select(ctx, "knowledge_bases", "b").select([
    "b.id",
    "b.name",
    "b.language",
    "b.generation",
    "b.readers",
    "b.embedding",
  ]);
  const base = await first(ctx, query.where("b.id", "=", found.id));
  const { readers } = base ?? {};
  return readers == null || reader === null || readers.some((one) => reader.includes(one)) ? base : undefined;
}

/** A question with how it went. */
export interface StoredQuestion extends AskedQuestion {
  readonly agent: string | null;
  readonly answered: boolean;
}

/** Questions that are looked through at most, the newest. */
export const mostQuestions = 5_000;

/** The newest questions of a base that found nothing good, or (`answered`) those that did. */
export async function listQuestions(
  { scope, db }: Looking,
  { id, language }: Pick<SearchedBase, "id" | "language">,
  { after, before, answered }: { after: Date | null; before: Date | null; answered: boolean },
): Promise<StoredQuestion[]> {
  const rows = await db.query<Omit<StoredQuestion, "at"> & { at: Date }>(
    `select id, query, agent, answered, at, tsvector_to_array(to_tsvector($4::regconfig, query)) as stems from knowledge_questions
     where organization = $1 and environment = $2 and base = $3 and answered = $5
       and ($6::timestamptz is null or at >= $6) and ($7::timestamptz is null or at < $7)
     order by at desc, id desc limit ${mostQuestions}`,
    [scope.organization, scope.environment, id, language, answered, after, before],
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

/** A chunk that was found, with its document. */
export interface FoundPlace {
  readonly place: number;
  /** `<document>#<number>` */
  readonly chunk: string;
  readonly document_id: string;
  readonly external_id: string | null;
  readonly title: string;
  readonly text: string;
}

/** Chunks by their names or places, of documents that the reader may see. */
export async function findPlaces(
  { scope, db }: Looking,
  base: Pick<SearchedBase, "id" | "generation">,
  by: { readonly chunks: readonly string[]; readonly places: readonly number[] },
  reader: ReaderTokens,
): Promise<FoundPlace[]> {
  const values: unknown[] = [
    ...[scope.organization, scope.environment, base.id, base.generation, by.places],
    by.chunks.map((chunk) => chunk.slice(0, chunk.indexOf("#"))),
    by.chunks.map((chunk) => Number(chunk.slice(chunk.indexOf("#") + 1))),
  ];
  const bind = (value: unknown): string => `$${values.push(value)}`;
  return db.query(
    `select p.place, p.document || '#' || p.number as chunk, d.id as document_id, d.external_id, d.title, left(p.text, 300) as text
     from (
       select place from unnest($5::bigint[]) as n(place)
       union select p.place from unnest($6::text[], $7::int[]) as n(document, number)
         join chunks p on p.organization = $1 and p.environment = $2 and p.base = $3 and p.document = n.document and p.generation = $4 and p.number = n.number
     ) n
     join chunks p on p.organization = $1 and p.environment = $2 and p.base = $3 and p.generation = $4 and p.place = n.place
     join documents d on d.organization = $1 and d.environment = $2 and d.id = p.document
     where not p.disabled and ${visibleText([reader], ["d.readers"], bind)}`,
    values,
  );
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
