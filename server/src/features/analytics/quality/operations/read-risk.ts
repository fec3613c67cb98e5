import { Type } from "typebox";
import { limitedTo } from "../../../../kernel/narrowing.ts";
import { defineRead, exempt, governs } from "../../../../kernel/operation.ts";
import { figuresOf, headOf, seriesOf, tableOf, windowOf } from "../../figures/window.ts";
import { windowQuery } from "../../figures/window-schemas.ts";
import { RiskFigures } from "../../schemas.ts";
import { exampleRisk } from "../example.ts";
import { exposureOf, nearMisses, withViolations } from "../risk.ts";

const measures = ["violations", "blocked", "policy_denials"] as const;
const bySource = [...measures, "pause_blocks", "kill_switch_blocks", "gate_blocks", "budget_blocks"] as const;

export const readRisk = defineRead({
  id: "analytics.readRisk",
  path: "/v1/analytics/risk",
  listed: true,
  summary: "Read risk",
  description:
    "What was blocked, by what and why, what nearly happened, and what can go wrong now: open tasks of high risk, writes with unknown outcome or after text that could have steered them, kill switches, pauses, and versions that act without an open verdict. " +
    "Violations have no skill and no label: with these filters they are left out.",
  query: Type.Object(windowQuery, { additionalProperties: false }),
  output: RiskFigures,
  example: { output: exampleRisk },
  permission: "analytics:read",
  load: exempt("names no object"),
  narrowing: limitedTo("measures the key's agents"),
  compliance: governs("analytics.read"),
  audit: "analytics",
  async handle(ctx, { query }) {
    const window = windowOf(ctx, query);
    const [whole, series, reasons, byAgent, near_misses, exposure] = await Promise.all([
      figuresOf(ctx, window, { measures: bySource }),
      seriesOf(ctx, window, { measures: bySource }),
      tableOf(ctx, window, { measures, dimensions: ["policy", "reason"], sort: "-violations", limit: 20 }),
      tableOf(ctx, window, { measures, dimensions: ["agent"], sort: "-violations", limit: 50 }),
      nearMisses(ctx, window),
      exposureOf(ctx, window),
    ]);
    return {
      ...headOf(window, whole, series, reasons, byAgent),
      figures: whole.figures,
      series: series.points,
      by_agent: byAgent.rows,
      near_misses,
      exposure,
      reasons: withViolations(reasons.rows, window),
    };
  },
});
