import type { CallContext } from "../../../../kernel/context.ts";
import { refuse } from "../../../../kernel/errors.ts";
import { byBody } from "../../../../kernel/narrowing.ts";
import { defineOperation, exempt, governs } from "../../../../kernel/operation.ts";
import { findKnownAgent } from "../../../agents/public.ts";
import { datasetExists, refuseFaults, unknownAgent, unknownSkill } from "../../errors.ts";
import { exampleDataset, exampleItems } from "../../example.ts";
import { CreateDatasetBody, Dataset } from "../../schemas.ts";
import {
  coverageOf,
  type DecidedSet,
  datasetView,
  givenItem,
  itemFaults,
  namedTwice,
  nameItems,
  withDecided,
} from "../rules.ts";
import { findSkillSchemas, insertDataset, insertDatasetVersion, insertItems } from "../store.ts";

const { name, agent, skill, description } = exampleDataset;

export const createDataset = defineOperation({
  id: "evaluations.createDataset",
  method: "POST",
  path: "/v1/evaluations/datasets",
  status: 201,
  listed: true,
  summary: "Create a dataset",
  description:
    "Creates version 1 of a dataset for one skill of an agent. Inputs must fit the skill's input schema, and `expected` its output schema, as the draft has them. Datasets belong to the organization: every environment sees them. " +
    "One call takes at most 1,000 items; add further ones afterwards.",
  body: CreateDatasetBody,
  bounds: { values: 50_000 },
  output: Dataset,
  example: {
    body: { name, agent, skill, description, items: exampleItems },
    output: exampleDataset,
  },
  permission: "evaluations:write",
  load: exempt("names no object; the agent's name stands in the body"),
  narrowing: byBody("the agent in the body", (_ctx, { body }: { body: { agent: string } }) => [body.agent]),
  gate: exempt("makes no agent act"),
  decides: "training",
  compliance: governs("dataset.create", (ctx: CallContext, { body }: { body: { agent: string } }) => {
    const known = findKnownAgent(ctx, body.agent);
    return known ? { agent: { name: known.agent, labels: known.labels } } : {};
  }),
  audit: ({ output }) => (output ? `dataset:${output.dataset_id}` : "datasets"),
  errors: [datasetExists],
  validate: (_ctx, { body }) => namedTwice(body.items),
  async handle(ctx, { body }) {
    const { name, agent, skill, description = "", tags = [], note = "" } = body;
    if (!findKnownAgent(ctx, agent)) throw unknownAgent(agent);
    const schemas = await findSkillSchemas(ctx, agent, skill);
    if (!schemas) throw unknownSkill(agent);
    refuseFaults(itemFaults(body.items, schemas));
    const given = body.items.map((item) => givenItem(item));
    const items = nameItems(given, new Set());
    const id = ctx.newId("ds");
    const row = await insertDataset(ctx, { id, name, agent, skill, description, tags, coverage: coverageOf(items) });
    if (!row)
      throw refuse(datasetExists, `There is already a dataset ${name}. Add items to it, or choose another name.`);
    await insertDatasetVersion(ctx, id, { version: 1, note, added: items.length, replaced: 0, items });
    await insertItems(ctx, id, 1, items);
    return datasetView((await withDecided(ctx, [row]))[0] as DecidedSet);
  },
});
