import { planOf } from "@aos/workflow";
import { Type } from "typebox";
import { refuse } from "../../../kernel/errors.ts";
import { defineOperation, exempt, governs } from "../../../kernel/operation.ts";
import { invalidBody, notFound } from "../../../kernel/problems.ts";
import { findingsOfDraft } from "../checks.ts";
import { exampleDefinition } from "../checks-example.ts";
import { TestWorkflowBody, WorkflowTrial } from "../checks-schemas.ts";
import { findWorkflow, type WorkflowRow } from "../definition-store.ts";
import { WorkflowName } from "../definitions-schemas.ts";
import { tried } from "../trial.ts";
import { findVersion } from "../version-store.ts";

export const testWorkflow = defineOperation({
  id: "workflows.testWorkflow",
  method: "POST",
  path: "/v1/workflows/{workflow}/test",
  summary: "Try a workflow without doing anything",
  description:
    "Runs the draft, a version, or what is sent, in memory: steps answer what the body gives for them, waits take no time, and nothing outside happens. Shows the path, " +
    "what each step would have called, and where it stops because something was not given. `step` tries one step alone.",
  params: Type.Object({ workflow: WorkflowName }),
  body: TestWorkflowBody,
  bounds: { values: 20_000 },
  output: WorkflowTrial,
  example: {
    params: { workflow: exampleDefinition.workflow },
    body: { input: { message: "Where is my order?" }, outputs: { judge: { amount: 20 }, pay: { id: "rf_1" } } },
    output: {
      status: "completed",
      path: [{ step: "judge", status: "completed", attempt: 1, at: 0, output: { amount: 20 } }],
      missing: [],
      findings: [],
    },
  },
  permission: "workflows:read",
  load: (ctx, { workflow }) => findWorkflow(ctx, workflow),
  gate: exempt("calls nothing; steps answer what the body gives"),
  decides: exempt("tries steps without effect and stores nothing"),
  compliance: governs("workflow.read"),
  audit: ({ params }) => `workflow:${params.workflow}`,
  async handle(ctx, { body, loaded }: { body: TestWorkflowBody; loaded: WorkflowRow }) {
    const { definition: sent, source, version: number } = body;
    if ([sent, source, number].filter((one) => one !== undefined).length > 1)
      throw refuse(invalidBody, "Give one of definition, source and version, or none for the saved draft.", {
        errors: [{ pointer: "", code: "not_together", detail: "has more than one of definition, source and version" }],
      });
    const version = number === undefined ? undefined : await findVersion(ctx, loaded.name, number);
    if (number !== undefined && !version) throw refuse(notFound, `There is no version ${number} of ${loaded.name}.`);
    const named = sent && { workflow: loaded.name, ...sent };
    const draft =
      source ?? version?.definition ?? (named as typeof loaded.draft | undefined) ?? loaded.source ?? loaded.draft;
    const { definition, findings } = await findingsOfDraft(ctx, draft, loaded.name);
    const { step } = body;
    if (definition && step !== undefined && !planOf(definition).byId.has(step))
      throw refuse(invalidBody, `/step: There is no step ${step} in it.`, {
        errors: [{ pointer: "/step", code: "unknown_step", detail: `names ${step}, which is no step of it` }],
      });
    return tried(ctx, definition, findings, body);
  },
});
