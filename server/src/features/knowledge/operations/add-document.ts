import { Type } from "typebox";
import { byObject } from "../../../kernel/narrowing.ts";
import { defineOperation, exempt, governs } from "../../../kernel/operation.ts";
import { putDocuments, type StoredDocument } from "../document-store.ts";
import { exampleAdded, exampleBase, exampleRecord } from "../example.ts";
import { contentFaults, documentOf } from "../model.ts";
import { ofOwnBase } from "../narrowing.ts";
import { AddDocumentBody, AddedDocument, BaseRef } from "../schemas.ts";
import { findBase } from "../store.ts";
import { addedView } from "../view.ts";

export const addDocument = defineOperation({
  id: "knowledge.addDocument",
  method: "POST",
  path: "/v1/knowledge/bases/{base}/documents",
  status: 202,
  listed: true,
  summary: "Add a document",
  description:
    "A text, a record, or both. It is found as soon as this answers. A document of the same `external_id` is replaced and keeps its `document_id`; without an " +
    "external id, one that says the same is not kept twice. So an import can be repeated.",
  params: Type.Object({ base: BaseRef }),
  body: AddDocumentBody,
  output: AddedDocument,
  example: { params: { base: exampleBase.name }, body: exampleRecord, output: exampleAdded },
  location: ({ base_id, document_id }) => `/v1/knowledge/bases/${base_id}/documents/${document_id}`,
  permission: "knowledge:write",
  load: (ctx, { base }) => findBase(ctx, base),
  narrowing: byObject("the agents that name the base, in their draft or a version", ofOwnBase),
  gate: exempt("adds to a base; nothing acts"),
  compliance: governs("document.add", (_ctx, { body }: { body: AddDocumentBody }) => ({ input: body }), {
    keepsInput: () => false,
  }),
  audit: ({ params, loaded, output }) =>
    output ? `document:${output.document_id}` : `base:${loaded?.id ?? params.base}`,
  validate: (_ctx, { body }) => contentFaults(body),
  async handle(ctx, { body, loaded: base }) {
    const by = { author: ctx.principal.id, at: new Date(ctx.now) };
    const [stored] = await putDocuments(ctx, base, [documentOf(ctx, body)], by);
    return addedView(stored as StoredDocument, ctx.now);
  },
});
