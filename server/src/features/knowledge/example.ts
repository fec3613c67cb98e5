import type {
  AddDocumentBody,
  AddedDocument,
  BaseExport,
  Citation,
  DeletedDocument,
  DocumentChunk,
  DocumentEntry,
  KnowledgeBase,
  KnowledgeDocument,
} from "./schemas.ts";

export const exampleBase: KnowledgeBase = {
  base_id: "kb_01jd8x0000000000000000000b",
  name: "leads",
  description: "Inbound leads, as the form on the website brings them.",
  language: "english",
  readers: null,
  settings: { chunk_length: 1200 },
  review_days: null,
  version_days: null,
  embedding: null,
  reranker: null,
  documents: 200,
  records: 200,
  chunks: 200,
  health: {
    state: "ready",
    documents: { queued: 0, parsing: 0, indexing: 0, indexed: 200, failed: 0 },
    reindexing: false,
    reindex_error: null,
    stale: 0,
  },
  author: "mbr_01jd8x0000000000000000000e",
  revision: 1,
  created_at: "2026-11-20T09:00:00.000Z",
  updated_at: "2026-11-20T09:30:00.000Z",
};

export const exampleExport: BaseExport = {
  base_id: exampleBase.base_id,
  name: exampleBase.name,
  documents: 200,
  media_type: "application/x-ndjson",
  url: `/v1/knowledge/bases/${exampleBase.base_id}/export`,
};

export const exampleRecord: AddDocumentBody = {
  external_id: "ld_1001",
  fields: { company: "Amber Looms", industry: "textiles", employees: 120, budget_usd_per_year: 24000 },
};

export const exampleAdded: AddedDocument = {
  outcome: "added",
  document_id: "doc_01jd8x0000000000000000000d",
  base_id: exampleBase.base_id,
  base: exampleBase.name,
  external_id: "ld_1001",
  title: "",
  state: "indexed",
  progress: 1,
  error: null,
  chunks: 1,
  digest: "0c46fd1bdbd9d1cf6cbdb06d62a7ee4c6a5e1a6c0d45c4b4c5a1f3d1c1a8e2b7",
  version: 1,
  source: "text",
  file_name: null,
  media_type: null,
  size: null,
  file_digest: null,
  url: null,
  pages: null,
  metadata: {},
  language: "english",
  readers: null,
  data_classes: [],
  review_at: null,
  stale: false,
  parent: null,
  connector: null,
  author: exampleBase.author,
  created_at: "2026-11-20T09:30:00.000Z",
  updated_at: "2026-11-20T09:30:00.000Z",
};

const { outcome: _outcome, ...document } = exampleAdded;
export const exampleEntry: DocumentEntry = document;
export const exampleDocument: KnowledgeDocument = {
  ...document,
  text: null,
  fields: exampleRecord.fields ?? null,
  reviewed_at: null,
  usage: { retrievals: 12, last_retrieved_at: "2026-11-21T10:00:00.000Z" },
};

export const exampleChunk: DocumentChunk = {
  number: 1,
  citation: "cit_01jd8x0000000000000000000d11111111",
  version: 1,
  revision: 1,
  title: "ld_1001",
  text: "company: Amber Looms\nindustry: textiles\nemployees: 120\nbudget_usd_per_year: 24000",
  kind: "record",
  headings: [],
  first_page: null,
  last_page: null,
  starts_at: null,
  ends_at: null,
  data_classes: [],
  disabled: false,
};

const { disabled: _disabled, ...cited } = exampleChunk;
export const exampleCitation: Citation = {
  ...cited,
  base_id: exampleBase.base_id,
  base: exampleBase.name,
  document_id: exampleDocument.document_id,
  external_id: exampleDocument.external_id,
  document_title: exampleDocument.title,
  file_name: null,
  url: null,
  current: true,
  current_version: 1,
  replaced_at: null,
};

export const exampleDeleted: DeletedDocument = {
  document_id: exampleDocument.document_id,
  base_id: exampleBase.base_id,
  external_id: exampleDocument.external_id,
  deleted: true,
  digest: exampleDocument.digest,
  chunks_removed: 1,
  versions_removed: 0,
  rows_removed: 0,
  deleted_at: "2026-11-22T09:30:00.000Z",
  audit_ref: "aud_01jd8x0000000000000000000f",
  proof: "/v1/audit/events/aud_01jd8x0000000000000000000f/proof",
};
