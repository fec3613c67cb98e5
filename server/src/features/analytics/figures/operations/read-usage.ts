import type { ReadContext } from "../../../../kernel/context.ts";
import { defineRead } from "../../../../kernel/operation.ts";
import type { Dimension } from "../../rollups/measures.ts";
import { exampleUsage } from "../example.ts";
import { breakdownQuery, Usage, usageMeasures } from "../schemas.ts";
import { type FigureWindow, figureRead, figuresOf, headOf, seriesOf, tableOf, windowOf } from "../window.ts";

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

export async function usageOf(
  ctx: ReadContext,
  window: FigureWindow,
  by: Dimension | undefined,
  limit: number,
): Promise<Usage> {
  const totals = await figuresOf(ctx, window, { measures: usageMeasures });
  const series = await seriesOf(ctx, window, { measures: usageMeasures });
  const asked = { measures: usageMeasures, sort: "-tasks", limit } as const;
  const table = by === undefined ? null : await tableOf(ctx, window, { ...asked, dimensions: [by] });
  return {
    ...headOf(window, totals, series, ...(table ? [table] : [])),
    figures: totals.figures,
    series: series.points,
    by: by ?? null,
    rows: table?.rows ?? [],
    more: table?.more ?? false,
  };
}
