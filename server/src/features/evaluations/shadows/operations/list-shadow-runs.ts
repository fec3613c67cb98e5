import { Type } from "typebox";
import type { CallContext } from "../../../../kernel/context.ts";
import { defineList } from "../../../../kernel/listing.ts";
import { governs } from "../../../../kernel/operation.ts";
import { findKnownAgent } from "../../../agents/public.ts";
import { exampleShadow, exampleShadowRun } from "../../example.ts";
import { ShadowRun } from "../../schemas.ts";
import { findShadow, listShadowRuns as readPage } from "../store.ts";
import { shadowRunView } from "../view.ts";

export const listShadowRuns = defineList({
  id: "evaluations.listShadowRuns",
  path: "/v1/evaluations/shadows/{deployment}/runs",
  summary: "List tasks that a version in shadow repeated",
  description: "Newest first, with the results of both versions and where they differ.",
  params: Type.Object({ deployment: Type.String({ description: "A deployment with `mode: shadow`, `dep_…`." }) }),
  filters: { same: Type.Optional(Type.Boolean({ description: "Those in which both did the same, or did not." })) },
  item: ShadowRun,
  example: { params: { deployment: exampleShadow.deployment_id }, item: exampleShadowRun },
  permission: "tasks:read",
  load: (ctx, { deployment }) => findShadow(ctx, deployment),
  compliance: governs("evaluation.read", (ctx: CallContext, { loaded }: { loaded: { agent: string } }) => ({
    agent: { name: loaded.agent, labels: findKnownAgent(ctx, loaded.agent)?.labels ?? [] },
  })),
  audit: ({ params }) => `deployment:${params.deployment}`,
  read: (ctx, filter, page, loaded) => readPage(ctx, loaded.id, filter, page),
  position: ({ id }) => id,
  view: shadowRunView,
});
