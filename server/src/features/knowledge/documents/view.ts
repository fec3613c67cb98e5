import type { WriteContext } from "../../../kernel/context.ts";
import { maySee, readerTokens } from "../access.ts";
import type {
  AddedDocument,
  Citation,
  DeletedDocument,
  DocumentChunk,
  DocumentEntry,
  KnowledgeDocument,
} from "../schemas.ts";
import type { ChunkRow, CitedRow } from "./chunk-store.ts";
import { citationOf } from "./citations.ts";
import type { RemovedDocument } from "./deletion-store.ts";
import type { DocumentRow, DocumentWithContents, StoredDocument } from "./store.ts";

export function addedView({ outcome, row }: StoredDocument, now: number): AddedDocument {
  return { outcome, ...entryView(row, now) };
}

export function documentView(row: DocumentWithContents, now: number): KnowledgeDocument {
  return {
    ...entryView(row, now),
    text: row.text,
    fields: row.fields,
    reviewed_at: row.reviewed_at?.toISOString() ?? null,
    usage: {
      retrievals: Number(row.retrievals ?? 0),
      last_retrieved_at: row.last_retrieved_at?.toISOString() ?? null,
    },
  };
}

export function entryView(row: DocumentRow, now: number): DocumentEntry {
  return {
    document_id: row.id,
    base_id: row.base,
    base: row.base_name,
    external_id: row.external_id,
    title: row.title,
    state: row.state,
    progress: row.progress,
    error: row.error as DocumentEntry["error"],
    chunks: row.chunks,
    digest: row.digest,
    version: row.version,
    source: row.source,
    file_name: row.file_name,
    media_type: row.media_type,
    size: row.size === null ? null : Number(row.size),
    file_digest: row.file_digest,
    url: row.url,
    pages: row.pages,
    metadata: row.metadata as Record<string, unknown>,
    language: row.language,
    readers: row.readers,
    data_classes: row.data_classes,
    review_at: row.review_at?.toISOString() ?? null,
    stale: row.review_at !== null && row.review_at.getTime() <= now,
    parent: row.parent,
    connector: row.connector,
    author: row.author,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

export function chunkView(row: ChunkRow): DocumentChunk {
  const { number, version, revision, title, text, kind, headings, first_page, last_page, starts_at, ends_at } = row;
  return {
    number,
    citation: citationOf(row),
    version,
    revision,
    title,
    text,
    kind,
    headings,
    first_page,
    last_page,
    starts_at,
    ends_at,
    data_classes: row.data_classes,
    disabled: row.disabled,
  };
}

/** Counts only what the caller could read. */
export function deletedView(
  ctx: Pick<WriteContext, "now" | "auditRef" | "principal">,
  base: string,
  id: string,
  all: readonly RemovedDocument[],
): DeletedDocument {
  const sight = [readerTokens(ctx.principal)];
  const removed = all.filter(({ readers }) => maySee(sight, readers));
  const document = removed.find((one) => one.id === id) as RemovedDocument;
  const sum = (of: (one: RemovedDocument) => number) => removed.reduce((whole, one) => whole + of(one), 0);
  return {
    document_id: id,
    base_id: base,
    external_id: document.external_id,
    deleted: true,
    digest: document.digest,
    chunks_removed: sum(({ chunks }) => chunks),
    versions_removed: sum(({ versions }) => versions),
    rows_removed: removed.length - 1,
    deleted_at: new Date(ctx.now).toISOString(),
    audit_ref: ctx.auditRef,
    proof: `/v1/audit/events/${ctx.auditRef}/proof`,
  };
}

export function citationView(row: CitedRow): Citation {
  const { disabled, ...chunk } = chunkView(row);
  return {
    ...chunk,
    base_id: row.base,
    base: row.base_name,
    document_id: row.document,
    external_id: row.external_id,
    document_title: row.document_title,
    file_name: row.file_name,
    url: row.url,
    current: row.current && !disabled,
    current_version: row.current_version,
    replaced_at: row.replaced_at?.toISOString() ?? null,
  };
}
