import { type Static, Type } from "typebox";
import { Count, closed, decidedMembers, Time } from "../../../kernel/schema-words.ts";
import { AgentName } from "../../agents/schemas.ts";

/** Limits of one call and of a dataset. */
export const DATASET_LIMITS = { itemsOfCall: 1000, tasksOfCall: 500, items: 100_000, tags: 20, labels: 20 } as const;

/** A dataset is named by id or by name. */
export const DatasetRef = Type.String({
  minLength: 1,
  maxLength: 64,
  description: "The dataset, by its id (`ds_…`) or its name.",
});
export const DatasetId = Type.String({ description: "The dataset's id, `ds_…`." });
export const DatasetName = Type.String({
  pattern: "^[a-z][a-z0-9-]{0,63}$",
  description: "A name of lowercase letters, digits and `-`.",
});
export const SkillName = Type.String({
  minLength: 1,
  maxLength: 64,
  description: "The skill of the agent that the items are inputs of.",
});
export const ItemName = Type.String({
  pattern: "^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$",
  description: "The item's name in its dataset.",
});
const Tags = Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
  maxItems: DATASET_LIMITS.tags,
  uniqueItems: true,
  description: "Tags to find the dataset by.",
});
const Labels = (description: string) =>
  Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
    maxItems: DATASET_LIMITS.labels,
    uniqueItems: true,
    description,
  });
const Note = Type.String({ maxLength: 2000, description: "What is new in this version, for people." });

export const DatasetItem = Type.Object(
  {
    item: Type.Optional(ItemName),
    input: Type.Record(Type.String(), Type.Unknown(), { description: "An input of the skill." }),
    expected: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description:
          "The expected output, as far as scorers compare it; it must fit the skill's output schema, and may be partial. A scorer skips an item whose `expected` lacks the place that it compares.",
      }),
    ),
    must_pass: Type.Optional(
      Type.Boolean({ description: "A version that fails it in most repeats fails the gate. Default: false." }),
    ),
    cluster: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description: "Related items, such as variants of one case, share a cluster and count as one.",
      }),
    ),
    labels: Type.Optional(Labels("What the item is a case of; the set's coverage counts them.")),
  },
  closed,
);
export type DatasetItem = Static<typeof DatasetItem>;

const Items = Type.Array(DatasetItem, {
  minItems: 1,
  maxItems: DATASET_LIMITS.itemsOfCall,
  description: "Items without a name are numbered.",
});

/** Of the present version. */
export const Coverage = Type.Object(
  {
    items: Count("Items."),
    must_pass: Count("Items that must pass."),
    clusters: Count("Items that are independent of each other, clusters counting as one."),
    labels: Type.Record(Type.String(), Type.Integer(), { description: "How many items have each label." }),
    expected: Type.Record(Type.String(), Type.Integer(), {
      description: "How many items have an expectation at a place of the output, by its JSON Pointer.",
    }),
  },
  { description: "What the items of the present version cover." },
);
export type Coverage = Static<typeof Coverage>;

export const Dataset = Type.Object(
  {
    dataset_id: DatasetId,
    name: DatasetName,
    agent: AgentName,
    skill: SkillName,
    description: Type.String({ description: "What it tests." }),
    tags: Type.Array(Type.String(), { description: "Tags to find the dataset by." }),
    version: Type.Integer({ minimum: 1, description: "Its present version; each addition makes the next one." }),
    digest: Type.String({ description: "Of the present version." }),
    coverage: Coverage,
    ...decidedMembers,
    created_by: Type.String({ description: "Who made it, by id." }),
    created_at: Time,
    updated_at: Time,
  },
  { description: "A dataset: cases that versions of an agent are measured by." },
);
export type Dataset = Static<typeof Dataset>;

export const CreateDatasetBody = Type.Object(
  {
    name: DatasetName,
    agent: AgentName,
    skill: SkillName,
    description: Type.Optional(Type.String({ maxLength: 2000, description: "What it tests." })),
    tags: Type.Optional(Tags),
    items: Items,
    note: Type.Optional(Note),
  },
  closed,
);

export const AddItemsBody = Type.Object(
  {
    items: Type.Optional(Items),
    from_tasks: Type.Optional(
      Type.Array(Type.String({ maxLength: 64, description: "A completed task of the dataset's skill, `tsk_…`." }), {
        minItems: 1,
        maxItems: DATASET_LIMITS.tasksOfCall,
        uniqueItems: true,
        description:
          "Tasks of this environment that become items: their input, and as `expected` what the latest feedback says is right: its correction, or the output where it accepts that, or where there is none. A task whose latest feedback does neither is refused. The dataset belongs to the organization: its readers see them from every environment.",
      }),
    ),
    labels: Type.Optional(Labels("Labels that every item of this call gets, besides its own.")),
    note: Type.Optional(Note),
  },
  closed,
);
export type AddItemsBody = Static<typeof AddItemsBody>;

export const AddedItems = Type.Object(
  {
    ...Dataset.properties,
    added: Count("Items that are new."),
    replaced: Count("Items that replaced one of the same name; earlier versions keep that one."),
    items: Type.Array(Type.String(), { description: "Their names, in order." }),
  },
  { description: "The dataset's next version." },
);
