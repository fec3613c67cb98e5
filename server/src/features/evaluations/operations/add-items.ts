import { Type } from "typebox";
import type { CallContext, WriteContext } from "../../../kernel/context.ts";
import type { Fault } from "../../../kernel/errors.ts";
import { defineOperation, exempt, governs } from "../../../kernel/operation.ts";
import { insufficientScope, resultNotIntact } from "../../../kernel/problems.ts";
import { findKnownAgent } from "../../agents/public.ts";
import { changedCoverage, datasetView, type GivenItem, givenItem, namedTwice, nameItems } from "../dataset-model.ts";
import {
  countItems,
  type DatasetRow,
  findDataset,
  findSkillSchemas,
  insertDatasetVersion,
  insertItems,
  lockDataset,
  readItems,
  readTakenNames,
  setPresentVersion,
} from "../dataset-store.ts";
import { exampleDataset, exampleItems } from "../example.ts";
import { itemFaults } from "../item-faults.ts";
import { AddedItems, AddItemsBody, DATASET_LIMITS, DatasetRef } from "../schemas.ts";
import { itemsOfTasks } from "../task-items.ts";
import { invalid } from "./create-dataset.ts";

export const addItems = defineOperation({
  id: "evaluations.addItems",
  method: "POST",
  path: "/v1/evaluations/datasets/{dataset}/items",
  status: 201,
  listed: true,
  summary: "Add items to a dataset",
  description:
    "Makes the set's next version: the present items, those of the body, and those made of completed tasks. An item that has the name of a present one takes its place. " +
    "Earlier versions stay what they were, and so do runs over them. A gate judges by the version that it pins until it is set again in its environment.",
  params: Type.Object({ dataset: DatasetRef }),
  body: AddItemsBody,
  output: AddedItems,
  example: {
    params: { dataset: exampleDataset.dataset_id },
    body: { items: exampleItems, note: "Two cases of a reseller." },
    output: { ...exampleDataset, version: 2, added: 2, replaced: 0, items: ["reseller-1", "reseller-2"] },
  },
  permission: "evaluations:write",
  load: (ctx, { dataset }) => findDataset(ctx, dataset),
  gate: exempt("makes no agent act"),
  compliance: governs("dataset.change", (ctx: CallContext, { loaded }: { loaded: DatasetRow }) => ({
    agent: { name: loaded.agent, labels: findKnownAgent(ctx, loaded.agent)?.labels ?? [] },
  })),
  audit: ({ params, loaded }) => `dataset:${loaded?.id ?? params.dataset}`,
  errors: [insufficientScope, resultNotIntact],
  validate: (_ctx, { body }) =>
    body.items === undefined && body.from_tasks === undefined
      ? [{ pointer: "", code: "nothing_to_add", detail: "adds nothing: give it `items`, `from_tasks` or both" }]
      : namedTwice(body.items),
  async handle(ctx, { loaded, body }) {
    const set = await lockDataset(ctx, loaded.id);
    const given = await givenItems(ctx, set, body);
    const { organization } = ctx.scope;
    const names = given.flatMap(({ name }) => name ?? []);
    const taken = await readTakenNames(ctx.db, organization, set, names, set.coverage.items);
    const items = nameItems(given, taken, set.coverage.items);
    const replaced = names.length === 0 ? [] : await readItems(ctx.db, organization, set.id, set.version, names);
    const [version, added] = [set.version + 1, items.length - replaced.length];
    await insertItems(ctx, set.id, version, items);
    const now = await countItems(ctx.db, organization, set.id, version);
    if (now.items > DATASET_LIMITS.items) throw invalid([tooMany(now.items)]);
    await setPresentVersion(
      ctx,
      set.id,
      version,
      changedCoverage(set.coverage, { replaced, items, clusters: now.clusters }),
    );
    await insertDatasetVersion(ctx, set.id, { version, note: body.note ?? "", added, replaced: replaced.length });
    const row = await findDataset(ctx, set.id);
    return {
      ...datasetView(row as DatasetRow),
      added,
      replaced: replaced.length,
      items: items.map(({ name }) => name),
    };
  },
});

/** The items of the body and those of its tasks; all that is wrong with them is told at once. */
async function givenItems(
  ctx: WriteContext,
  set: DatasetRow,
  { items = [], from_tasks, labels = [] }: AddItemsBody,
): Promise<GivenItem[]> {
  const schemas = await findSkillSchemas(ctx, set.agent, set.skill);
  const faults = schemas ? itemFaults(items, schemas) : [];
  const fromTasks = from_tasks ? await itemsOfTasks(ctx, set, from_tasks, labels) : { items: [], faults: [] };
  const all = [...items.map((item) => givenItem(item, labels)), ...fromTasks.items];
  const wrong = [...faults, ...fromTasks.faults, ...twiceInAll(items, from_tasks ?? [])];
  if (wrong.length > 0) throw invalid(wrong);
  return all;
}

/** A task becomes an item of its own name; the body may not give that name to another. */
function twiceInAll(items: NonNullable<AddItemsBody["items"]>, tasks: readonly string[]): Fault[] {
  return items.flatMap(({ item }, at) =>
    item !== undefined && tasks.includes(item)
      ? [{ pointer: `/items/${at}/item`, code: "item_twice", detail: "is the name of a task in `from_tasks` too" }]
      : [],
  );
}

const tooMany = (items: number): Fault => ({
  pointer: "/items",
  code: "too_many_items",
  detail: `would make ${items} items; a set has ${DATASET_LIMITS.items.toLocaleString("en-US")} at most, so begin another one`,
});
