import type { WriteContext } from "../../kernel/context.ts";
import { maySee, readerTokens } from "./access.ts";
import type { BaseRow } from "./base-store.ts";
import type { ChunkRow, CitedRow } from "./chunk-store.ts";
import { citationOf } from "./citations.ts";
import type { RemovedDocument } from "./deletion-store.ts";
import type { DocumentRow, DocumentWithContents, StoredDocument } from "./document-store.ts";
import { mostReindexTries } from "./ingest/reindex-base-store.ts";
import {
  type AddedDocument,
  type BaseExport,
  type BaseHealth,
  type BaseSettings,
  type Citation,
  type DeletedDocument,
  type DocumentChunk,
  type DocumentEntry,
  type KnowledgeBase,
  type KnowledgeDocument,
  standardSettings,
} from "./schemas.ts";
import type { BaseHead } from "./store.ts";

/** A base as callers see it. */
export function baseView(row: BaseRow): KnowledgeBase {
  return {
    base_id: row.id,
    name: row.name,
    description: row.description,
    language: row.language,
    readers: row.readers,
    settings: { ...standardSettings, ...(row.settings as Partial<BaseSettings>) },
    review_days: row.review_days,
    version_days: row.version_days,
    embedding: row.embedding as KnowledgeBase["embedding"],
    documents: row.documents,
    records: row.records,
    chunks: row.chunks,
    health: healthOf(row),
    author: row.author,
    revision: row.revision,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at?.toISOString() ?? null,
  };
}

const gaveUpReindex = {
  code: "gave_up",
  detail:
    `Its worker was lost or failed in each of ${mostReindexTries} attempts; the service's log says why. Searches use the former index. ` +
    "Begin anew by PATCH of the base with `reindex`: true.",
};

function healthOf(row: BaseRow): BaseHealth {
  const { queued, parsing, indexing, indexed, failed, stale } = row;
  const reindexing = row.next_generation !== null && !row.reindex_gave_up;
  const reindex_error = row.reindex_gave_up ? gaveUpReindex : null;
  const working = reindexing || queued + parsing + indexing > 0;
  const settled = row.documents === 0 ? "empty" : "ready";
  const state = failed > 0 || reindex_error ? "degraded" : working ? "indexing" : settled;
  return { state, documents: { queued, parsing, indexing, indexed, failed }, reindexing, reindex_error, stale };
}

/** A document that was given, and what became of it. */
export function addedView({ outcome, row }: StoredDocument, now: number): AddedDocument {
  return { outcome, ...entryView(row, now) };
}

/** A document with what it says. */
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

/** A document without what it says. */
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

/** A chunk as it is indexed. */
export function chunkView(row: ChunkRow): DocumentChunk {
  const { number, version, revision, title, text, kind, headings, first_page, last_page, starts_at, ends_at } = row;
  return {
    ...{ number, citation: citationOf(row), version, revision, title, text, kind, headings, first_page, last_page },
    ...{ starts_at, ends_at, data_classes: row.data_classes, disabled: row.disabled },
  };
}

/** Proof that a document is gone: one of `removed` is the document itself, the others came from its rows. What the caller could not read is not counted. */
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

/** What a citation leads to. */
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

/** The export of a base, before it is fetched. */
export function exportView({ id, name }: BaseHead, documents: number): BaseExport {
  const url = `/v1/knowledge/bases/${id}/export`;
  return { base_id: id, name, documents, media_type: "application/x-ndjson", url };
}
