import { Type } from "typebox";
import { defineList } from "../../../../kernel/listing.ts";
import { governs } from "../../../../kernel/operation.ts";
import { exampleVersion } from "../../definitions/example.ts";
import { findWorkflow } from "../../definitions/store.ts";
import { WorkflowName, WorkflowVersionSummary } from "../../schemas.ts";
import { versionSummary } from "../rules.ts";
import { listVersions as readPage } from "../store.ts";

export const listVersions = defineList({
  id: "workflows.listVersions",
  path: "/v1/workflows/{workflow}/versions",
  summary: "List a workflow's versions",
  description: "Newest first.",
  params: Type.Object({ workflow: WorkflowName }),
  item: WorkflowVersionSummary,
  example: { params: { workflow: "refund" }, item: exampleVersion },
  permission: "workflows:read",
  load: (ctx, { workflow }) => findWorkflow(ctx, workflow),
  compliance: governs("workflow.read"),
  audit: "workflows",
  read: (ctx, _filter, page, { name }) => readPage(ctx, name, page),
  position: ({ number, id }) => ({ keys: [number], id }),
  view: versionSummary,
});
