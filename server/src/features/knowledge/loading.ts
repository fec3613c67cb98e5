import { changedMeanwhile } from "../../kernel/changed-meanwhile.ts";
import type { ReadContext, WriteContext } from "../../kernel/context.ts";
import { refuse } from "../../kernel/errors.ts";
import { notFound } from "../../kernel/problems.ts";
import { type DocumentWithContents, findDocument, lockDocument } from "./document-store.ts";
import { type BaseHead, findBase } from "./store.ts";

/** A document that a path names, with its base. */
export interface LoadedDocument extends BaseHead {
  readonly document: DocumentWithContents;
}

/** The document that a path names, where the caller may read it and its base. */
export async function loadDocument(
  ctx: ReadContext,
  params: { readonly base: string; readonly document: string },
): Promise<LoadedDocument | undefined> {
  const base = await findBase(ctx, params.base);
  const document = base && (await findDocument(ctx, base.id, params.document));
  return document && { ...base, document };
}

/** Locks the document that a call loaded. Throws if it was deleted, or changed since the version that the call is based on. */
export async function lockLoaded(
  ctx: WriteContext,
  { document }: LoadedDocument,
): Promise<{ version: number; digest: string | null; waits: boolean }> {
  const locked = await lockDocument(ctx, document.id);
  if (!locked) throw refuse(notFound, "The document was just deleted.");
  if (ctx.basedOnLoaded && locked.version !== document.version) throw changedMeanwhile();
  return locked;
}
