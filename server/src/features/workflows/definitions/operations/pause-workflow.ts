import { Type } from "typebox";
import { defineOperation, exempt, governs } from "../../../../kernel/operation.ts";
import { PauseWorkflowBody, Workflow, WorkflowName } from "../../schemas.ts";
import { findingsOfRow } from "../checks.ts";
import { exampleWorkflow } from "../example.ts";
import { workflowView } from "../rules.ts";
import { findOwnWorkflow, lockWorkflow, setPause } from "../store.ts";

export const pauseWorkflow = defineOperation({
  id: "workflows.pauseWorkflow",
  method: "POST",
  path: "/v1/workflows/{workflow}/pause",
  summary: "Stop a workflow's triggers",
  description:
    "Its schedules, events and hooks start no run in the environment of the key; runs that are under way finish, and one that is asked for by name starts. Pausing again changes the reason.",
  params: Type.Object({ workflow: WorkflowName }),
  body: PauseWorkflowBody,
  output: Workflow,
  example: {
    params: { workflow: "refund" },
    body: { reason: "The shop is closed for stocktaking." },
    output: {
      ...exampleWorkflow,
      paused: true,
      pause: {
        reason: "The shop is closed for stocktaking.",
        since: "2026-11-20T10:00:00.000Z",
        by: exampleWorkflow.owner,
      },
    },
  },
  permission: "workflows:write",
  load: (ctx, { workflow }) => findOwnWorkflow(ctx, workflow),
  gate: exempt("stops work"),
  decides: exempt("stops a workflow; its reason is for people"),
  compliance: governs("workflow.control"),
  audit: ({ params }) => `workflow:${params.workflow}`,
  async handle(ctx, { loaded: { name }, body: { reason } }) {
    await lockWorkflow(ctx, name);
    const row = await setPause(ctx, name, reason);
    return workflowView(row, await findingsOfRow(ctx, row));
  },
});
