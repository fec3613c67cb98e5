import { Type } from "typebox";
import type { ReadContext } from "../../../../kernel/context.ts";
import { refuse } from "../../../../kernel/errors.ts";
import { defineRead, governs } from "../../../../kernel/operation.ts";
import { notFound } from "../../../../kernel/problems.ts";
import { closed } from "../../../../kernel/schema-words.ts";
import { ordinal } from "../../../../kernel/whole-numbers.ts";
import { exampleDefinition, exampleVersion } from "../../definitions/example.ts";
import { diffDefinitions, fileOf } from "../../definitions/file.ts";
import { yamlType } from "../../definitions/parser.ts";
import { findWorkflow } from "../../definitions/store.ts";
import { WorkflowName, WorkflowVersion } from "../../schemas.ts";
import { versionView } from "../rules.ts";
import { findVersion, type VersionRow } from "../store.ts";

/** The column holds whole numbers below 2^31. */
const possibleNumber = /^[1-9][0-9]{0,8}$/;

export const readVersion = defineRead({
  id: "workflows.readVersion",
  path: "/v1/workflows/{workflow}/versions/{version}",
  summary: "Read a version of a workflow",
  description:
    "A version, and by `against` how it differs from another one, field by field: steps are matched by id. As a file (`Accept: application/yaml`) it can be made the draft again.",
  params: Type.Object({ workflow: WorkflowName, version: Type.String({ description: "The number of the version." }) }),
  query: Type.Object({ against: Type.Optional(ordinal("The version to compare with, by its number.")) }, closed),
  output: WorkflowVersion,
  writes: { [yamlType]: { etag: "yaml", write: ({ definition, source }) => fileOf(definition, source) } },
  example: {
    params: { workflow: "refund", version: "2" },
    output: { ...exampleVersion, definition: exampleDefinition, pinned: {}, diff: null },
  },
  permission: "workflows:read",
  load: loadVersion,
  compliance: governs("workflow.read"),
  audit: ({ params, loaded }) => (loaded ? `version:${loaded.id}` : `workflow:${params.workflow}`),
  async handle(ctx, { query: { against }, loaded }) {
    if (against === undefined) return { ...versionView(loaded), diff: null };
    const other = await findVersion(ctx, loaded.workflow, against);
    if (!other) throw refuse(notFound, `There is no version ${against} of ${loaded.workflow} to compare with.`);
    return { ...versionView(loaded), diff: { against, ...diffDefinitions(other.definition, loaded.definition) } };
  },
});

async function loadVersion(
  ctx: ReadContext,
  { workflow, version }: { workflow: string; version: string },
): Promise<VersionRow | undefined> {
  if (!possibleNumber.test(version) || !(await findWorkflow(ctx, workflow))) return undefined;
  return findVersion(ctx, workflow, Number(version));
}
