import type { ReadContext } from "../../../../kernel/context.ts";
import { limitedTo } from "../../../../kernel/narrowing.ts";
import { defineRead, exempt, governs } from "../../../../kernel/operation.ts";
import { settingsOf } from "../../../admin/public.ts";
import { knownLabels, valuesOf } from "../../rollups/cache.ts";
import { hasInterval } from "../../rollups/cells.ts";
import {
  families,
  labelDimension,
  missingColumns,
  mostLabelColumns,
  readLabelColumns,
} from "../../rollups/families.ts";
import { labelled, type Measure, measureNames, measures, mostLabels, mostLabelValues } from "../../rollups/measures.ts";
import { dimensionsOf, mostRows, mostWindows } from "../../rollups/requests.ts";
import { grains } from "../../rollups/types.ts";
import { exampleSchema } from "../example.ts";
import { AnalyticsSchema } from "../schemas.ts";

export const readSchema = defineRead({
  id: "analytics.readSchema",
  path: "/v1/analytics/schema",
  summary: "Read measures and dimensions",
  description:
    "What a query can ask for: measures with units, dimensions with the values that were seen, and the labels that this environment declares.",
  output: AnalyticsSchema,
  example: { output: exampleSchema },
  permission: "analytics:read",
  load: exempt("names no object"),
  narrowing: limitedTo("lists the key's agents, and no values that others may have brought in"),
  compliance: governs("analytics.read"),
  audit: "analytics",
  handle: (ctx) => schemaOf(ctx),
});

const mostListed = 100;
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
      windows: mostWindows,
      rows: mostRows,
      labels: mostLabels,
      label_columns: mostLabelColumns,
      label_values: mostLabelValues,
    },
  };
}
