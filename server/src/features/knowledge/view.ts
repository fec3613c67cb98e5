import type { DocumentRow, DocumentWithContents, StoredDocument } from "./document-store.ts";
import type { AddedDocument, KnowledgeBase, KnowledgeDocument } from "./schemas.ts";
import type { BaseRow } from "./store.ts";

/** A base as callers see it. */
export function baseView(row: BaseRow): KnowledgeBase {
  return {
    base_id: row.id,
    name: row.name,
    description: row.description,
    language: row.language,
    documents: row.documents,
    records: row.records,
    chunks: row.chunks,
    author: row.author,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at?.toISOString() ?? null,
  };
}

/** A document that was given, and what became of it. */
export function addedView({ outcome, row }: StoredDocument): AddedDocument {
  return { outcome, ...membersOf(row) };
}

/** A document with what it says. */
export function documentView({ text, fields, ...row }: DocumentWithContents): KnowledgeDocument {
  return { ...membersOf(row), text, fields };
}

function membersOf(row: DocumentRow) {
  return {
    document_id: row.id,
    base_id: row.base,
    base: row.base_name,
    external_id: row.external_id,
    title: row.title,
    state: row.state,
    chunks: row.chunks,
    digest: row.digest,
    author: row.author,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
