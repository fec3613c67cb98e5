import { Type } from "typebox";
import { defineList } from "../../../../kernel/listing.ts";
import { governs } from "../../../../kernel/operation.ts";
import { commaList, createdRange } from "../../../../kernel/schema-words.ts";
import { findBase } from "../../bases/lookup-store.ts";
import { aboutBase, byKnownBase } from "../../bases/narrowing.ts";
import { exampleBase, exampleEntry } from "../../example.ts";
import { BaseRef, DocumentEntry, documentStates } from "../../schemas.ts";
import { metadataFilter } from "../rules.ts";
import { listDocuments as readPage } from "../store.ts";
import { entryView } from "../view.ts";

const text = (description: string) => Type.Optional(Type.String({ minLength: 1, maxLength: 255, description }));

export const listDocuments = defineList({
  id: "knowledge.listDocuments",
  path: "/v1/knowledge/bases/{base}/documents",
  listed: true,
  summary: "List documents",
  description: "The documents of a base that the caller may read, newest first, without what they say.",
  params: Type.Object({ base: BaseRef }),
  filters: {
    state: commaList(Type.Enum(documentStates), "States"),
    external_id: text("What its own system calls it."),
    connector: text("The connector that brought it, by id (`cnr_…`) or by name."),
    parent: text("The document of the file whose rows they are, by id (`doc_…`) or by `external_id`."),
    metadata: Type.Optional(
      Type.String({
        maxLength: 2000,
        description: 'A JSON object; documents whose metadata contains it, such as `{"team":"sales"}`.',
      }),
    ),
    ...createdRange,
  },
  item: DocumentEntry,
  example: { params: { base: exampleBase.name }, item: exampleEntry },
  permission: "knowledge:read",
  load: (ctx, { base }) => findBase(ctx, base),
  narrowing: byKnownBase,
  compliance: governs("document.read"),
  audit: aboutBase,
  read: (ctx, filter, page, { id }) => readPage(ctx, id, { ...filter, ...metadataFilter(filter.metadata) }, page),
  position: (row) => ({ keys: [row.created_us], id: row.id }),
  view: (row, ctx) => entryView(row, ctx.now),
});
