import { Type } from "typebox";
import { defineList } from "../../../kernel/listing.ts";
import { governs } from "../../../kernel/operation.ts";
import { findWorkflow } from "../definition-store.ts";
import { WorkflowName } from "../definitions-schemas.ts";
import { exampleTrigger } from "../trigger-example.ts";
import { listTriggers as readTriggers } from "../trigger-store.ts";
import { triggerView } from "../trigger-view.ts";
import { WorkflowTrigger } from "../triggers-schemas.ts";

export const listTriggers = defineList({
  id: "workflows.listTriggers",
  path: "/v1/workflows/{workflow}/triggers",
  summary: "List what starts runs of a workflow",
  description:
    "Schedules, events and inbound hooks in the environment of the key, newest first: those of the live version, and those that were added. " +
    "`last_error` says why one last failed to start a run.",
  params: Type.Object({ workflow: WorkflowName }),
  item: WorkflowTrigger,
  example: { params: { workflow: "refund" }, item: exampleTrigger },
  permission: "workflows:read",
  load: (ctx, { workflow }) => findWorkflow(ctx, workflow),
  compliance: governs("workflow.read"),
  audit: ({ params }) => `workflow:${params.workflow}`,
  read: (ctx, _filter, page, { name }) => readTriggers(ctx, name, page),
  position: ({ id }) => id,
  view: triggerView,
});
