import { Type } from "typebox";
import { defineOperation, exempt, governs } from "../../../../kernel/operation.ts";
import { holdBase } from "../../bases/lookup-store.ts";
import { byOwnBase } from "../../bases/narrowing.ts";
import { documentExists } from "../../errors.ts";
import { exampleAdded, exampleBase, exampleRecord } from "../../example.ts";
import { givenContents, givenFaults, givenInput } from "../../ingest/given.ts";
import { digestOfContents, queueContents } from "../../ingest/ingest.ts";
import { largestFile } from "../../ingest/rules.ts";
import { AddedDocument, BaseRef, DocumentRef, ReplaceDocumentBody, ReplaceDocumentForm } from "../../schemas.ts";
import { writerOf } from "../deciders.ts";
import { type LoadedDocument, loadDocument, lockLoaded, refuseSame } from "../guards.ts";
import { contentsOf } from "../rules.ts";
import { findDocument, type Outcome, replaceContents } from "../store.ts";
import { addedView } from "../view.ts";

export const replaceDocument = defineOperation({
  id: "knowledge.replaceDocument",
  method: "PUT",
  path: "/v1/knowledge/bases/{base}/documents/{document}",
  listed: true,
  summary: "Replace the contents of a document",
  description:
    "With plain `text` or `fields` it says this from now on, and is found by it as soon as this answers. Markdown and HTML by their `media_type`, and a " +
    "file, as `multipart/form-data` or by its `url`, are parsed and " +
    "indexed after the answer: `state` says how far that is, and until then the former contents are found. Its id, access, metadata and counters stay, and what it " +
    "said before is kept as a former version. Contents that are the same change nothing.",
  params: Type.Object({ base: BaseRef, document: DocumentRef }),
  body: ReplaceDocumentBody,
  receives: { form: ReplaceDocumentForm, file: "file", limit: largestFile },
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
  narrowing: byOwnBase,
  gate: exempt("changes a base; nothing acts"),
  decides: "documents",
  compliance: governs(
    "document.add",
    (_ctx, { body }: { body: ReplaceDocumentBody }) => ({ input: givenInput(body) }),
    {
      keepsInput: () => false,
    },
  ),
  audit: ({ params, loaded }) => `document:${loaded?.document.id ?? params.document}`,
  errors: [documentExists],
  validate: (ctx, { body }) => givenFaults(ctx, body),
  async handle(ctx, { body, loaded }) {
    const { version, digest, waits } = await lockLoaded(ctx, loaded);
    const { id, external_id } = loaded.document;
    await holdBase(ctx, loaded.id);
    const read = givenContents(body);
    const given = { ...contentsOf(body), external_id };
    const newDigest = read ? digestOfContents(read) : given.digest;
    // What waits to be indexed came later than what is served.
    const replaced = digest !== newDigest || waits;
    if (replaced && external_id === null) await refuseSame(ctx, loaded.id, id, newDigest, "the same");
    const by = writerOf(ctx);
    let outcome: Outcome = replaced ? "replaced" : "unchanged";
    if (read) outcome = (await queueContents(ctx, id, { ...read, external_id }, by)).outcome;
    else await replaceContents(ctx, { id, base: loaded.id, version }, given, replaced, by);
    const row = await findDocument(ctx, loaded.id, id);
    return addedView({ outcome, row: row ?? loaded.document }, ctx.now);
  },
});
