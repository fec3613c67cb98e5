import { Type } from "typebox";
import { refuse } from "../../../kernel/errors.ts";
import { defineOperation, exempt, governs } from "../../../kernel/operation.ts";
import { conflict } from "../../../kernel/problems.ts";
import { findWorkflow } from "../definition-store.ts";
import { WorkflowName } from "../definitions-schemas.ts";
import { exampleTrigger } from "../trigger-example.ts";
import { findTrigger, removeTriggers } from "../trigger-store.ts";
import { RemovedWorkflowTrigger, WorkflowTriggerId } from "../triggers-schemas.ts";

export const removeTrigger = defineOperation({
  id: "workflows.removeTrigger",
  method: "DELETE",
  path: "/v1/workflows/{workflow}/triggers/{trigger}",
  summary: "Remove a trigger that was added",
  description:
    "It starts no further run; runs that it has started go on. A trigger of the live version is removed by publishing a version without it.",
  params: Type.Object({ workflow: WorkflowName, trigger: WorkflowTriggerId }),
  output: RemovedWorkflowTrigger,
  example: {
    params: { workflow: exampleTrigger.workflow, trigger: exampleTrigger.trigger_id },
    output: { trigger_id: exampleTrigger.trigger_id, removed: true },
  },
  permission: "workflows:write",
  async load(ctx, { workflow, trigger }) {
    const [found, row] = [await findWorkflow(ctx, workflow), await findTrigger(ctx, trigger)];
    return found && row?.workflow === found.name ? { row, agents: found.agents } : undefined;
  },
  gate: exempt("makes no agent act"),
  decides: exempt("removes a trigger; starts nothing"),
  compliance: governs("workflow.trigger"),
  audit: ({ params }) => `workflow:${params.workflow}`,
  errors: [conflict],
  async handle(ctx, { loaded: { row } }) {
    if (row.origin === "version")
      throw refuse(
        conflict,
        "The trigger stands in the live version: publish a version without it, or pause the workflow.",
      );
    await removeTriggers(ctx, [row.id]);
    return { trigger_id: row.id, removed: true as const };
  },
});
