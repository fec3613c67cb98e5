import { graphOf, mermaidOf } from "@aos/workflow";
import { Type } from "typebox";
import { refuse } from "../../../../kernel/errors.ts";
import { defineRead, governs } from "../../../../kernel/operation.ts";
import { notFound } from "../../../../kernel/problems.ts";
import { findVersion } from "../../versions/store.ts";
import { exampleDefinition } from "../example.ts";
import { graphQuery, WorkflowGraph, WorkflowName } from "../schemas.ts";
import { findWorkflow, type WorkflowRow } from "../store.ts";

export const readWorkflowGraph = defineRead({
  id: "workflows.readWorkflowGraph",
  path: "/v1/workflows/{workflow}/graph",
  summary: "Read a workflow as a graph",
  description:
    "Nodes and edges of the draft, or of a version by `version`. As a picture (`Accept: text/vnd.mermaid`) it is a flowchart in Mermaid, which many tools draw.",
  params: Type.Object({ workflow: WorkflowName }),
  query: graphQuery,
  output: WorkflowGraph,
  writes: { "text/vnd.mermaid": { etag: "mermaid", write: mermaidOf } },
  example: {
    params: { workflow: exampleDefinition.workflow },
    output: { workflow: exampleDefinition.workflow, version: null, ...graphOf(exampleDefinition) },
  },
  permission: "workflows:read",
  load: (ctx, { workflow }) => findWorkflow(ctx, workflow),
  compliance: governs("workflow.read", (_ctx, _given: { loaded: WorkflowRow }) => ({})),
  audit: ({ params }) => `workflow:${params.workflow}`,
  async handle(ctx, { query, loaded: { name, draft } }) {
    if (query.version === undefined) return { workflow: name, version: null, ...graphOf(draft) };
    const version = await findVersion(ctx, name, query.version);
    if (!version) throw refuse(notFound, `There is no version ${query.version} of ${name}.`);
    return { workflow: name, version: version.number, ...graphOf(version.definition) };
  },
});
