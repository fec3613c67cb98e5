import { Type } from "typebox";
import { timestamp } from "../../../../kernel/clock.ts";
import { momentOf } from "../../../../kernel/moment.ts";
import { limitedTo } from "../../../../kernel/narrowing.ts";
import { defineRead, exempt, governs } from "../../../../kernel/operation.ts";
import { headOf, windowOf } from "../../figures/window.ts";
import { type WindowQuery, windowQuery } from "../../figures/window-schemas.ts";
import { AnomalyFigures } from "../../schemas.ts";
import { anomalyMethod, findAnomalies } from "../anomalies.ts";
import { anomalyRules } from "../anomaly-rules.ts";
import { exampleAnomalies } from "../example.ts";

export const readAnomalies = defineRead({
  id: "analytics.readAnomalies",
  path: "/v1/analytics/anomalies",
  summary: "Read what is unusual",
  description:
    "Hours in which an agent spent, did, failed or took more than in the same hours of earlier weeks, and hours in which nothing came where something usually does. Each with what is usual, how many hours that rests on, and how rare it is. The ten agents with the most tasks are looked at; an agent needs four weeks. Without `from` it is the last seven days.",
  query: Type.Object(windowQuery, { additionalProperties: false }),
  output: AnomalyFigures,
  example: { output: exampleAnomalies },
  permission: "analytics:read",
  load: exempt("names no object"),
  narrowing: limitedTo("measures the key's agents"),
  compliance: governs("analytics.read"),
  audit: "analytics",
  async handle(ctx, { query }) {
    const window = windowOf(ctx, lastWeek(ctx.now, query));
    const { hours, agents, anomalies, ...answer } = await findAnomalies(ctx, window);
    return {
      ...headOf(window, answer),
      method: anomalyMethod,
      level: anomalyRules.level,
      hours,
      agents,
      anomalies,
    };
  },
});

const week = 7 * 86_400_000;

/** Fewer hours make a rare one stand out sooner. */
function lastWeek(now: number, query: WindowQuery): WindowQuery {
  if (query.from !== undefined) return query;
  const to = query.to === undefined ? Math.ceil(now / 60_000) * 60_000 : momentOf(query.to);
  return { ...query, from: timestamp(to - week), to: timestamp(to) };
}
