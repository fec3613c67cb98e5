import { limitedTo } from "../../../kernel/narrowing.ts";
import { defineRead, exempt, governs } from "../../../kernel/operation.ts";
import { exampleSchema } from "../query-example.ts";
import { schemaOf } from "../query-schema.ts";
import { AnalyticsSchema } from "../query-schemas.ts";

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
