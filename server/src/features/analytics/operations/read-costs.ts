import { defineRead } from "../../../kernel/operation.ts";
import { costsOf } from "../costs.ts";
import { figureRead } from "../figure-read.ts";
import { exampleCosts } from "../figures-example.ts";
import { breakdownQuery, Costs } from "../figures-schemas.ts";
import type { Dimension } from "../measures.ts";
import { windowOf } from "../window.ts";

export const readCosts = defineRead({
  ...figureRead,
  id: "analytics.readCosts",
  path: "/v1/analytics/costs",
  listed: true,
  summary: "Read costs",
  description:
    "What was spent, by agent, key, member, model or label (`by`, default `agent`), for each task and each accepted one; how far budgets are used; and a forecast of the present month with its intervals and how good it was on the last weeks.",
  query: breakdownQuery,
  output: Costs,
  example: { output: exampleCosts },
  handle: (ctx, { query }) => costsOf(ctx, windowOf(ctx, query), (query.by ?? "agent") as Dimension, query.limit ?? 50),
});
