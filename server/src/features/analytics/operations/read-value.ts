import { defineRead } from "../../../kernel/operation.ts";
import { figureRead } from "../figure-read.ts";
import { exampleValue } from "../figures-example.ts";
import { tableQuery, ValueFigures } from "../figures-schemas.ts";
import { valueFiguresOf } from "../value.ts";
import { windowOf } from "../window.ts";

export const readValue = defineRead({
  ...figureRead,
  id: "analytics.readValue",
  path: "/v1/analytics/value",
  summary: "Read value against cost",
  description:
    "Time saved and value of accepted tasks by what the environment declares (settings, `analytics.value`), against the cost of all tasks, by agent and skill. Without a declaration it says so.",
  query: tableQuery,
  output: ValueFigures,
  example: { output: exampleValue },
  handle: (ctx, { query }) => valueFiguresOf(ctx, windowOf(ctx, query), query.limit ?? 50),
});
