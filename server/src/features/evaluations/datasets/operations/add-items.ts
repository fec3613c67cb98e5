import { Type } from "typebox";
import type { CallContext, WriteContext } from "../../../../kernel/context.ts";
import { type Fault, refuse } from "../../../../kernel/errors.ts";
import { defineOperation, exempt, governs } from "../../../../kernel/operation.ts";
import { insufficientScope, resultNotIntact } from "../../../../kernel/problems.ts";
import { storedJson } from "../../../../kernel/stored-json.ts";
import { findKnownAgent } from "../../../agents/public.ts";
import { intact, type SealedTask, sealedColumns, taskJson } from "../../../tasks/public.ts";
import { taskFeedbackRows, taskRows } from "../../../tasks/shared-rows.ts";
import { fault, invalid, refuseFaults } from "../../errors.ts";
import { exampleDataset, exampleItems } from "../../example.ts";
import { AddedItems, AddItemsBody, DATASET_LIMITS, DatasetRef } from "../../schemas.ts";
import {
  changedCoverage,
  type DecidedSet,
  datasetView,
  type GivenItem,
  givenItem,
  itemFaults,
  namedTwice,
  nameItems,
  withDecided,
} from "../rules.ts";
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
} from "../store.ts";

export const addItems = defineOperation({
  id: "evaluations.addItems",
  method: "POST",
  path: "/v1/evaluations/datasets/{dataset}/items",
  status: 201,
  listed: true,
  summary: "Add items to a dataset",
  description:
    "Creates the dataset's next version: the present items, those of the body, and those from completed tasks. An item with the name of a present one replaces it. " +
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

/** Throws all faults at once. */
async function givenItems(
  ctx: WriteContext,
  set: DatasetRow,
  { items = [], from_tasks = [], labels = [] }: AddItemsBody,
): Promise<GivenItem[]> {
  const schemas = await findSkillSchemas(ctx, set.agent, set.skill);
  const fromTasks =
    from_tasks.length > 0 ? await itemsOfTasks(ctx, set, from_tasks, labels) : { items: [], faults: [] };
  // An item made of a task has its own name, which the body may not give to another.
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

interface Row extends SealedTask {
  subject: string;
  /** JSON: the correction of the latest feedback. */
  correction: string | null;
  /** From 0 to 1 by the latest feedback, 1 if it accepts the output; null without any, or if it is older than the last retry. */
  outcome: number | null;
}

/** Makes items of completed tasks, with a fault for each task that cannot be one. The caller must be allowed to read them. Throws `result_not_intact` if a result was changed in the database. */
async function itemsOfTasks(
  ctx: WriteContext,
  dataset: DatasetRow,
  ids: readonly string[],
  labels: readonly string[],
): Promise<{ items: GivenItem[]; faults: Fault[] }> {
  if (ctx.principal.scopes !== null && !ctx.principal.scopes.includes("tasks:read")) {
    throw refuse(insufficientScope, "Making items of tasks reads them: the key needs the scope tasks:read as well.", {
      stage: "permissions",
      members: { missing_scope: "tasks:read" },
    });
  }
  const rows = new Map((await readTasks(ctx, ids)).map((row) => [row.id, intact(ctx, row)]));
  const items: GivenItem[] = [];
  const faults: Fault[] = [];
  ids.forEach((id, at) => {
    const row = rows.get(id);
    const wrong = row ? misfit(row, dataset) : "names no task of this environment";
    if (wrong !== undefined) faults.push({ pointer: `/from_tasks/${at}`, code: "not_an_item", detail: wrong });
    else items.push(itemOf(row as Row, ctx.scope.environment, labels));
  });
  return { items, faults };
}

/** A correction applies to the input, whichever run it was given after; acceptance and rating only to the output they were given for. */
async function readTasks(ctx: WriteContext, ids: readonly string[]): Promise<Row[]> {
  return ctx.db.query<Row>(
    `select ${sealedColumns("t")}, t.subject, f.correction, f.outcome from ${taskRows} t
     left join lateral (
       select f.correction, case when t.retried_at is null or f.created_at >= t.retried_at then f.outcome end as outcome from ${taskFeedbackRows} f
       where f.organization = t.organization and f.environment = t.environment and f.task_id = t.id
       order by f.id desc limit 1) f on true
     where t.organization = $1 and t.environment = $2 and t.id = any($3::text[])`,
    [ctx.scope.organization, ctx.scope.environment, ids],
  );
}

/** Why a task cannot be an item of the dataset. */
function misfit(row: Row, { agent, skill }: DatasetRow): string | undefined {
  if (row.agent !== agent || row.skill !== skill)
    return `is a task of ${row.agent}.${row.skill}; the set's items are inputs of ${agent}.${skill}`;
  if (row.status !== "completed") return `is ${row.status}; only a completed task says what came out`;
  if (row.correction === null && row.outcome !== null && row.outcome < 1)
    return "the latest feedback rejects it, or rates it as less than right, and does not say what is right; accept or correct it first";
  return undefined;
}

const correctionJson = storedJson<{ correction: Record<string, unknown> }>();

function itemOf(row: Row, environment: string, labels: readonly string[]): GivenItem {
  const { id, subject } = row;
  return {
    name: id,
    input: taskJson(row, "input"),
    expected: correctionJson(row, "correction") ?? taskJson(row, "output") ?? {},
    must_pass: false,
    cluster: null,
    labels,
    source: { environment, task: id, subject },
  };
}
