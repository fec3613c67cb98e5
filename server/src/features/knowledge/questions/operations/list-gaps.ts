import { Type } from "typebox";
import { defineList } from "../../../../kernel/listing.ts";
import { governs } from "../../../../kernel/operation.ts";
import { readerTokens } from "../../access.ts";
import { aboutBase, byKnownBase } from "../../bases/narrowing.ts";
import { exampleBase } from "../../example.ts";
import { BaseRef } from "../../schemas.ts";
import { exampleGap } from "../example.ts";
import { gapPosition, gapView, listGapRows } from "../gaps.ts";
import { KnowledgeGap } from "../schemas.ts";
import { findSearchedBase } from "../store.ts";

export const listGaps = defineList({
  id: "knowledge.listGaps",
  path: "/v1/knowledge/bases/{base}/gaps",
  summary: "List questions that found nothing good",
  description:
    "Questions of the last 90 days that a search of the base did not answer well, grouped by what they ask for; those asked most often first. Of each group, what a search finds for it now. Looks through the newest 5,000 that the caller may read: their own, and those asked of bases and documents that they may read themselves. A key that is narrowed to agents sees questions of those.",
  params: Type.Object({ base: BaseRef }),
  filters: {
    asked_after: Type.Optional(Type.String({ format: "date-time", description: "Asked at this time or later." })),
    asked_before: Type.Optional(Type.String({ format: "date-time", description: "Asked before this time." })),
    resolved: Type.Optional(
      Type.Boolean({ default: false, description: "Those that were answered well when they were asked again." }),
    ),
  },
  item: KnowledgeGap,
  example: { params: { base: exampleBase.name }, item: exampleGap },
  permission: "knowledge:read",
  load: (ctx, { base }) => findSearchedBase(ctx, base),
  narrowing: byKnownBase,
  compliance: governs("knowledge.read"),
  audit: aboutBase,
  sort: "-asked",
  read: (ctx, filter, page, loaded) => listGapRows(ctx, loaded, filter, page, readerTokens(ctx.principal)),
  position: gapPosition,
  view: gapView,
});
