import { type Static, Type } from "typebox";
import { byObject } from "../../../kernel/narrowing.ts";
import { defineOperation, exempt, governs } from "../../../kernel/operation.ts";
import { setReaders } from "../document-store.ts";
import { exampleBase, exampleDocument } from "../example.ts";
import { type LoadedDocument, loadDocument, lockLoaded } from "../loading.ts";
import { ofOwnBase } from "../narrowing.ts";
import { BaseRef, DocumentAccess, DocumentRef, SetAccessBody } from "../schemas.ts";

export const setAccess = defineOperation({
  id: "knowledge.setAccess",
  method: "PUT",
  path: "/v1/knowledge/bases/{base}/documents/{document}/access",
  summary: "Set who may read a document",
  description:
    "For lists, reads, searches, agents and citations, at once, and for the records of a file's rows too. What restricts it is its own list and its " +
    "base's, both. For whoever may not read it, it does not exist; " +
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
  narrowing: byObject("the agents that name the base, in their draft or a version", ofOwnBase),
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
