import type { AddDocumentBody, AddedDocument, KnowledgeBase, KnowledgeDocument } from "./schemas.ts";

/** A base for the description and the documentation. */
export const exampleBase: KnowledgeBase = {
  base_id: "kb_01jd8x0000000000000000000b",
  name: "leads",
  description: "Inbound leads, as the form on the website brings them.",
  language: "english",
  documents: 200,
  records: 200,
  chunks: 200,
  author: "mbr_01jd8x0000000000000000000e",
  created_at: "2026-11-20T09:00:00.000Z",
  updated_at: "2026-11-20T09:30:00.000Z",
};

/** A record as it is added. */
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
  chunks: 1,
  digest: "0c46fd1bdbd9d1cf6cbdb06d62a7ee4c6a5e1a6c0d45c4b4c5a1f3d1c1a8e2b7",
  author: exampleBase.author,
  created_at: "2026-11-20T09:30:00.000Z",
  updated_at: "2026-11-20T09:30:00.000Z",
};

const { outcome: _outcome, ...document } = exampleAdded;
export const exampleDocument: KnowledgeDocument = { ...document, text: null, fields: exampleRecord.fields ?? null };
