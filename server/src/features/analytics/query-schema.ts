import type { ReadContext } from "../../kernel/context.ts";
import { settingsOf } from "../admin/public.ts";
import { knownLabels, valuesOf } from "./cache-values.ts";
import { hasInterval } from "./cells.ts";
import { families } from "./families.ts";
import { labelDimension, missingColumns, mostLabelColumns, readLabelColumns } from "./labels.ts";
import { labelled, type Measure, measureNames, measures, mostLabels, mostLabelValues } from "./measures.ts";
import { dimensionsOf, mostRows, mostWindows } from "./plan-request.ts";
import type { AnalyticsSchema } from "./query-schemas.ts";
import { grains } from "./rollup-types.ts";

/** Values of a dimension that are listed at most. */
const mostListed = 100;
/** Dimensions whose values are words of the interface. */
const vocabularies: ReadonlySet<string> = new Set(["risk", "status", "origin", "kind", "decision", "state"]);

/** What can be asked for. A key that is narrowed to agents sees no values that others may have brought in. */
export async function schemaOf(ctx: ReadContext): Promise<AnalyticsSchema> {
  const known = await knownLabels(ctx);
  const declared = settingsOf(ctx).analytics.labels;
  const { uncounted } = missingColumns(await readLabelColumns(ctx.db, ctx.scope), declared);
  const names = [...new Set(families.flatMap((family) => dimensionsOf(family, known)))];
  const values = await valuesOf(ctx, names);
  const { agents } = ctx.principal;
  const listed = (name: string): string[] | null => {
    const texts = values.get(name)?.texts() ?? [];
    const own = agents !== null && name === "agent" ? texts.filter((text) => agents.includes(text)) : texts;
    const isHidden = agents !== null && name !== "agent" && !vocabularies.has(name);
    return isHidden || own.length > mostListed ? null : own.sort();
  };
  return {
    measures: measureNames.map((name) => {
      const { family, unit, about, better }: Measure = measures[name];
      return { name, family, unit, about, better, interval: hasInterval(name) };
    }),
    dimensions: names.map((name) => ({
      name,
      families: families.filter((family) =>
        name.startsWith(labelDimension("")) ? labelled.has(family) : dimensionsOf(family, []).includes(name),
      ),
      values: listed(name),
    })),
    labels: [...declared],
    uncounted_labels: uncounted,
    grains: [...grains],
    limits: {
      ...{ windows: mostWindows, rows: mostRows },
      ...{ labels: mostLabels, label_columns: mostLabelColumns, label_values: mostLabelValues },
    },
  };
}
