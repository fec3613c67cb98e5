import { refuse } from "../../../../kernel/errors.ts";
import { whole } from "../../../../kernel/narrowing.ts";
import { defineRead, governs } from "../../../../kernel/operation.ts";
import { notFound } from "../../../../kernel/problems.ts";
import { Rebuild } from "../rebuild-schemas.ts";
import { exampleRebuild, findRebuild, type RebuildRow, rebuildView } from "../rebuild-store.ts";

export const readRebuild = defineRead({
  id: "analytics.readRebuild",
  path: "/v1/analytics/rebuild",
  summary: "Read the progress of a recount",
  description: "The last one that was asked for in this environment; 404 where none ever was.",
  output: Rebuild,
  example: { output: exampleRebuild },
  permission: "analytics:read",
  load: async (ctx) => {
    const found = await findRebuild(ctx);
    if (!found)
      throw refuse(notFound, `Figures of ${ctx.scope.environment} were never rebuilt.`, { stage: "permissions" });
    return found;
  },
  narrowing: whole("counts what all agents did"),
  compliance: governs("analytics.read"),
  audit: "analytics",
  handle: (_ctx, { loaded }: { loaded: RebuildRow }) => rebuildView(loaded),
});
