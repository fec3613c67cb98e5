import type { ReadContext } from "../../kernel/context.ts";
import { type ModelUse, modelMeasures } from "./figures-schemas.ts";
import { type FigureWindow, figuresOf, headOf, seriesOf, tableOf } from "./window.ts";

/** Turns of models: their share, price, latency, tokens and failures. */
export async function modelUseOf(ctx: ReadContext, window: FigureWindow, limit: number): Promise<ModelUse> {
  const asked = { measures: modelMeasures, filters: { kind: ["model"] } };
  const told = await figuresOf(ctx, window, asked);
  const series = await seriesOf(ctx, window, asked);
  const table = await tableOf(ctx, window, { ...asked, dimensions: ["name"], sort: "-tool_uses", limit });
  const turns = told.figures.tool_uses.value ?? 0;
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
    ...headOf(window, told, series, table),
    figures: told.figures,
    series: series.points,
    rows,
    more: table.more,
  };
}
