import { Type } from "typebox";
import { byBody } from "../../../../kernel/narrowing.ts";
import { defineOperation, exempt, governs } from "../../../../kernel/operation.ts";
import { ReplaceWorkflowBody, WorkflowComparison, WorkflowName } from "../../schemas.ts";
import { agentsIn, draftFaults, draftOf, findingsOfDraft, readsFile } from "../checks.ts";
import { exampleDefinition } from "../example.ts";
import { diffDefinitions } from "../file.ts";
import { findWorkflow, type WorkflowRow } from "../store.ts";

export const compareDraft = defineOperation({
  id: "workflows.compareDraft",
  method: "POST",
  path: "/v1/workflows/{workflow}/compare",
  summary: "Compare the draft with a definition",
  description:
    "How the draft would change if it became what is sent, as JSON or as the workflow's file: what `aos workflows diff` shows. Checks what is sent like a change and changes nothing.",
  params: Type.Object({ workflow: WorkflowName }),
  body: ReplaceWorkflowBody,
  reads: readsFile,
  output: WorkflowComparison,
  example: {
    params: { workflow: "refund" },
    body: exampleDefinition,
    output: {
      summary: "no difference",
      identical: true,
      changes: [],
      findings: [],
      before_digest: "a".repeat(64),
      after_digest: "a".repeat(64),
    },
  },
  permission: "workflows:read",
  load: (ctx, { workflow }) => findWorkflow(ctx, workflow),
  narrowing: byBody("the agents that what is sent names", (ctx, { body }: { body: object; loaded: WorkflowRow }) =>
    agentsIn(ctx, { body }),
  ),
  gate: exempt("reads, makes no agent act"),
  decides: exempt("compares and stores nothing"),
  compliance: governs("workflow.read"),
  audit: ({ params }) => `workflow:${params.workflow}`,
  validate: (_ctx, { body, loaded }) => draftFaults(body, loaded.name),
  async handle(ctx, { body, loaded }) {
    const { definition, source } = draftOf(body);
    const { findings } = await findingsOfDraft(ctx, source ?? definition);
    return { ...diffDefinitions(loaded.draft, definition), findings: [...findings] };
  },
});
