import { changedMeanwhile } from "../../../kernel/changed-meanwhile.ts";
import type { ReadContext, WriteContext } from "../../../kernel/context.ts";
import { refuse } from "../../../kernel/errors.ts";
import { notFound } from "../../../kernel/problems.ts";
import { readerTokens, visibleText } from "../access.ts";
import { type BaseHead, findBase, type Seeing } from "../bases/lookup-store.ts";
import { documentExists } from "../errors.ts";
import { findNamed } from "./deletion-store.ts";
import { type DocumentWithContents, findDocument, findSame, keyOf, lockDocument } from "./store.ts";

export interface LoadedDocument extends BaseHead {
  readonly document: DocumentWithContents;
}

export async function loadDocument(
  ctx: ReadContext,
  params: { readonly base: string; readonly document: string },
): Promise<LoadedDocument | undefined> {
  const base = await findBase(ctx, params.base);
  const document = base && (await findDocument(ctx, base.id, params.document));
  return document && { ...base, document };
}

/** Throws if it was deleted or changed since. */
export async function lockLoaded(
  ctx: WriteContext,
  { document }: LoadedDocument,
): Promise<{ version: number; digest: string | null; waits: boolean }> {
  const locked = await lockDocument(ctx, document.id);
  if (!locked) throw refuse(notFound, "The document was just deleted.");
  if (ctx.basedOnLoaded && locked.version !== document.version) throw changedMeanwhile();
  return locked;
}

type Named = Parameters<typeof keyOf>[0];

/** Keys of documents that the caller may not read. What callers wrote last they may write again: imports are repeated. */
export async function findTaken(ctx: Seeing, base: string, given: readonly Named[]): Promise<ReadonlySet<string>> {
  const tokens = readerTokens(ctx.principal);
  if (tokens === null || given.length === 0) return new Set();
  const { organization, environment } = ctx.scope;
  const external = given.flatMap(({ external_id }) => external_id ?? []);
  const digests = given.flatMap(({ external_id, digest }) => (external_id === null ? (digest ?? []) : []));
  const values: unknown[] = [organization, environment, base, external, digests, ctx.principal.id];
  const seen = visibleText([tokens], ["d.readers"], (value) => `$${values.push(value)}`);
  const rows = await ctx.db.query<Named>(
    `select d.external_id, d.digest from documents d
     where d.organization = $1 and d.environment = $2 and d.base = $3 and d.author <> $6 and not ${seen}
       and (d.external_id = any($4::text[]) or d.external_id is null and d.digest = any($5::text[]))`,
    values,
  );
  return new Set(rows.map(keyOf));
}

export async function refuseTaken(ctx: Seeing, base: string, given: Named): Promise<void> {
  if ((await findTaken(ctx, base, [given])).size > 0) throw refuse(documentExists, takenDetail(given));
}

export const takenDetail = ({ external_id }: Named): string =>
  external_id === null
    ? "Another document of the base, which you may not read, says the same. Add nothing, or ask an admin."
    : "A document of the base, which you may not read, has this external id. Choose another one, or ask an admin.";

/** The other document is named only to whoever may read it. */
export async function refuseSame(ctx: Seeing, base: string, id: string, digest: string, what: string): Promise<void> {
  const same = await findSame(ctx, base, id, digest);
  if (same === undefined) return;
  if (!(await findNamed(ctx, base, [same])).has(same))
    throw refuse(documentExists, takenDetail({ external_id: null, digest }));
  throw refuse(documentExists, `The document ${same} says ${what}. Use that one, or delete one of the two.`, {
    members: { document_id: same },
  });
}
