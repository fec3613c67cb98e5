import { Type } from "typebox";
import type { CallContext } from "../../../../kernel/context.ts";
import { defineRead, governs } from "../../../../kernel/operation.ts";
import { findKnownAgent } from "../../../agents/public.ts";
import { exampleShadow } from "../../example.ts";
import { ShadowSummary } from "../../schemas.ts";
import { countShadow, findShadow, sumShadow, usedByShadow } from "../store.ts";
import { summaryView } from "../view.ts";

export const readShadow = defineRead({
  id: "evaluations.readShadow",
  path: "/v1/evaluations/shadows/{deployment}",
  summary: "Read what a version in shadow would have done",
  description:
    "How often a version in shadow had the same result as the live version, where they differ, and what both cost. Writes are withheld from a shadow: a task in which " +
    "either side writes is compared up to the first write, with its arguments.",
  params: Type.Object({ deployment: Type.String({ description: "A deployment with `mode: shadow`, `dep_…`." }) }),
  output: ShadowSummary,
  example: { params: { deployment: exampleShadow.deployment_id }, output: exampleShadow },
  permission: "evaluations:read",
  load: (ctx, { deployment }) => findShadow(ctx, deployment),
  compliance: governs("evaluation.read", (ctx: CallContext, { loaded }: { loaded: { agent: string } }) => ({
    agent: { name: loaded.agent, labels: findKnownAgent(ctx, loaded.agent)?.labels ?? [] },
  })),
  audit: ({ params }) => `deployment:${params.deployment}`,
  async handle(ctx, { loaded }) {
    const sums = await sumShadow(ctx, loaded.id);
    const used = await usedByShadow(ctx.db, ctx.scope, loaded.id);
    return summaryView(loaded, sums, used, await countShadow(ctx, loaded.id));
  },
});
