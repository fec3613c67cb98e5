import { Type } from "typebox";
import type { CallContext, WriteContext } from "../../../kernel/context.ts";
import type { Fault } from "../../../kernel/errors.ts";
import { defineOperation, exempt, governs } from "../../../kernel/operation.ts";
import { insufficientScope, resultNotIntact } from "../../../kernel/problems.ts";
import { findKnownAgent } from "../../agents/public.ts";
import { type DecidedSet, withDecided } from "../dataset-content.ts";
import {
  changedCoverage,
  datasetView,
  type GivenItem,
  givenItem,
  itemFaults,
  namedTwice,
  nameItems,
} from "../dataset-model.ts";
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
import { fault, invalid, refuseFaults } from "../errors.ts";
import { exampleDataset, exampleItems } from "../example.ts";
import { AddedItems, AddItemsBody, DATASET_LIMITS, DatasetRef } from "../schemas.ts";
import { itemsOfTasks } from "../task-items.ts";

export const addItems = defineOperation({
  id: "evaluations.addItems",
  method: "POST",
  path: "/v1/evaluations/datasets/{dataset}/items",
  status: 201,
  listed: true,
  summary: "Add items to a dataset",
  description:
    "Creates the dataset's next version: the present items, those of the body, and those made of completed tasks. An item with the name of a present one replaces it. " +
    "Earlier versions and runs over them do not change. A gate judges by the version that it pins until it is set again in its environment.",
  params: Type.Object({ dataset: DatasetRef }),
  body: AddItemsBody,
  bounds: { values: 50_000 },
  output: AddedItems,
  example: {
    params: { dataset: exampleDataset.dataset_id },
    body: { items: exampleItems, note: "Two cases of a reseller." },
    output: { ...exampleDataset, version: 2, added: 2, replaced: 0, items: ["reseller-1", "reseller-2"] },
  },
  permission: "evaluations:write",
  load: (ctx, { dataset }) => findDataset(ctx, dataset),
  gate: exempt("makes no agent act"),
  decides: "training",
  compliance: governs("dataset.change", (ctx: CallContext, { loaded }: { loaded: DatasetRow }) => ({
    agent: { name: loaded.agent, labels: findKnownAgent(ctx, loaded.agent)?.labels ?? [] },
  })),
  audit: ({ params, loaded }) => `dataset:${loaded?.id ?? params.dataset}`,
  errors: [insufficientScope, resultNotIntact],
  validate: (_ctx, { body }) =>
    body.items === undefined && body.from_tasks === undefined
      ? [fault("", "nothing_to_add", "adds nothing: give it `items`, `from_tasks` or both")]
      : namedTwice(body.items),
  async handle(ctx, { loaded, body }) {
    const set = await lockDataset(ctx, loaded.id);
    const given = await givenItems(ctx, set, body);
    const names = given.flatMap(({ name }) => name ?? []);
    const items = nameItems(given, await readTakenNames(ctx, set, names, set.coverage.items), set.coverage.items);
    const gone = names.length === 0 ? [] : await readItems(ctx, set.id, set.version, names);
    const [version, replaced, added] = [set.version + 1, gone.length, items.length - gone.length];
    await insertItems(ctx, set.id, version, items);
    const now = await countItems(ctx, set.id, version);
    if (now.items > DATASET_LIMITS.items) throw invalid([tooMany(now.items)]);
    const coverage = changedCoverage(set.coverage, { replaced: gone, items, clusters: now.clusters });
    const row = await setPresentVersion(ctx, set.id, version, coverage);
    await insertDatasetVersion(ctx, set.id, { version, note: body.note ?? "", added, replaced, items });
    const [shown] = await withDecided(ctx, [row]);
    return { ...datasetView(shown as DecidedSet), added, replaced, items: items.map(({ name }) => name) };
  },
});

/** The items of the body and those of its tasks. Throws all their faults at once. */
async function givenItems(
  ctx: WriteContext,
  set: DatasetRow,
  { items = [], from_tasks = [], labels = [] }: AddItemsBody,
): Promise<GivenItem[]> {
  const schemas = await findSkillSchemas(ctx, set.agent, set.skill);
  const fromTasks =
    from_tasks.length > 0 ? await itemsOfTasks(ctx, set, from_tasks, labels) : { items: [], faults: [] };
  // A task becomes an item of its own name, which the body may not give to another.
  const twice = items.flatMap(({ item }, at) =>
    item !== undefined && from_tasks.includes(item)
      ? [fault(`/items/${at}/item`, "item_twice", "is also the name of a task in `from_tasks`")]
      : [],
  );
  refuseFaults([...(schemas ? itemFaults(items, schemas) : []), ...fromTasks.faults, ...twice]);
  return [...items.map((item) => givenItem(item, labels)), ...fromTasks.items];
}

const tooMany = (items: number): Fault => {
  const most = DATASET_LIMITS.items.toLocaleString("en-US");
  return fault(
    "/items",
    "too_many_items",
    `would make ${items} items; a dataset has at most ${most}, so begin another`,
  );
};
