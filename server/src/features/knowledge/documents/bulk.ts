import type { WriteContext } from "../../../kernel/context.ts";
import { systemPrincipal } from "../../../kernel/principal.ts";
import { type BaseHead, holdBase } from "../bases/lookup-store.ts";
import { givenContents } from "../ingest/given.ts";
import { type Contents, digestOfContents, ingestContents } from "../ingest/ingest.ts";
import type { AddDocumentBody } from "../schemas.ts";
import type { Writer } from "./deciders.ts";
import { documentOf } from "./rules.ts";
import { type DocumentRow, findDocument, keyOf, type NewDocument, putDocuments, type StoredDocument } from "./store.ts";

/** A document among many: stored at once, or contents that are parsed after the answer. */
export interface Given {
  readonly external_id: string | null;
  readonly digest: string;
  readonly document: NewDocument | null;
  readonly contents: Contents | null;
}

export function givenDocument(ctx: Pick<WriteContext, "newId">, body: AddDocumentBody): Given {
  const contents = givenContents(body);
  if (contents === null) {
    const document = documentOf(ctx, body);
    return { external_id: document.external_id, digest: document.digest, document, contents };
  }
  return { external_id: contents.external_id ?? null, digest: digestOfContents(contents), document: null, contents };
}

/** Contents are queued in the order of their keys, so that concurrent calls cannot deadlock. */
export async function storeMany(
  ctx: WriteContext,
  base: BaseHead,
  given: readonly Given[],
  by: Writer,
): Promise<ReadonlyMap<Given, StoredDocument>> {
  const plain = given.filter(({ document }) => document !== null);
  const documents = plain.map(({ document }) => document as NewDocument);
  const put = documents.length === 0 ? [] : await putDocuments(ctx, base, documents, by);
  const stored = new Map(plain.map((one, at) => [one, put[at] as StoredDocument]));
  const parsed = given.filter(({ contents }) => contents !== null).sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  if (parsed.length > 0) await holdBase(ctx, base.id);
  // As the service sees it: who adds a document may restrict it to others.
  const seeing = { scope: ctx.scope, db: ctx.db, principal: systemPrincipal("worker") };
  for (const one of parsed) {
    const { document_id, outcome } = await ingestContents(ctx, base, one.contents as Contents, by);
    stored.set(one, { outcome, row: (await findDocument(seeing, base.id, document_id)) as DocumentRow });
  }
  return stored;
}
