import { Type } from "typebox";
import { defineOperation, exempt, governs } from "../../../../kernel/operation.ts";
import { conflict } from "../../../../kernel/problems.ts";
import { closed } from "../../../../kernel/schema-words.ts";
import { WorkflowRun } from "../../schemas.ts";
import { controlRun } from "../control.ts";
import { exampleRun } from "../example.ts";
import { aboutRun, loadRun, RunParams } from "../stages.ts";

export const compensateRun = defineOperation({
  id: "workflows.compensateRun",
  method: "POST",
  path: "/v1/workflows/{workflow}/runs/{run}/compensate",
  status: 202,
  summary: "Undo a run",
  description:
    "Undoes completed steps that say how, in reverse order of their completion, and goes on past one that cannot be undone. A run that is not over is cancelled first. " +
    "Of a run whose compensation failed, what is left is tried again.",
  params: RunParams,
  body: Type.Object(
    { reason: Type.Optional(Type.String({ maxLength: 2000, description: "Why, for the record." })) },
    closed,
  ),
  output: WorkflowRun,
  example: {
    params: { workflow: exampleRun.workflow, run: exampleRun.run_id },
    body: { reason: "The customer changed their mind." },
    output: { ...exampleRun, asked: "compensate" },
  },
  location: ({ workflow, run_id }) => `/v1/workflows/${workflow}/runs/${run_id}`,
  permission: "workflows:run",
  load: loadRun,
  gate: exempt("each call that undoes a step passes the gate of its agent"),
  decides: exempt("undoes steps with what the run holds; its reason is for people"),
  compliance: governs("workflow.control"),
  audit: aboutRun,
  errors: [conflict],
  async handle(ctx, { loaded, body }) {
    const { changes: _none, ...run } = await controlRun(ctx, loaded, { ...body, action: "compensate" });
    return run;
  },
});
