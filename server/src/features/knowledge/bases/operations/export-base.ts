import { defineOperation, exempt } from "../../../../kernel/operation.ts";
import { countDocuments } from "../../documents/store.ts";
import { exampleBase, exampleExport } from "../../example.ts";
import { BaseExport } from "../../schemas.ts";
import { byOwnBase } from "../narrowing.ts";
import { bases } from "../operation-parts.ts";
import { exportView } from "../view.ts";

export const exportBase = defineOperation({
  ...bases.readOfOne("knowledge.export"),
  id: "knowledge.exportBase",
  method: "POST",
  path: "/v1/knowledge/bases/{base}/export",
  summary: "Export a knowledge base",
  description:
    "Answers how many documents the export holds and where it streams: as JSON Lines, a line for the base and one for each document that the caller may read, with " +
    "contents, metadata and access. It says what the base holds while it is read.",
  output: BaseExport,
  example: {
    params: { base: exampleBase.name },
    output: exampleExport,
  },
  location: ({ url }) => url,
  narrowing: byOwnBase,
  gate: exempt("makes no agent act"),
  decides: exempt("exports are for people"),
  handle: async (ctx, { loaded }) => exportView(loaded, await countDocuments(ctx, loaded.id)),
});
