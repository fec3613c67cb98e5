import { mostReindexTries } from "../ingest/generation-store.ts";
import { type BaseExport, type BaseHealth, type KnowledgeBase, standardSettings } from "../schemas.ts";
import type { BaseRow, CountedBase } from "./resource.ts";

export function baseView(row: CountedBase): KnowledgeBase {
  return {
    base_id: row.id,
    name: row.name,
    description: row.description,
    language: row.next_language ?? row.language,
    readers: row.readers,
    settings: { ...standardSettings, ...row.settings },
    review_days: row.review_days,
    version_days: row.version_days,
    embedding: row.embedding,
    reranker: row.reranker,
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
    "Start again by PATCH of the base with `reindex`: true.",
};

function healthOf(row: CountedBase): BaseHealth {
  const { queued, parsing, indexing, indexed, failed, stale } = row;
  const reindexing = row.next_generation !== null && !row.reindex_gave_up;
  const reindex_error = row.reindex_gave_up ? gaveUpReindex : null;
  const working = reindexing || queued + parsing + indexing > 0;
  const settled = row.documents === 0 ? "empty" : "ready";
  const state = failed > 0 || reindex_error ? "degraded" : working ? "indexing" : settled;
  return { state, documents: { queued, parsing, indexing, indexed, failed }, reindexing, reindex_error, stale };
}

export function exportView({ id, name }: Pick<BaseRow, "id" | "name">, documents: number): BaseExport {
  const url = `/v1/knowledge/bases/${id}/export`;
  return { base_id: id, name, documents, media_type: "application/x-ndjson", url };
}
