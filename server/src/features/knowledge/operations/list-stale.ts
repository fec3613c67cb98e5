import { Type } from "typebox";
import { defineList } from "../../../kernel/listing.ts";
import { byObject } from "../../../kernel/narrowing.ts";
import { governs } from "../../../kernel/operation.ts";
import { listDocuments } from "../document-store.ts";
import { exampleBase, exampleEntry } from "../example.ts";
import { ofKnownBase } from "../narrowing.ts";
import { BaseRef, DocumentEntry } from "../schemas.ts";
import { findBase } from "../store.ts";
import { entryView } from "../view.ts";

export const listStale = defineList({
  id: "knowledge.listStale",
  path: "/v1/knowledge/bases/{base}/stale",
  summary: "List documents past their review date",
  description:
    "Documents whose `review_at` has passed, or that neither changed nor were reviewed for the base's `review_days`. They are found all the same, until somebody " +
    "reviews, replaces or deletes them.",
  params: Type.Object({ base: BaseRef }),
  item: DocumentEntry,
  example: {
    params: { base: exampleBase.name },
    item: { ...exampleEntry, review_at: "2026-11-21T00:00:00.000Z", stale: true },
  },
  permission: "knowledge:read",
  load: (ctx, { base }) => findBase(ctx, base),
  narrowing: byObject("a base that one of the key's agents names, in its draft or a version", ofKnownBase),
  compliance: governs("document.read"),
  audit: ({ params, loaded }) => `base:${loaded?.id ?? params.base}`,
  read: (ctx, _filter, page, { id }) => listDocuments(ctx, id, { stale: true }, page),
  position: (row) => ({ keys: [row.created_us], id: row.id }),
  view: (row, ctx) => entryView(row, ctx.now),
});
