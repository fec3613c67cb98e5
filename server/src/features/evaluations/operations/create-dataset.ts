import type { CallContext, WriteContext } from "../../../kernel/context.ts";
import { refuse } from "../../../kernel/errors.ts";
import { byBody } from "../../../kernel/narrowing.ts";
import { defineOperation, exempt, governs } from "../../../kernel/operation.ts";
import { invalidBody } from "../../../kernel/problems.ts";
import { findKnownAgent } from "../../agents/public.ts";
import { coverageOf, datasetView, givenItem, namedTwice, nameItems } from "../dataset-model.ts";
import {
  type DatasetRow,
  findDataset,
  findSkillSchemas,
  insertDataset,
  insertDatasetVersion,
  insertItems,
} from "../dataset-store.ts";
import { datasetExists } from "../errors.ts";
import { exampleDataset, exampleItems } from "../example.ts";
import { itemFaults } from "../item-faults.ts";
import { CreateDatasetBody, Dataset } from "../schemas.ts";

export const createDataset = defineOperation({
  id: "evaluations.createDataset",
  method: "POST",
  path: "/v1/evaluations/datasets",
  status: 201,
  listed: true,
  summary: "Create a dataset",
  description:
    "Makes version 1 of a set of cases of one skill of an agent. Their inputs must fit the skill's input schema, and what `expected` says its output schema, as the draft has them. Sets belong to the organization: every environment sees them. " +
    "One call takes 1,000 items; further ones are added.",
  body: CreateDatasetBody,
  output: Dataset,
  example: {
    body: {
      name: exampleDataset.name,
      agent: exampleDataset.agent,
      skill: exampleDataset.skill,
      description: exampleDataset.description,
      items: exampleItems,
    },
    output: exampleDataset,
  },
  permission: "evaluations:write",
  load: exempt("names no object; the agent's name stands in the body"),
  narrowing: byBody("the agent in the body", (_ctx, { body }: { body: { agent: string } }) => [body.agent]),
  gate: exempt("makes no agent act"),
  compliance: governs("dataset.create", (ctx: CallContext, { body }: { body: { agent: string } }) => {
    const known = findKnownAgent(ctx, body.agent);
    return known ? { agent: { name: known.agent, labels: known.labels } } : {};
  }),
  audit: ({ output }) => (output ? `dataset:${output.dataset_id}` : "datasets"),
  errors: [datasetExists],
  validate: (_ctx, { body }) => namedTwice(body.items),
  async handle(ctx, { body }) {
    await checkItems(ctx, body);
    const items = nameItems(
      body.items.map((item) => givenItem(item)),
      new Set(),
    );
    const { name, agent, skill, description = "", tags = [], note = "" } = body;
    const id = ctx.newId("ds");
    if (!(await insertDataset(ctx, { id, name, agent, skill, description, tags, coverage: coverageOf(items) }))) {
      throw refuse(datasetExists, `There is a dataset ${name}; add to it, or choose another name.`);
    }
    await insertDatasetVersion(ctx, id, { version: 1, note, added: items.length, replaced: 0 });
    await insertItems(ctx, id, 1, items);
    return datasetView((await findDataset(ctx, id)) as DatasetRow);
  },
});

/** The agent and its skill exist, and the items fit the skill. */
async function checkItems(ctx: WriteContext, { agent, skill, items }: CreateDatasetBody): Promise<void> {
  if (!findKnownAgent(ctx, agent))
    throw invalid([{ pointer: "/agent", code: "unknown_agent", detail: `names no agent; there is no ${agent}` }]);
  const schemas = await findSkillSchemas(ctx, agent, skill);
  if (!schemas)
    throw invalid([
      {
        pointer: "/skill",
        code: "unknown_skill",
        detail: `names no skill of ${agent}, neither of its draft nor of a version`,
      },
    ]);
  const faults = itemFaults(items, schemas);
  if (faults.length > 0) throw invalid(faults);
}

/** Says no to a body whose faults only what is stored could tell. */
export function invalid(errors: NonNullable<Parameters<typeof refuse>[2]>["errors"] & object): Error {
  const [first] = errors;
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : "";
  return refuse(invalidBody, `${first?.pointer}: ${first?.detail}${more}`, { errors: errors.slice(0, 100) });
}
