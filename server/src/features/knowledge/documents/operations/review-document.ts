import { Type } from "typebox";
import { defineOperation, exempt, governs } from "../../../../kernel/operation.ts";
import { byOwnBase } from "../../bases/narrowing.ts";
import { exampleBase, exampleDocument, exampleEntry } from "../../example.ts";
import { BaseRef, DocumentEntry, DocumentRef, ReviewDocumentBody } from "../../schemas.ts";
import { noteReviewer } from "../deciders.ts";
import { type LoadedDocument, loadDocument, lockLoaded } from "../guards.ts";
import { momentIn } from "../rules.ts";
import { type DocumentRow, findDocument, setReviewed } from "../store.ts";
import { entryView } from "../view.ts";

export const reviewDocument = defineOperation({
  id: "knowledge.reviewDocument",
  method: "POST",
  path: "/v1/knowledge/bases/{base}/documents/{document}/review",
  summary: "Mark a document as reviewed",
  description:
    "Says that it still holds. It is due again at `review_at`, or after the base's `review_days` where the body names no date. A person who did " +
    "not write this version, signed in personally and names it in `If-Match` has reviewed what it says: its writer may then approve calls whose arguments come from it.",
  params: Type.Object({ base: BaseRef, document: DocumentRef }),
  body: ReviewDocumentBody,
  output: DocumentEntry,
  example: {
    params: { base: exampleBase.name, document: exampleDocument.document_id },
    body: { review_at: "2027-06-01T00:00:00Z" },
    output: { ...exampleEntry, review_at: "2027-06-01T00:00:00.000Z" },
  },
  mayMatch: ({ document }: LoadedDocument) => document.version,
  permission: "knowledge:write",
  load: loadDocument,
  narrowing: byOwnBase,
  gate: exempt("changes a date; nothing acts"),
  decides: exempt("sets a date; the text stays as it was"),
  compliance: governs("document.change"),
  audit: ({ params, loaded }) => `document:${loaded?.document.id ?? params.document}`,
  async handle(ctx, { body, loaded }) {
    await lockLoaded(ctx, loaded);
    const { id } = loaded.document;
    await setReviewed(ctx, id, momentIn(body.review_at) ?? null, { author: ctx.principal.id, at: new Date(ctx.now) });
    await noteReviewer(ctx, id);
    return entryView((await findDocument(ctx, loaded.id, id)) as DocumentRow, ctx.now);
  },
});
