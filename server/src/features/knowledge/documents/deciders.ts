import { all, first, select, sql, update } from "../../../db/scoped.ts";
import { type Decider, decidersOf, storedDeciders, unite } from "../../../kernel/actor.ts";
import type { CallContext, WriteContext } from "../../../kernel/context.ts";
import type { QueryContext } from "../../../kernel/db.ts";
import { whyNoSecondPerson } from "../../admin/public.ts";
import type { By } from "../bases/lookup-store.ts";
import { parseCitation } from "./citations.ts";

// Who decided what a document says: rule C of decision 0064. Each version has the deciders of its own contents, those whom a second person has reviewed left out.

export interface Writer extends By {
  /** Of a decider of a whole document `of` is null in the row; readers get the document's name. */
  readonly deciders: readonly Decider[];
}

export const writerOf = (ctx: Pick<CallContext, "principal" | "scope" | "now">): Writer => ({
  author: ctx.principal.id,
  at: new Date(ctx.now),
  deciders: decidersOf(ctx, "document", null),
});

const ofChunk = "chunk:";

/** Corrections outlast new contents, and a review does not cover them. */
export const correctorsIn = (column: string): string =>
  `coalesce(jsonb_path_query_array(${column}, '$[*] ? (@.of starts with "${ofChunk}")'), '[]')`;

export const decidersAfter = ({ deciders }: Pick<Writer, "deciders">) =>
  sql<string>`${JSON.stringify(deciders)}::jsonb || ${sql.raw(correctorsIn("deciders"))}`;

/** Once, however often the caller corrects. */
export async function noteCorrector(ctx: QueryContext, document: string, number: number, by: Writer): Promise<void> {
  const of = `${ofChunk}${document}#${number}`;
  const added = JSON.stringify(by.deciders.map((one) => ({ ...one, of })));
  const deciders = sql<string>`coalesce(deciders, '[]') || (select coalesce(jsonb_agg(one), '[]') from jsonb_array_elements(${added}::jsonb) one
    where deciders is null or not deciders @> jsonb_build_array(one - 'at'))`;
  await all(ctx, update(ctx, "documents").set({ deciders }).where("id", "=", document));
}

/** If the caller is a second person for it and named the version that they read. The document is locked. */
export async function noteReviewer(ctx: WriteContext, document: string): Promise<void> {
  if (!ctx.basedOnLoaded) return;
  const row = await first(ctx, select(ctx, "documents", "d").select("d.deciders").where("d.id", "=", document));
  if (whyNoSecondPerson(ctx, storedDeciders(row?.deciders)) !== null) return;
  const deciders = sql<string>`${sql.raw(correctorsIn("deciders"))}`;
  await all(ctx, update(ctx, "documents").set({ deciders }).where("id", "=", document));
}

export interface ReadVersion {
  readonly document: string;
  readonly version: number;
}

export function readVersionOf({
  citation,
  document,
}: {
  readonly citation: string;
  readonly document: string;
}): ReadVersion {
  const cited = parseCitation(citation);
  if (!cited) throw new TypeError(`${citation} is no citation`);
  return { document, version: cited.version };
}

/** Without those of reviewed versions. Deleted documents count as they were. */
export async function decidersOfVersions(
  { scope, db }: QueryContext,
  read: readonly ReadVersion[],
): Promise<Decider[]> {
  if (read.length === 0) return [];
  const rows = await db.query<{ document: string; deciders: unknown }>(
    `select r.document, coalesce(d.deciders, v.deciders, g.deciders) as deciders from unnest($3::text[], $4::int[]) as r(document, version)
     left join documents d on d.organization = $1 and d.environment = $2 and d.id = r.document and d.version = r.version
     left join document_versions v on v.organization = $1 and v.environment = $2 and v.document = r.document and v.version = r.version
     left join deleted_documents g on g.organization = $1 and g.environment = $2 and g.id = r.document`,
    [scope.organization, scope.environment, read.map(({ document }) => document), read.map(({ version }) => version)],
  );
  const named = rows.map(({ document, deciders }) =>
    storedDeciders(deciders).map((one) => (one.of === null ? { ...one, of: `document:${document}` } : one)),
  );
  return unite(...named);
}

/** Includes deleted documents. */
export async function decidersOfDocument({ scope, db }: QueryContext, id: string): Promise<readonly Decider[]> {
  const rows = await db.query<{ deciders: unknown }>(
    `select deciders from documents where organization = $1 and environment = $2 and id = $3
     union all select deciders from deleted_documents where organization = $1 and environment = $2 and id = $3`,
    [scope.organization, scope.environment, id],
  );
  return unite(...rows.map(({ deciders }) => storedDeciders(deciders)));
}
