import { Type } from "typebox";
import { byObject } from "../../../kernel/narrowing.ts";
import { defineRead, exempt, governs } from "../../../kernel/operation.ts";
import { type DocumentWithContents, findDocument } from "../document-store.ts";
import { exampleBase, exampleDocument } from "../example.ts";
import { ofKnownBase } from "../narrowing.ts";
import { BaseRef, DocumentRef, KnowledgeDocument } from "../schemas.ts";
import { findBase } from "../store.ts";
import { documentView } from "../view.ts";

export const readDocument = defineRead({
  id: "knowledge.readDocument",
  method: "GET",
  path: "/v1/knowledge/bases/{base}/documents/{document}",
  status: 200,
  listed: true,
  summary: "Read a document",
  params: Type.Object({ base: BaseRef, document: DocumentRef }),
  query: Type.Object({}, { additionalProperties: false }),
  output: KnowledgeDocument,
  example: { params: { base: exampleBase.name, document: exampleDocument.document_id }, output: exampleDocument },
  permission: "knowledge:read",
  async load(ctx, { base, document }): Promise<DocumentWithContents | undefined> {
    const found = await findBase(ctx, base);
    return found && findDocument(ctx, found.id, document);
  },
  narrowing: byObject("a base that one of the key's agents names, in its draft or a version", ofKnownBase),
  gate: exempt("reads, makes no agent act"),
  compliance: governs("document.read", () => ({})),
  audit: ({ params, loaded }) => ({ object: `document:${loaded?.id ?? params.document}` }),
  emits: [],
  errors: [],
  handle: (_ctx, { loaded }) => documentView(loaded),
});
