import { all, first, select, sql, update } from "../../db/scoped.ts";
import { type Decider, decidersOf, storedDeciders, unite } from "../../kernel/actor.ts";
import type { CallContext, WriteContext } from "../../kernel/context.ts";
import { whyNoSecondPerson } from "../admin/public.ts";
import { parseCitation } from "./citations.ts";
import type { By, Looking } from "./store.ts";

// Who decided what a document says: rule C of decision 0064. Each version has the deciders of its own contents, those whom a second person has reviewed left out.

/** Who writes a version of a document, with everybody accountable for what it says. */
export interface Writer extends By {
  /** Of a decider of a whole document `of` is null in the row; readers get the document's name. */
  readonly deciders: readonly Decider[];
}

/** The caller as the writer of documents. */
export const writerOf = (ctx: Pick<CallContext, "principal" | "scope" | "now">): Writer => ({
  author: ctx.principal.id,
  at: new Date(ctx.now),
  deciders: decidersOf(ctx, "document", null),
});

const ofChunk = "chunk:";

/** Those who corrected chunks, of a `deciders` column: their texts outlast new contents, and reviewing a document does not show them. */
export const correctorsIn = (column: string): string =>
  `coalesce(jsonb_path_query_array(${column}, '$[*] ? (@.of starts with "${ofChunk}")'), '[]')`;

/** The deciders of a document with new contents by this writer, for an update of its row. */
export const decidersAfter = ({ deciders }: Pick<Writer, "deciders">) =>
  sql<string>`${JSON.stringify(deciders)}::jsonb || ${sql.raw(correctorsIn("deciders"))}`;

/** Notes that the caller corrected a chunk; once, however often they do. */
export async function noteCorrector(ctx: Looking, document: string, number: number, by: Writer): Promise<void> {
  const of = `${ofChunk}${document}#${number}`;
  const added = JSON.stringify(by.deciders.map((one) => ({ ...one, of })));
  const deciders = sql<string>`coalesce(deciders, '[]') || (select coalesce(jsonb_agg(one), '[]') from jsonb_array_elements(${added}::jsonb) one
    where deciders is null or not deciders @> jsonb_build_array(one - 'at'))`;
  await all(ctx, update(ctx, "documents").set({ deciders }).where("id", "=", document));
}

/**
 * Leaves out those who decided the version that the caller reviewed, where the caller is a second person for it and named the version that they read. The
 * document is locked.
 */
export async function noteReviewer(ctx: WriteContext, document: string): Promise<void> {
  if (!ctx.basedOnLoaded) return;
  const row = await first(ctx, select(ctx, "documents", "d").select("d.deciders").where("d.id", "=", document));
  if (whyNoSecondPerson(ctx, storedDeciders(row?.deciders)) !== null) return;
  const deciders = sql<string>`${sql.raw(correctorsIn("deciders"))}`;
  await all(ctx, update(ctx, "documents").set({ deciders }).where("id", "=", document));
}

/** A version of a document that a run has read. */
export interface ReadVersion {
  readonly document: string;
  readonly version: number;
}

/** The version of its document that a chunk was cut from. */
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

/** Who decided what these versions say and was not reviewed by somebody else. What was deleted since counts as it was. */
export async function decidersOfVersions({ scope, db }: Looking, read: readonly ReadVersion[]): Promise<Decider[]> {
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

/** Who decided what a document says, deleted ones included; nobody where there is no such document. */
export async function decidersOfDocument({ scope, db }: Looking, id: string): Promise<readonly Decider[]> {
  const rows = await db.query<{ deciders: unknown }>(
    `select deciders from documents where organization = $1 and environment = $2 and id = $3
     union all select deciders from deleted_documents where organization = $1 and environment = $2 and id = $3`,
    [scope.organization, scope.environment, id],
  );
  return unite(...rows.map(({ deciders }) => storedDeciders(deciders)));
}
