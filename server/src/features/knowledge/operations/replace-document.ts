import { Type } from "typebox";
import { refuse } from "../../../kernel/errors.ts";
import { byObject } from "../../../kernel/narrowing.ts";
import { defineOperation, exempt, governs } from "../../../kernel/operation.ts";
import { findDocument, findSame, replaceContents } from "../document-store.ts";
import { documentExists } from "../errors.ts";
import { exampleAdded, exampleBase, exampleRecord } from "../example.ts";
import { type LoadedDocument, loadDocument, lockLoaded } from "../loading.ts";
import { contentFaults, contentsOf } from "../model.ts";
import { ofOwnBase } from "../narrowing.ts";
import { AddedDocument, BaseRef, DocumentRef, ReplaceDocumentBody } from "../schemas.ts";
import { addedView } from "../view.ts";

export const replaceDocument = defineOperation({
  id: "knowledge.replaceDocument",
  method: "PUT",
  path: "/v1/knowledge/bases/{base}/documents/{document}",
  listed: true,
  summary: "Replace the contents of a document",
  description:
    "It says this from now on, and is found by it as soon as this answers. Its id, access, metadata and counters stay, and what it said before is kept as a former " +
    "version. Contents that are the same change nothing.",
  params: Type.Object({ base: BaseRef, document: DocumentRef }),
  body: ReplaceDocumentBody,
  output: AddedDocument,
  example: {
    params: { base: exampleBase.name, document: "ld_1001" },
    body: { fields: exampleRecord.fields ?? {} },
    output: { ...exampleAdded, outcome: "replaced", version: 2 },
  },
  revision: ({ version }) => version,
  mayMatch: ({ document }: LoadedDocument) => document.version,
  permission: "knowledge:write",
  load: loadDocument,
  narrowing: byObject("the agents that name the base, in their draft or a version", ofOwnBase),
  gate: exempt("changes a base; nothing acts"),
  compliance: governs("document.add", (_ctx, { body }: { body: ReplaceDocumentBody }) => ({ input: body }), {
    keepsInput: () => false,
  }),
  audit: ({ params, loaded }) => `document:${loaded?.document.id ?? params.document}`,
  errors: [documentExists],
  validate: (_ctx, { body }) => contentFaults(body),
  async handle(ctx, { body, loaded }) {
    const { version, digest } = await lockLoaded(ctx, loaded);
    const { id, external_id } = loaded.document;
    const contents = contentsOf(body);
    const replaced = digest !== contents.digest;
    const same = replaced && external_id === null ? await findSame(ctx, loaded.id, id, contents.digest) : undefined;
    if (same)
      throw refuse(documentExists, `The document ${same} says the same. Use that one, or delete one of the two.`, {
        members: { document_id: same },
      });
    const given = { ...contents, external_id };
    await replaceContents(ctx, { id, base: loaded.id, version }, given, replaced, {
      author: ctx.principal.id,
      at: new Date(ctx.now),
    });
    const row = await findDocument(ctx, loaded.id, id);
    return addedView({ outcome: replaced ? "replaced" : "unchanged", row: row ?? loaded.document }, ctx.now);
  },
});
