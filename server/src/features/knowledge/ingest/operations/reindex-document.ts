import { Type } from "typebox";
import { defineOperation, exempt, governs } from "../../../../kernel/operation.ts";
import { type BaseHead, findBase } from "../../bases/lookup-store.ts";
import { byOwnBase } from "../../bases/narrowing.ts";
import { type DocumentWithContents, findDocument } from "../../documents/store.ts";
import { exampleBase, exampleDocument } from "../../example.ts";
import { BaseRef, DocumentRef, ReindexedDocument } from "../../schemas.ts";
import { queueReindex } from "../generation-store.ts";

type Loaded = BaseHead & { readonly document: DocumentWithContents };

export const reindexDocument = defineOperation({
  id: "knowledge.reindexDocument",
  method: "POST",
  path: "/v1/knowledge/bases/{base}/documents/{document}/reindex",
  status: 202,
  listed: true,
  summary: "Index a document again",
  description:
    "Parses and cuts the contents that are stored once more, without a new upload: after a failure, or so that other settings of the base apply. What is found " +
    "now is found until the new chunks are complete. Corrections hold where a new chunk says what the corrected one said.",
  params: Type.Object({ base: BaseRef, document: DocumentRef }),
  output: ReindexedDocument,
  example: {
    params: { base: exampleBase.name, document: exampleDocument.document_id },
    output: {
      document_id: exampleDocument.document_id,
      base_id: exampleBase.base_id,
      base: exampleBase.name,
      state: "queued",
      version: 1,
    },
  },
  location: ({ base_id, document_id }) => `/v1/knowledge/bases/${base_id}/documents/${document_id}`,
  permission: "knowledge:write",
  async load(ctx, params): Promise<Loaded | undefined> {
    const base = await findBase(ctx, params.base);
    const document = base && (await findDocument(ctx, base.id, params.document));
    return document && { ...base, document };
  },
  narrowing: byOwnBase,
  gate: exempt("indexes what is there; nothing acts"),
  decides: exempt("indexes the same text again"),
  compliance: governs("document.reindex"),
  audit: ({ params, loaded }) => `document:${loaded?.document.id ?? params.document}`,
  async handle(ctx, { loaded }) {
    const { id: document_id, state, version } = await queueReindex(ctx, loaded.document.id);
    return { document_id, base_id: loaded.id, base: loaded.name, state, version };
  },
});
