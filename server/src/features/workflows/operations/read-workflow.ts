import { Type } from "typebox";
import { refuse } from "../../../kernel/errors.ts";
import { permitAgents } from "../../../kernel/narrowing.ts";
import { defineRead, governs } from "../../../kernel/operation.ts";
import { notFound } from "../../../kernel/problems.ts";
import { closed } from "../../../kernel/schema-words.ts";
import { ordinal } from "../../../kernel/whole-numbers.ts";
import { fileOf } from "../definition-file.ts";
import { workflowRevision, workflowView } from "../definition-model.ts";
import { findWorkflow } from "../definition-store.ts";
import { exampleWorkflow } from "../definitions-example.ts";
import { yamlType } from "../file.ts";
import { findingsOfRow } from "../findings.ts";
import { Workflow, WorkflowName } from "../schemas.ts";
import { findVersion } from "../version-store.ts";

export const readWorkflow = defineRead({
  id: "workflows.readWorkflow",
  path: "/v1/workflows/{workflow}",
  listed: true,
  summary: "Read a workflow",
  description:
    "Its draft, or by `version` what one of its versions says, with findings as the environment of the key stands. As a file (`Accept: application/yaml`) it is the text that was sent, " +
    "with its comments, or the definition written as one; POST /v1/workflows and PUT read it back without loss.",
  params: Type.Object({ workflow: WorkflowName }),
  query: Type.Object({ version: Type.Optional(ordinal("The version to read instead of the draft.")) }, closed),
  output: Workflow,
  writes: { [yamlType]: { etag: "yaml", write: ({ draft, source }) => fileOf(draft, source) } },
  example: { params: { workflow: "refund" }, output: exampleWorkflow },
  revision: workflowRevision,
  revisionOfPart: true,
  permission: "workflows:read",
  load: (ctx, { workflow }) => findWorkflow(ctx, workflow),
  compliance: governs("workflow.read"),
  audit: ({ params }) => `workflow:${params.workflow}`,
  async handle(ctx, { query: { version: number }, loaded }) {
    if (number === undefined) return workflowView(loaded, await findingsOfRow(ctx, loaded));
    const version = await findVersion(ctx, loaded.name, number);
    if (!version) throw refuse(notFound, `There is no version ${number} of ${loaded.name}.`);
    permitAgents(ctx.principal, version.agents);
    const shown = { ...loaded, draft: version.definition, source: version.source };
    return { ...workflowView(shown, await findingsOfRow(ctx, shown)), version: number };
  },
});
