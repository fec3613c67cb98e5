import { refuse } from "../../../kernel/errors.ts";
import { whole } from "../../../kernel/narrowing.ts";
import { defineRead, governs } from "../../../kernel/operation.ts";
import { notFound } from "../../../kernel/problems.ts";
import { Rebuild } from "../rebuild-schemas.ts";
import { findRebuild, type RebuildRow } from "../rebuild-store.ts";
import { exampleRebuild, rebuildView } from "../rebuild-view.ts";

export const readRebuild = defineRead({
  id: "analytics.readRebuild",
  path: "/v1/analytics/rebuild",
  summary: "Read how far counting anew is",
  description: "The last one that was asked for in this environment; 404 where none ever was.",
  output: Rebuild,
  example: { output: exampleRebuild },
  permission: "analytics:read",
  load: async (ctx) => {
    const found = await findRebuild(ctx);
    if (!found)
      throw refuse(notFound, `Figures of ${ctx.scope.environment} were never counted anew.`, { stage: "permissions" });
    return found;
  },
  narrowing: whole("counts what all agents did"),
  compliance: governs("analytics.read"),
  audit: "analytics",
  handle: (_ctx, { loaded }: { loaded: RebuildRow }) => rebuildView(loaded),
});
