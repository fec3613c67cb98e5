import { Type } from "typebox";
import { defineRead, governs } from "../../../../kernel/operation.ts";
import { byKnownBase } from "../../bases/narrowing.ts";
import { exampleBase, exampleDocument } from "../../example.ts";
import { BaseRef, DocumentRef, KnowledgeDocument } from "../../schemas.ts";
import { loadDocument } from "../guards.ts";
import { documentView } from "../view.ts";

export const readDocument = defineRead({
  id: "knowledge.readDocument",
  path: "/v1/knowledge/bases/{base}/documents/{document}",
  listed: true,
  summary: "Read a document",
  description:
    "What it says, where it came from, the state of its index, who may read it, and how often it was retrieved.",
  params: Type.Object({ base: BaseRef, document: DocumentRef }),
  output: KnowledgeDocument,
  example: { params: { base: exampleBase.name, document: exampleDocument.document_id }, output: exampleDocument },
  revision: ({ version }) => version,
  revisionOfPart: true,
  permission: "knowledge:read",
  load: loadDocument,
  narrowing: byKnownBase,
  compliance: governs("document.read"),
  audit: ({ params, loaded }) => `document:${loaded?.document.id ?? params.document}`,
  handle: (ctx, { loaded }) => documentView(loaded.document, ctx.now),
});
