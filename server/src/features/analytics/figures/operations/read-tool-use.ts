import type { ReadContext } from "../../../../kernel/context.ts";
import { defineRead } from "../../../../kernel/operation.ts";
import { exampleToolUse } from "../example.ts";
import { ToolUse, tableQuery, toolMeasures } from "../schemas.ts";
import { type FigureWindow, figureRead, figuresOf, headOf, seriesOf, tableOf, windowOf } from "../window.ts";

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

export async function toolUseOf(ctx: ReadContext, window: FigureWindow, limit: number): Promise<ToolUse> {
  const asked = { measures: toolMeasures, filters: { kind: ["tool"] } };
  const totals = await figuresOf(ctx, window, asked);
  const series = await seriesOf(ctx, window, asked);
  const table = await tableOf(ctx, window, { ...asked, dimensions: ["name"], sort: "-tool_uses", limit });
  return {
    ...headOf(window, totals, series, table),
    figures: totals.figures,
    series: series.points,
    rows: table.rows,
    more: table.more,
  };
}
