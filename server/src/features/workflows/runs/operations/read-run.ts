import { Type } from "typebox";
import { defineRead, governs } from "../../../../kernel/operation.ts";
import { WorkflowRunDetail } from "../../schemas.ts";
import { exampleRun, exampleRunStep } from "../example.ts";
import { aboutRun, loadRun, RunParams } from "../stages.ts";
import { readRunDetail } from "../view.ts";

export const readRun = defineRead({
  id: "workflows.readRun",
  path: "/v1/workflows/{workflow}/runs/{run}",
  listed: true,
  summary: "Read a run with its steps",
  description: "Each step with its state, what it was called with, what it came to, its task and its cost.",
  params: RunParams,
  query: Type.Object(
    { steps_after: Type.Optional(Type.String({ description: "`steps_after` of the answer before." })) },
    { additionalProperties: false },
  ),
  output: WorkflowRunDetail,
  example: {
    params: { workflow: exampleRun.workflow, run: exampleRun.run_id },
    output: { ...exampleRun, steps: [exampleRunStep], steps_after: null },
  },
  permission: "workflows:read",
  load: loadRun,
  compliance: governs("workflow.read"),
  audit: aboutRun,
  handle: (ctx, { loaded: { run, plan }, query }) => readRunDetail(ctx, run, plan, query.steps_after),
});
