import { Type } from "typebox";
import { defineOperation, exempt, governs } from "../../../../kernel/operation.ts";
import { Workflow, WorkflowName } from "../../schemas.ts";
import { findingsOfRow } from "../checks.ts";
import { exampleWorkflow } from "../example.ts";
import { workflowView } from "../rules.ts";
import { endPause, findOwnWorkflow, lockWorkflow } from "../store.ts";

export const resumeWorkflow = defineOperation({
  id: "workflows.resumeWorkflow",
  method: "POST",
  path: "/v1/workflows/{workflow}/resume",
  summary: "Let a paused workflow's triggers start runs again",
  description: "Of a workflow that is not paused in the environment of the key, nothing changes.",
  params: Type.Object({ workflow: WorkflowName }),
  output: Workflow,
  example: { params: { workflow: "refund" }, output: exampleWorkflow },
  permission: "workflows:write",
  load: (ctx, { workflow }) => findOwnWorkflow(ctx, workflow),
  gate: exempt("each step asks the gate itself"),
  decides: exempt("lets the workflow's triggers start runs as they are"),
  compliance: governs("workflow.control"),
  audit: ({ params }) => `workflow:${params.workflow}`,
  async handle(ctx, { loaded: { name } }) {
    await lockWorkflow(ctx, name);
    const row = await endPause(ctx, name);
    return workflowView(row, await findingsOfRow(ctx, row));
  },
});
