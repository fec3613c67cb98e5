import { Type } from "typebox";
import { defineList } from "../../../../kernel/listing.ts";
import { governs } from "../../../../kernel/operation.ts";
import { byKnownBase } from "../../bases/narrowing.ts";
import { exampleBase, exampleDocument } from "../../example.ts";
import { BaseRef, DocumentRef, DocumentVersion } from "../../schemas.ts";
import { loadDocument } from "../guards.ts";
import { listVersions as readPage } from "../version-store.ts";

const { title, digest, source, file_name, media_type, size, file_digest, url, pages, author } = exampleDocument;

export const listVersions = defineList({
  id: "knowledge.listVersions",
  path: "/v1/knowledge/bases/{base}/documents/{document}/versions",
  summary: "List the versions of a document",
  description:
    "What it said, newest first, the current version among them. Former ones are kept for the base's `version_days`.",
  params: Type.Object({ base: BaseRef, document: DocumentRef }),
  item: DocumentVersion,
  example: {
    params: { base: exampleBase.name, document: exampleDocument.document_id },
    item: {
      version: 1,
      current: true,
      title,
      digest,
      source,
      file_name,
      media_type,
      size,
      file_digest,
      url,
      pages,
      author,
      created_at: exampleDocument.updated_at,
      replaced_at: null,
    },
  },
  permission: "knowledge:read",
  load: loadDocument,
  narrowing: byKnownBase,
  compliance: governs("document.read"),
  audit: ({ params, loaded }) => `document:${loaded?.document.id ?? params.document}`,
  sort: "-version",
  read: (ctx, _filter, page, { document }) => readPage(ctx, document.id, page),
  position: ({ version }) => ({ keys: [version], id: String(version) }),
  view: ({ size: bytes, created_at, replaced_at, ...row }) => ({
    ...row,
    size: bytes === null ? null : Number(bytes),
    current: replaced_at === null,
    created_at: created_at.toISOString(),
    replaced_at: replaced_at?.toISOString() ?? null,
  }),
});
