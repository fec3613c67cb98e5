import { Type } from "typebox";
import { refuse } from "../../../../kernel/errors.ts";
import { defineOperation, exempt, governs } from "../../../../kernel/operation.ts";
import { conflict } from "../../../../kernel/problems.ts";
import { holdBase } from "../../bases/lookup-store.ts";
import { byOwnBase } from "../../bases/narrowing.ts";
import { documentExists } from "../../errors.ts";
import { exampleBase, exampleDocument, exampleEntry } from "../../example.ts";
import { queueReindex } from "../../ingest/generation-store.ts";
import { BaseRef, DocumentEntry, DocumentRef, RestoreVersionBody } from "../../schemas.ts";
import { writerOf } from "../deciders.ts";
import { removeRowsOf } from "../deletion-store.ts";
import { type LoadedDocument, loadDocument, lockLoaded, refuseSame } from "../guards.ts";
import { type DocumentRow, findDocument } from "../store.ts";
import { chunksOfVersion, findVersion, keepFormerVersions, replaceChunks, restoreContents } from "../version-store.ts";
import { entryView } from "../view.ts";

export const restoreVersion = defineOperation({
  id: "knowledge.restoreVersion",
  method: "POST",
  path: "/v1/knowledge/bases/{base}/documents/{document}/restore",
  summary: "Restore a former version of a document",
  description:
    "What it said in that version becomes its next version, with the chunks and file that it had, and is found as soon as this answers; the rows of a CSV " +
    "or JSONL file are read again after it. Nothing is lost: what it says now " +
    "is kept as a former version.",
  params: Type.Object({ base: BaseRef, document: DocumentRef }),
  body: RestoreVersionBody,
  output: DocumentEntry,
  example: {
    params: { base: exampleBase.name, document: exampleDocument.document_id },
    body: { version: 1 },
    output: { ...exampleEntry, version: 3 },
  },
  revision: ({ version }) => version,
  revisionOfPart: true,
  mayMatch: ({ document }: LoadedDocument) => document.version,
  permission: "knowledge:write",
  load: loadDocument,
  narrowing: byOwnBase,
  gate: exempt("changes a base; nothing acts"),
  decides: "documents",
  compliance: governs("document.change"),
  audit: ({ params, loaded }) => `document:${loaded?.document.id ?? params.document}`,
  errors: [conflict, documentExists],
  async handle(ctx, { body, loaded }) {
    await lockLoaded(ctx, loaded);
    const { id, external_id } = loaded.document;
    const former = await findVersion(ctx, id, body.version);
    if (!former)
      throw refuse(
        conflict,
        `There is no former version ${body.version} of the document; its versions are listed under it.`,
      );
    if (external_id === null && former.digest !== null)
      await refuseSame(ctx, loaded.id, id, former.digest, `what version ${body.version} said`);
    const chunks = await chunksOfVersion(ctx, id, body.version);
    await keepFormerVersions(ctx, [id]);
    const by = writerOf(ctx);
    const base = await holdBase(ctx, loaded.id);
    const version = await restoreContents(ctx, id, body.version, by);
    await replaceChunks(
      ctx,
      base,
      [id],
      chunks.map((chunk) => ({ ...chunk, version })),
    );
    // The rows of the file that it was are read again; those that no longer belong to it go.
    if (former.file_digest !== null && former.text === null) await queueReindex(ctx, id);
    else await removeRowsOf(ctx, base, [id], by);
    return entryView((await findDocument(ctx, loaded.id, id)) as DocumentRow, ctx.now);
  },
});
