import { defineRead } from "../../../kernel/operation.ts";
import { figureRead } from "../figure-read.ts";
import { exampleOverview } from "../figures-example.ts";
import { figureQuery, Overview } from "../figures-schemas.ts";
import { overviewOf } from "../overview.ts";
import { windowOf } from "../window.ts";

export const readOverview = defineRead({
  ...figureRead,
  id: "analytics.readOverview",
  path: "/v1/analytics/overview",
  listed: true,
  summary: "Read the overview",
  description:
    "One screen: tasks, success, accepted outcomes, trust, cost and blocks of a window, each with the window before and its course; and what waits for people, which budgets run out, which canaries run and which alerts fire at this moment.",
  query: figureQuery,
  output: Overview,
  example: { output: exampleOverview },
  handle: (ctx, { query }) => overviewOf(ctx, windowOf(ctx, query)),
});
