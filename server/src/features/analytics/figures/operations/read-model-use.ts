import type { ReadContext } from "../../../../kernel/context.ts";
import { defineRead } from "../../../../kernel/operation.ts";
import { exampleModelUse } from "../example.ts";
import { ModelUse, modelMeasures, tableQuery } from "../schemas.ts";
import { type FigureWindow, figureRead, figuresOf, headOf, seriesOf, tableOf, windowOf } from "../window.ts";

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

export async function modelUseOf(ctx: ReadContext, window: FigureWindow, limit: number): Promise<ModelUse> {
  const asked = { measures: modelMeasures, filters: { kind: ["model"] } };
  const totals = await figuresOf(ctx, window, asked);
  const series = await seriesOf(ctx, window, asked);
  const table = await tableOf(ctx, window, { ...asked, dimensions: ["name"], sort: "-tool_uses", limit });
  const turns = totals.figures.tool_uses.value ?? 0;
  const rows = table.rows.map((row) => {
    const figures = row.figures as ModelUse["figures"];
    const [cost, tokens] = [figures.step_cost_usd.value, figures.step_tokens.value];
    return {
      model: row.key.name ?? null,
      share: turns > 0 ? (figures.tool_uses.value ?? 0) / turns : null,
      usd_per_million_tokens: cost !== null && tokens ? (cost / tokens) * 1_000_000 : null,
      figures,
    };
  });
  return {
    ...headOf(window, totals, series, table),
    figures: totals.figures,
    series: series.points,
    rows,
    more: table.more,
  };
}
