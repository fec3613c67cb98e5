import { Type } from "typebox";
import { defineList } from "../../../../kernel/listing.ts";
import { limitedTo } from "../../../../kernel/narrowing.ts";
import { governs } from "../../../../kernel/operation.ts";
import { exampleDataset } from "../../example.ts";
import { Dataset } from "../../schemas.ts";
import { datasetView, withDecided } from "../rules.ts";
import { listDatasets as readPage } from "../store.ts";

const filters = {
  agent: Type.Optional(Type.String({ description: "Datasets of this agent." })),
  skill: Type.Optional(Type.String({ description: "Datasets of skills of this name." })),
  tag: Type.Optional(Type.String({ description: "Datasets with this tag." })),
};

export const listDatasets = defineList({
  id: "evaluations.listDatasets",
  path: "/v1/evaluations/datasets",
  listed: true,
  summary: "List datasets",
  description:
    "Newest first, each in its present version with its coverage. A key that is narrowed to agents sees their datasets. Filters combine.",
  filters,
  item: Dataset,
  example: { item: exampleDataset },
  permission: "evaluations:read",
  narrowing: limitedTo("lists datasets of the key's agents"),
  compliance: governs("dataset.read"),
  audit: "datasets",
  read: async (ctx, query, page) => withDecided(ctx, await readPage(ctx, query, page)),
  position: ({ id }) => id,
  view: datasetView,
});
