import { Type } from "typebox";
import { defineList } from "../../../../kernel/listing.ts";
import { governs } from "../../../../kernel/operation.ts";
import { findBase } from "../../bases/lookup-store.ts";
import { aboutBase, byKnownBase } from "../../bases/narrowing.ts";
import { exampleBase, exampleEntry } from "../../example.ts";
import { BaseRef, DocumentEntry } from "../../schemas.ts";
import { listDocuments } from "../store.ts";
import { entryView } from "../view.ts";

export const listStale = defineList({
  id: "knowledge.listStale",
  path: "/v1/knowledge/bases/{base}/stale",
  summary: "List documents past their review date",
  description:
    "Documents whose `review_at` has passed, or that neither changed nor were reviewed for the base's `review_days`. They are still found, until somebody " +
    "reviews, replaces or deletes them.",
  params: Type.Object({ base: BaseRef }),
  item: DocumentEntry,
  example: {
    params: { base: exampleBase.name },
    item: { ...exampleEntry, review_at: "2026-11-21T00:00:00.000Z", stale: true },
  },
  permission: "knowledge:read",
  load: (ctx, { base }) => findBase(ctx, base),
  narrowing: byKnownBase,
  compliance: governs("document.read"),
  audit: aboutBase,
  read: (ctx, _filter, page, { id }) => listDocuments(ctx, id, { stale: true }, page),
  position: (row) => ({ keys: [row.created_us], id: row.id }),
  view: (row, ctx) => entryView(row, ctx.now),
});
