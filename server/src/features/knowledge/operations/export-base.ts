import { Type } from "typebox";
import { byObject } from "../../../kernel/narrowing.ts";
import { defineOperation, exempt, governs } from "../../../kernel/operation.ts";
import { countDocuments } from "../document-store.ts";
import { exampleBase, exampleExport } from "../example.ts";
import { ofOwnBase } from "../narrowing.ts";
import { BaseExport, BaseRef } from "../schemas.ts";
import { findBase } from "../store.ts";
import { exportView } from "../view.ts";

export const exportBase = defineOperation({
  id: "knowledge.exportBase",
  method: "POST",
  path: "/v1/knowledge/bases/{base}/export",
  summary: "Export a knowledge base",
  description:
    "Answers how many documents the export holds and where it streams: as JSON Lines, a line for the base and one for each document that the caller may read, with " +
    "contents, metadata and access. It says what the base holds while it is read.",
  params: Type.Object({ base: BaseRef }),
  output: BaseExport,
  example: {
    params: { base: exampleBase.name },
    output: exampleExport,
  },
  location: ({ url }) => url,
  permission: "knowledge:read",
  load: (ctx, { base }) => findBase(ctx, base),
  narrowing: byObject("the agents that name the base, in their draft or a version", ofOwnBase),
  gate: exempt("makes no agent act"),
  decides: exempt("exports are for people"),
  compliance: governs("knowledge.export"),
  audit: ({ params, loaded }) => `base:${loaded?.id ?? params.base}`,
  handle: async (ctx, { loaded }) => exportView(loaded, await countDocuments(ctx, loaded.id)),
});
