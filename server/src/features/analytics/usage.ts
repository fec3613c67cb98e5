import type { ReadContext } from "../../kernel/context.ts";
import { type Usage, usageMeasures } from "./figures-schemas.ts";
import type { Dimension } from "./measures.ts";
import { type FigureWindow, figuresOf, headOf, seriesOf, tableOf } from "./window.ts";

/** How much was done, and by `by`. */
export async function usageOf(
  ctx: ReadContext,
  window: FigureWindow,
  by: Dimension | undefined,
  limit: number,
): Promise<Usage> {
  const told = await figuresOf(ctx, window, { measures: usageMeasures });
  const series = await seriesOf(ctx, window, { measures: usageMeasures });
  const asked = { measures: usageMeasures, sort: "-tasks", limit } as const;
  const table = by === undefined ? null : await tableOf(ctx, window, { ...asked, dimensions: [by] });
  return {
    ...headOf(window, told, series, ...(table ? [table] : [])),
    ...{ figures: told.figures, series: series.points, by: by ?? null },
    ...{ rows: table?.rows ?? [], more: table?.more ?? false },
  };
}
