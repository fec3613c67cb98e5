import { Type } from "typebox";
import { defineOperation, exempt, governs } from "../../../../kernel/operation.ts";
import { systemPrincipal } from "../../../../kernel/principal.ts";
import { findBase, holdBase } from "../../bases/lookup-store.ts";
import { byOwnBase } from "../../bases/narrowing.ts";
import { documentExists } from "../../errors.ts";
import { exampleAdded, exampleBase, exampleRecord } from "../../example.ts";
import { givenContents, givenFaults, givenInput } from "../../ingest/given.ts";
import { digestOfContents, ingestContents } from "../../ingest/ingest.ts";
import { largestFile } from "../../ingest/rules.ts";
import { AddDocumentBody, AddDocumentForm, AddedDocument, BaseRef } from "../../schemas.ts";
import { writerOf } from "../deciders.ts";
import { refuseTaken } from "../guards.ts";
import { documentOf } from "../rules.ts";
import { type DocumentRow, findDocument, putDocuments, type StoredDocument } from "../store.ts";
import { addedView } from "../view.ts";

export const addDocument = defineOperation({
  id: "knowledge.addDocument",
  method: "POST",
  path: "/v1/knowledge/bases/{base}/documents",
  status: 202,
  listed: true,
  summary: "Add a document",
  description:
    "A plain text, a record, or both, found as soon as this answers; or Markdown or HTML, or a file, as `multipart/form-data` or by its `url`, each of which is parsed and indexed after the " +
    "answer: `state` says how far that is. Text, Markdown, HTML, PDF, DOCX, XLSX, PPTX and EPUB are cut into chunks; each row of CSV and JSONL becomes a record. A document of " +
    "the same `external_id` is replaced and keeps its `document_id`: until the new contents are indexed, the former ones are found. Without an external id, " +
    "what says the same, or has the same bytes or the same address, is not kept twice. So an import can be repeated.",
  params: Type.Object({ base: BaseRef }),
  body: AddDocumentBody,
  receives: { form: AddDocumentForm, file: "file", limit: largestFile },
  output: AddedDocument,
  example: { params: { base: exampleBase.name }, body: exampleRecord, output: exampleAdded },
  location: ({ base_id, document_id }) => `/v1/knowledge/bases/${base_id}/documents/${document_id}`,
  permission: "knowledge:write",
  load: (ctx, { base }) => findBase(ctx, base),
  narrowing: byOwnBase,
  gate: exempt("adds to a base; nothing acts"),
  decides: "documents",
  compliance: governs("document.add", (_ctx, { body }: { body: AddDocumentBody }) => ({ input: givenInput(body) }), {
    keepsInput: () => false,
  }),
  audit: ({ params, loaded, output }) =>
    output ? `document:${output.document_id}` : `base:${loaded?.id ?? params.base}`,
  errors: [documentExists],
  validate: (ctx, { body }) => givenFaults(ctx, body),
  async handle(ctx, { body, loaded: base }) {
    await holdBase(ctx, base.id);
    const contents = givenContents(body);
    if (contents) {
      const { external_id = null } = contents;
      await refuseTaken(ctx, base.id, { external_id, digest: digestOfContents(contents) });
      const { document_id, outcome } = await ingestContents(ctx, base, contents, writerOf(ctx));
      // As the service sees it: who adds a document may restrict it to others.
      const seeing = { scope: ctx.scope, db: ctx.db, principal: systemPrincipal("worker") };
      return addedView({ outcome, row: (await findDocument(seeing, base.id, document_id)) as DocumentRow }, ctx.now);
    }
    const document = documentOf(ctx, body);
    await refuseTaken(ctx, base.id, document);
    const [stored] = await putDocuments(ctx, base, [document], writerOf(ctx));
    return addedView(stored as StoredDocument, ctx.now);
  },
});
