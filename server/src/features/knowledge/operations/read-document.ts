import { Type } from "typebox";
import { byObject } from "../../../kernel/narrowing.ts";
import { defineRead, governs } from "../../../kernel/operation.ts";
import { exampleBase, exampleDocument } from "../example.ts";
import { loadDocument } from "../loading.ts";
import { ofKnownBase } from "../narrowing.ts";
import { BaseRef, DocumentRef, KnowledgeDocument } from "../schemas.ts";
import { documentView } from "../view.ts";

export const readDocument = defineRead({
  id: "knowledge.readDocument",
  path: "/v1/knowledge/bases/{base}/documents/{document}",
  listed: true,
  summary: "Read a document",
  description:
    "What it says, where it came from, how its index stands, who may read it, and how often it was retrieved.",
  params: Type.Object({ base: BaseRef, document: DocumentRef }),
  output: KnowledgeDocument,
  example: { params: { base: exampleBase.name, document: exampleDocument.document_id }, output: exampleDocument },
  revision: ({ version }) => version,
  revisionOfPart: true,
  permission: "knowledge:read",
  load: loadDocument,
  narrowing: byObject("a base that one of the key's agents names, in its draft or a version", ofKnownBase),
  compliance: governs("document.read"),
  audit: ({ params, loaded }) => `document:${loaded?.document.id ?? params.document}`,
  handle: (ctx, { loaded }) => documentView(loaded.document, ctx.now),
});
