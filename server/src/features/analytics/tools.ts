import type { ReadContext } from "../../kernel/context.ts";
import { type ToolUse, toolMeasures } from "./figures-schemas.ts";
import { type FigureWindow, figuresOf, headOf, seriesOf, tableOf } from "./window.ts";

/** Calls of tools, most used first. */
export async function toolUseOf(ctx: ReadContext, window: FigureWindow, limit: number): Promise<ToolUse> {
  const asked = { measures: toolMeasures, filters: { kind: ["tool"] } };
  const told = await figuresOf(ctx, window, asked);
  const series = await seriesOf(ctx, window, asked);
  const table = await tableOf(ctx, window, { ...asked, dimensions: ["name"], sort: "-tool_uses", limit });
  return {
    ...headOf(window, told, series, table),
    ...{ figures: told.figures, series: series.points, rows: table.rows, more: table.more },
  };
}
