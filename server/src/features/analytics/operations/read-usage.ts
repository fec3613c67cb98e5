import { defineRead } from "../../../kernel/operation.ts";
import { figureRead } from "../figure-read.ts";
import { exampleUsage } from "../figures-example.ts";
import { breakdownQuery, Usage } from "../figures-schemas.ts";
import type { Dimension } from "../measures.ts";
import { usageOf } from "../usage.ts";
import { windowOf } from "../window.ts";

export const readUsage = defineRead({
  ...figureRead,
  id: "analytics.readUsage",
  path: "/v1/analytics/usage",
  listed: true,
  summary: "Read usage",
  description:
    "Tasks, how they ended, how long they waited and took (percentiles with a relative error of 1 %), and tokens: of the window, window by window, and by a dimension (`by`). Every figure links to its tasks.",
  query: breakdownQuery,
  output: Usage,
  example: { output: exampleUsage },
  handle: (ctx, { query }) => usageOf(ctx, windowOf(ctx, query), query.by as Dimension | undefined, query.limit ?? 50),
});
