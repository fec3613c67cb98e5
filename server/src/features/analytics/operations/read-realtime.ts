import { Type } from "typebox";
import { limitedTo } from "../../../kernel/narrowing.ts";
import { defineRead, exempt, governs } from "../../../kernel/operation.ts";
import { agentsIn } from "../quality-scope.ts";
import { readRealtimeFigures } from "../realtime.ts";
import { exampleRealtime } from "../risk-example.ts";
import { RealtimeFigures } from "../schemas.ts";

export const readRealtime = defineRead({
  id: "analytics.readRealtime",
  path: "/v1/analytics/realtime",
  summary: "Read what runs now",
  description:
    "Open tasks by state and agent with the oldest of them, the workers that hold some, and what came and ended in the last 15 minutes.",
  query: Type.Object(
    { agent: Type.Optional(Type.String({ description: "Only this agent." })) },
    { additionalProperties: false },
  ),
  output: RealtimeFigures,
  example: { output: exampleRealtime },
  permission: "analytics:read",
  load: exempt("names no object"),
  narrowing: limitedTo("tells of tasks of the key's agents"),
  compliance: governs("analytics.read"),
  audit: "analytics",
  handle: (ctx, { query: { agent } }) =>
    readRealtimeFigures(ctx, agentsIn(ctx, { filters: agent === undefined ? {} : { agent: [agent] } })),
});
