import { defineRead } from "../../../kernel/operation.ts";
import { figureRead } from "../figure-read.ts";
import { exampleModelUse } from "../figures-example.ts";
import { ModelUse, tableQuery } from "../figures-schemas.ts";
import { modelUseOf } from "../models.ts";
import { windowOf } from "../window.ts";

export const readModelUse = defineRead({
  ...figureRead,
  id: "analytics.readModelUse",
  path: "/v1/analytics/models",
  summary: "Read the use of models",
  description: "Which models took the turns of tasks, at what price, how fast, with how many tokens and failures.",
  query: tableQuery,
  output: ModelUse,
  example: { output: exampleModelUse },
  handle: (ctx, { query }) => modelUseOf(ctx, windowOf(ctx, query), query.limit ?? 50),
});
