import { Type } from "typebox";
import { refuse } from "../../../../kernel/errors.ts";
import { byBody } from "../../../../kernel/narrowing.ts";
import { defineOperation, exempt, governs } from "../../../../kernel/operation.ts";
import { staleRevision } from "../../../../kernel/problems.ts";
import { workflowArchived } from "../../errors.ts";
import { ReplaceWorkflowBody, Workflow, WorkflowName } from "../../schemas.ts";
import { agentsIn, draftFaults, draftOf, findingsOfRow, readsFile } from "../checks.ts";
import { exampleDefinition, exampleWorkflow } from "../example.ts";
import { digestOf, workflowRevision, workflowView } from "../rules.ts";
import { findOwnWorkflow, updateDraft, type WorkflowRow } from "../store.ts";

export const replaceDraft = defineOperation({
  id: "workflows.replaceDraft",
  method: "PUT",
  path: "/v1/workflows/{workflow}",
  listed: true,
  summary: "Replace a workflow's draft",
  description:
    "The whole draft, as JSON or as a file (`Content-Type: application/yaml`, or its text in `source`), whose comments are kept; what it leaves out is taken away. Answers `findings`: " +
    "a draft with errors is saved, and cannot be published. Versions that were published never change. A draft that says the same leaves the revision as it is. " +
    "The ETag of either representation serves as If-Match.",
  params: Type.Object({ workflow: WorkflowName }),
  body: ReplaceWorkflowBody,
  reads: readsFile,
  output: Workflow,
  example: { params: { workflow: "refund" }, body: exampleDefinition, output: { ...exampleWorkflow, revision: 5 } },
  revision: workflowRevision,
  revisionOfPart: true,
  ifMatch: workflowRevision,
  permission: "workflows:write",
  load: (ctx, { workflow }) => findOwnWorkflow(ctx, workflow),
  narrowing: byBody(
    "the agents that the draft names, before and after",
    (ctx, { body, loaded }: { body: object; loaded: WorkflowRow }) => [...agentsIn(ctx, { body }), ...loaded.agents],
  ),
  gate: exempt("changes the draft only; nothing acts by it"),
  decides: "workflow_version",
  compliance: governs("workflow.change"),
  audit: ({ params }) => `workflow:${params.workflow}`,
  errors: [workflowArchived],
  validate: (_ctx, { body, loaded }) => draftFaults(body, loaded.name),
  async handle(ctx, { body, loaded }) {
    const draft = draftOf(body);
    const isSame = loaded.source === draft.source && digestOf(loaded.draft) === digestOf(draft.definition);
    if (loaded.archived_at === null && isSame) return workflowView(loaded, await findingsOfRow(ctx, loaded));
    const row = await updateDraft(ctx, draft, loaded);
    if (row) return workflowView(row, await findingsOfRow(ctx, row));
    if (((await findOwnWorkflow(ctx, loaded.name))?.archived_at ?? null) !== null)
      throw refuse(workflowArchived, `${loaded.name} is archived; its draft does not change any more.`);
    throw refuse(
      staleRevision,
      "It was changed since you read it; read it again and repeat the change on what is there now.",
    );
  },
});
