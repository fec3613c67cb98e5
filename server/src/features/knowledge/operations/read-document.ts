import { Type } from "typebox";
import { byObject } from "../../../kernel/narrowing.ts";
import { defineRead, governs } from "../../../kernel/operation.ts";
import { type DocumentWithContents, findDocument } from "../document-store.ts";
import { exampleBase, exampleDocument } from "../example.ts";
import { ofKnownBase } from "../narrowing.ts";
import { BaseRef, DocumentRef, KnowledgeDocument } from "../schemas.ts";
import { findBase } from "../store.ts";
import { documentView } from "../view.ts";

export const readDocument = defineRead({
  id: "knowledge.readDocument",
  path: "/v1/knowledge/bases/{base}/documents/{document}",
  listed: true,
  summary: "Read a document",
  params: Type.Object({ base: BaseRef, document: DocumentRef }),
  output: KnowledgeDocument,
  example: { params: { base: exampleBase.name, document: exampleDocument.document_id }, output: exampleDocument },
  permission: "knowledge:read",
  async load(ctx, { base, document }): Promise<DocumentWithContents | undefined> {
    const found = await findBase(ctx, base);
    return found && findDocument(ctx, found.id, document);
  },
  narrowing: byObject("a base that one of the key's agents names, in its draft or a version", ofKnownBase),
  compliance: governs("document.read"),
  audit: ({ params, loaded }) => `document:${loaded?.id ?? params.document}`,
  handle: (_ctx, { loaded }) => documentView(loaded),
});
