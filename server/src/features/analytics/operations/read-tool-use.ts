import { defineRead } from "../../../kernel/operation.ts";
import { figureRead } from "../figure-read.ts";
import { exampleToolUse } from "../figures-example.ts";
import { ToolUse, tableQuery } from "../figures-schemas.ts";
import { toolUseOf } from "../tools.ts";
import { windowOf } from "../window.ts";

export const readToolUse = defineRead({
  ...figureRead,
  id: "analytics.readToolUse",
  path: "/v1/analytics/tools",
  summary: "Read the use of tools",
  description: "How often tools were called in tasks, how many calls failed, how long they took and what they cost.",
  query: tableQuery,
  output: ToolUse,
  example: { output: exampleToolUse },
  handle: (ctx, { query }) => toolUseOf(ctx, windowOf(ctx, query), query.limit ?? 50),
});
