import { defineList } from "../../../../kernel/listing.ts";
import { whole } from "../../../../kernel/narrowing.ts";
import { governs } from "../../../../kernel/operation.ts";
import { WorkflowRun } from "../../schemas.ts";
import { findWorkflowName } from "../../versions/live.ts";
import { exampleRun } from "../example.ts";
import { listRuns as readPage, runFilters } from "../list-store.ts";
import { WorkflowParams } from "../stages.ts";

export const listRuns = defineList({
  id: "workflows.listRuns",
  path: "/v1/workflows/{workflow}/runs",
  listed: true,
  summary: "List a workflow's runs",
  description: "Newest first, without their steps. Filters narrow together.",
  params: WorkflowParams,
  filters: runFilters,
  item: WorkflowRun,
  example: { params: { workflow: "refund" }, item: exampleRun },
  permission: "workflows:read",
  load: (ctx, { workflow }) => findWorkflowName(ctx, workflow),
  narrowing: whole("lists runs of all versions, whatever agents they use"),
  compliance: governs("workflow.read"),
  audit: ({ params }) => `workflow:${params.workflow}`,
  read: (ctx, filter, page, { name }) => readPage(ctx, { ...filter, workflow: [name] }, page),
  position: ({ id }) => id,
  view: ({ view }) => view,
});
