import { Type } from "typebox";
import { defineRead, governs } from "../../../kernel/operation.ts";
import { findExperiment, readExperiment } from "../../agents/public.ts";
import { exampleExperiment } from "../experiment-example.ts";
import { Experiment } from "../experiment-schemas.ts";
import { experimentView } from "../experiment-view.ts";

export const readExperimentFigures = defineRead({
  id: "analytics.readExperiment",
  path: "/v1/analytics/experiments/{deployment}",
  summary: "Compare a canary with the live version",
  description:
    "Both sides with their judged tasks, failures, trust, cost and duration, the difference with its interval, the looks so far with their bounds, and what it will lead to. Only tasks that were drawn for either side count.",
  params: Type.Object({ deployment: Type.String({ description: "The canary, `dep_…`." }) }),
  output: Experiment,
  example: { params: { deployment: exampleExperiment.deployment_id }, output: exampleExperiment },
  permission: "analytics:read",
  load: (ctx, { deployment }) => findExperiment(ctx, deployment),
  compliance: governs("analytics.read"),
  audit: ({ params }) => `deployment:${params.deployment}`,
  handle: async (ctx, { loaded }) => experimentView(await readExperiment(ctx, loaded)),
});
