import { Type } from "typebox";
import { changedMeanwhile } from "../../../../kernel/changed-meanwhile.ts";
import { defineOperation, exempt, governs } from "../../../../kernel/operation.ts";
import { byOwnBase } from "../../bases/narrowing.ts";
import { exampleBase, exampleChunk, exampleDocument } from "../../example.ts";
import { BaseRef, ChangeChunkBody, ChunkRef, DocumentChunk, DocumentRef } from "../../schemas.ts";
import { type ChunkRow, changeChunk as change, findChunk } from "../chunk-store.ts";
import { classesIn } from "../chunks.ts";
import { writerOf } from "../deciders.ts";
import { type LoadedDocument, loadDocument } from "../guards.ts";
import { blankFaults } from "../rules.ts";
import { chunkView } from "../view.ts";

interface Loaded extends LoadedDocument {
  readonly chunk: ChunkRow;
}

export const changeChunk = defineOperation({
  id: "knowledge.changeChunk",
  method: "PATCH",
  path: "/v1/knowledge/bases/{base}/documents/{document}/chunks/{chunk}",
  summary: "Correct or disable a chunk",
  description:
    "Searches follow at once. A correction raises the chunk's revision and gives it a new citation; former citations still lead to the former text. It holds " +
    "for as long as the document, replaced or cut again, has a chunk that says what this one said.",
  params: Type.Object({ base: BaseRef, document: DocumentRef, chunk: ChunkRef }),
  body: ChangeChunkBody,
  output: DocumentChunk,
  example: {
    params: { base: exampleBase.name, document: exampleDocument.document_id, chunk: "1" },
    body: { text: "company: Amber Looms\nindustry: textiles\nemployees: 140" },
    output: {
      ...exampleChunk,
      revision: 2,
      citation: "cit_01jd8x0000000000000000000d11111112",
      text: "company: Amber Looms\nindustry: textiles\nemployees: 140",
    },
  },
  revision: ({ version, revision }) => `${version}.${revision}`,
  revisionOfPart: true,
  mayMatch: ({ chunk }: Loaded) => `${chunk.version}.${chunk.revision}`,
  permission: "knowledge:write",
  async load(ctx, params): Promise<Loaded | undefined> {
    if (!/^[1-9][0-9]{0,8}$/.test(params.chunk)) return undefined; // what a path names is loaded before its schema is checked
    const loaded = await loadDocument(ctx, params);
    const chunk = loaded && (await findChunk(ctx, loaded, loaded.document.id, Number(params.chunk)));
    return chunk && { ...loaded, chunk };
  },
  narrowing: byOwnBase,
  gate: exempt("changes a base; nothing acts"),
  decides: "documents",
  compliance: governs("document.correct", (_ctx, { body }: { body: ChangeChunkBody }) => ({ input: body }), {
    keepsInput: () => false,
  }),
  audit: ({ params, loaded }) => `chunk:${loaded?.document.id ?? params.document}#${params.chunk}`,
  validate: (_ctx, { body }) => blankFaults(body.text, "disable the chunk to take it out of searches"),
  async handle(ctx, { body, loaded }) {
    const classes = body.text === undefined ? {} : { data_classes: classesIn(body.text) };
    const changed = await change(ctx, loaded, loaded.chunk, { ...body, ...classes }, writerOf(ctx));
    if (!changed) throw changedMeanwhile();
    return chunkView(changed);
  },
});
