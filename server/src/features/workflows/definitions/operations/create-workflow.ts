import { refuse } from "../../../../kernel/errors.ts";
import { byBody } from "../../../../kernel/narrowing.ts";
import { defineOperation, exempt, governs } from "../../../../kernel/operation.ts";
import { workflowExists } from "../../errors.ts";
import { CreateWorkflowBody, Workflow } from "../../schemas.ts";
import { agentsIn, draftFaults, draftOf, findingsOfRow, readsFile } from "../checks.ts";
import { exampleDefinition, exampleDraft } from "../example.ts";
import { workflowRevision, workflowView } from "../rules.ts";
import { findWorkflow, insertWorkflow } from "../store.ts";

export const createWorkflow = defineOperation({
  id: "workflows.createWorkflow",
  method: "POST",
  path: "/v1/workflows",
  status: 201,
  listed: true,
  summary: "Create a workflow",
  description:
    "A draft: steps, triggers, input and limits, member by member as JSON, or as a file (`Content-Type: application/yaml`, or its text in `source`), whose comments are kept. " +
    "`findings` say what keeps it from being published; a draft may have any. Faults of a file's form carry line and column. Who creates it owns it.",
  body: CreateWorkflowBody,
  reads: readsFile,
  output: Workflow,
  example: { body: exampleDefinition, output: exampleDraft },
  location: ({ name }) => `/v1/workflows/${name}`,
  revision: workflowRevision,
  revisionOfPart: true,
  permission: "workflows:write",
  load: exempt("names no object; the workflow's name stands in the body"),
  narrowing: byBody("the agents that its steps name", agentsIn),
  gate: exempt("makes a draft; nothing acts"),
  decides: "workflow_version",
  compliance: governs("workflow.create"),
  audit: ({ output }) => (output ? `workflow:${output.name}` : "workflows"),
  errors: [workflowExists],
  validate: (_ctx, { body }) => draftFaults(body),
  async handle(ctx, { body }) {
    const draft = draftOf(body);
    const row = await insertWorkflow(ctx, draft);
    if (row) return workflowView(row, await findingsOfRow(ctx, row));
    const { workflow: name } = draft.definition;
    const archived = ((await findWorkflow(ctx, name))?.archived_at ?? null) === null ? "" : ", and it is archived";
    throw refuse(workflowExists, `There is a workflow ${name}${archived}. Change its draft, or choose another name.`);
  },
});
