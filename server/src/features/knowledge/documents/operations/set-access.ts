import { type Static, Type } from "typebox";
import { defineOperation, exempt, governs } from "../../../../kernel/operation.ts";
import { byOwnBase } from "../../bases/narrowing.ts";
import { exampleBase, exampleDocument } from "../../example.ts";
import { BaseRef, DocumentAccess, DocumentRef, SetAccessBody } from "../../schemas.ts";
import { type LoadedDocument, loadDocument, lockLoaded } from "../guards.ts";
import { setReaders } from "../store.ts";

export const setAccess = defineOperation({
  id: "knowledge.setAccess",
  method: "PUT",
  path: "/v1/knowledge/bases/{base}/documents/{document}/access",
  summary: "Set who may read a document",
  description:
    "For lists, reads, searches, agents and citations, at once, and for the records of a file's rows too. What restricts it is its own list and its " +
    "base's, both. For others it does not exist; " +
    "admins always may.",
  params: Type.Object({ base: BaseRef, document: DocumentRef }),
  body: SetAccessBody,
  output: DocumentAccess,
  example: {
    params: { base: exampleBase.name, document: exampleDocument.document_id },
    body: { readers: ["role:builder", "agent:sales"] },
    output: {
      document_id: exampleDocument.document_id,
      readers: ["role:builder", "agent:sales"],
      base_readers: null,
    },
  },
  mayMatch: ({ document }: LoadedDocument) => document.version,
  permission: "knowledge:write",
  load: loadDocument,
  narrowing: byOwnBase,
  gate: exempt("changes who reads; nothing acts"),
  decides: exempt("sets who may read; the text stays its author's"),
  compliance: governs("document.change"),
  audit: ({ params, loaded }) => `document:${loaded?.document.id ?? params.document}`,
  async handle(ctx, { body, loaded }): Promise<Static<typeof DocumentAccess>> {
    await lockLoaded(ctx, loaded);
    await setReaders(ctx, loaded.document.id, body.readers);
    return { document_id: loaded.document.id, readers: body.readers, base_readers: loaded.readers };
  },
});
