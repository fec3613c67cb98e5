import { Type } from "typebox";
import { defineList } from "../../../../kernel/listing.ts";
import { governs } from "../../../../kernel/operation.ts";
import { byKnownBase } from "../../bases/narrowing.ts";
import { exampleBase, exampleChunk, exampleDocument } from "../../example.ts";
import { BaseRef, DocumentChunk, DocumentRef } from "../../schemas.ts";
import { listChunks as readPage } from "../chunk-store.ts";
import { loadDocument } from "../guards.ts";
import { chunkView } from "../view.ts";

export const listChunks = defineList({
  id: "knowledge.listChunks",
  path: "/v1/knowledge/bases/{base}/documents/{document}/chunks",
  summary: "List the chunks of a document",
  description:
    "As they are indexed, in their order: with headings, pages, place in the document's text, and the citation that leads to each. Disabled ones are among them.",
  params: Type.Object({ base: BaseRef, document: DocumentRef }),
  item: DocumentChunk,
  example: { params: { base: exampleBase.name, document: exampleDocument.document_id }, item: exampleChunk },
  permission: "knowledge:read",
  load: loadDocument,
  narrowing: byKnownBase,
  compliance: governs("document.read"),
  audit: ({ params, loaded }) => `document:${loaded?.document.id ?? params.document}`,
  sort: "number",
  read: (ctx, _filter, page, loaded) => readPage(ctx, loaded, loaded.document.id, page),
  position: ({ number }) => String(number),
  view: chunkView,
});
