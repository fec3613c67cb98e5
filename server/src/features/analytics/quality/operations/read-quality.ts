import { Type } from "typebox";
import { limitedTo } from "../../../../kernel/narrowing.ts";
import { defineRead, exempt, governs } from "../../../../kernel/operation.ts";
import { figuresOf, headOf, tableOf, windowOf } from "../../figures/window.ts";
import { windowQuery } from "../../figures/window-schemas.ts";
import { QualityFigures } from "../../schemas.ts";
import { exampleQuality } from "../example.ts";
import { mayRead } from "../scope.ts";
import { countFeedback, evaluationsOf, qualityDrift } from "../store.ts";

const measures = ["accepted_rate", "success_rate", "trust_mean", "trust_calibration_error", "judged"] as const;
const noFeedback = { given: 0, accepted: 0, not_accepted: 0, corrected: 0, rating: null, rated: 0 };

export const readQuality = defineRead({
  id: "analytics.readQuality",
  path: "/v1/analytics/quality",
  listed: true,
  summary: "Read quality and drift",
  description:
    "Whether what agents did was good: shares of accepted and completed tasks, trust and its calibration with their intervals, runs over datasets, and feedback. Where the level of a series changed there is a mark, with what happened about then.",
  query: Type.Object(windowQuery, { additionalProperties: false }),
  output: QualityFigures,
  example: { output: exampleQuality },
  permission: "analytics:read",
  load: exempt("names no object"),
  narrowing: limitedTo("measures the key's agents"),
  compliance: governs("analytics.read"),
  audit: "analytics",
  async handle(ctx, { query }) {
    const window = windowOf(ctx, query);
    const [whole, { series, drift, ...seriesHead }, agents, evaluations, feedback] = await Promise.all([
      figuresOf(ctx, window, { measures }),
      qualityDrift(ctx, window),
      tableOf(ctx, window, { measures, dimensions: ["agent"], sort: "-judged", limit: 50 }),
      evaluationsOf(ctx, window),
      mayRead(ctx, "tasks:read") ? countFeedback(ctx, window) : noFeedback,
    ]);
    const head = headOf(window, whole, seriesHead, agents);
    return { ...head, figures: whole.figures, series, drift, agents: agents.rows, evaluations, feedback };
  },
});
