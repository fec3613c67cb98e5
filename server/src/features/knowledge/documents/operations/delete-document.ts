import { Type } from "typebox";
import { defineOperation, exempt, governs } from "../../../../kernel/operation.ts";
import { byOwnBase } from "../../bases/narrowing.ts";
import { documentDeleted } from "../../events.ts";
import { exampleBase, exampleDeleted, exampleDocument } from "../../example.ts";
import { BaseRef, DeletedDocument, DocumentRef } from "../../schemas.ts";
import { removeDocuments } from "../deletion-store.ts";
import { type LoadedDocument, loadDocument, lockLoaded } from "../guards.ts";
import { deletedView } from "../view.ts";

export const deleteDocument = defineOperation({
  id: "knowledge.deleteDocument",
  method: "DELETE",
  path: "/v1/knowledge/bases/{base}/documents/{document}",
  listed: true,
  summary: "Delete a document",
  description:
    "Removes it from store and index at once: contents, files, former versions, chunks, and the records that came from its rows. Searches and look-ups no longer " +
    "find it, and its citations answer 410. The answer says what was removed and where the proof of the record is.",
  params: Type.Object({ base: BaseRef, document: DocumentRef }),
  output: DeletedDocument,
  example: { params: { base: exampleBase.name, document: exampleDocument.document_id }, output: exampleDeleted },
  mayMatch: ({ document }: LoadedDocument) => document.version,
  permission: "knowledge:write",
  load: loadDocument,
  narrowing: byOwnBase,
  gate: exempt("removes from a base; nothing acts"),
  decides: exempt("takes text away, adds none"),
  compliance: governs("document.delete"),
  audit: ({ params, loaded }) => `document:${loaded?.document.id ?? params.document}`,
  emits: [documentDeleted],
  async handle(ctx, { loaded }) {
    await lockLoaded(ctx, loaded);
    const { id, external_id } = loaded.document;
    const removed = await removeDocuments(ctx, loaded, [id], { author: ctx.principal.id, at: new Date(ctx.now) });
    ctx.emit(documentDeleted, {
      base_id: loaded.id,
      base: loaded.name,
      document_id: id,
      external_id,
      deleted_by: ctx.principal.id,
    });
    return deletedView(ctx, loaded.id, id, removed);
  },
});
