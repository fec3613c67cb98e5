import { Type } from "typebox";
import { refuse } from "../../../../kernel/errors.ts";
import { permitAgents } from "../../../../kernel/narrowing.ts";
import { defineRead, governs } from "../../../../kernel/operation.ts";
import { notFound } from "../../../../kernel/problems.ts";
import { closed } from "../../../../kernel/schema-words.ts";
import { ordinal } from "../../../../kernel/whole-numbers.ts";
import { Workflow, WorkflowName } from "../../schemas.ts";
import { findVersion } from "../../versions/store.ts";
import { findingsOfRow } from "../checks.ts";
import { exampleWorkflow } from "../example.ts";
import { fileOf } from "../file.ts";
import { yamlType } from "../parser.ts";
import { workflowRevision, workflowView } from "../rules.ts";
import { findWorkflow } from "../store.ts";

export const readWorkflow = defineRead({
  id: "workflows.readWorkflow",
  path: "/v1/workflows/{workflow}",
  listed: true,
  summary: "Read a workflow",
  description:
    "Its draft, or by `version` one of its versions, with findings in the environment of the key. As a file (`Accept: application/yaml`) it is the text that was sent, " +
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
