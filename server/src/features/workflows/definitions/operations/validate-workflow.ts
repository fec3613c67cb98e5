import { Type } from "typebox";
import { defineOperation, exempt, governs } from "../../../../kernel/operation.ts";
import { draftSent, findingsOfDraft } from "../checks.ts";
import { exampleDefinition, exampleFinding } from "../example.ts";
import { sourceOf, yamlType } from "../parser.ts";
import { WorkflowCheck, WorkflowDraftBody, WorkflowName } from "../schemas.ts";
import { findWorkflow, type WorkflowRow } from "../store.ts";

export const validateWorkflow = defineOperation({
  id: "workflows.validateWorkflow",
  method: "POST",
  path: "/v1/workflows/{workflow}/validate",
  summary: "Check a workflow without saving it",
  description:
    "Says everything that is wrong: steps as a graph (unknown, unreachable, in a circle), expressions with their types, and calls of agents, skills, tools and workflows that the " +
    "environment of the key does not have or that do not fit. Takes a definition as JSON, as a text by `source`, or as a file (`Content-Type: application/yaml`); without any, it is the " +
    "saved draft. Nothing is refused and nothing is saved: a text that cannot be read is a finding as well.",
  params: Type.Object({ workflow: WorkflowName }),
  body: WorkflowDraftBody,
  reads: { [yamlType]: sourceOf },
  output: WorkflowCheck,
  example: {
    params: { workflow: exampleDefinition.workflow },
    body: {},
    output: { publishable: false, definition: exampleDefinition, findings: [exampleFinding] },
  },
  permission: "workflows:read",
  load: (ctx, { workflow }) => findWorkflow(ctx, workflow),
  gate: exempt("reads, makes no agent act"),
  decides: exempt("validates and stores nothing"),
  compliance: governs("workflow.read"),
  audit: ({ params }) => `workflow:${params.workflow}`,
  async handle(ctx, { body, loaded }: { body: WorkflowDraftBody; loaded: WorkflowRow }) {
    const { definition, findings } = await findingsOfDraft(ctx, draftSent(body, loaded), loaded.name);
    return { publishable: findings.every(({ severity }) => severity !== "error"), definition, findings: [...findings] };
  },
});
