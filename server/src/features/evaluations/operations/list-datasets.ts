import { Type } from "typebox";
import { defineList } from "../../../kernel/listing.ts";
import { limitedTo } from "../../../kernel/narrowing.ts";
import { governs } from "../../../kernel/operation.ts";
import { withDecided } from "../dataset-content.ts";
import { datasetView } from "../dataset-model.ts";
import { listDatasets as readPage } from "../dataset-store.ts";
import { exampleDataset } from "../example.ts";
import { Dataset } from "../schemas.ts";

const filters = {
  agent: Type.Optional(Type.String({ description: "Sets of this agent." })),
  skill: Type.Optional(Type.String({ description: "Sets of skills of this name." })),
  tag: Type.Optional(Type.String({ description: "Sets that carry this tag." })),
};

export const listDatasets = defineList({
  id: "evaluations.listDatasets",
  path: "/v1/evaluations/datasets",
  listed: true,
  summary: "List datasets",
  description:
    "Newest first, each in its present version with what it covers. A key that is narrowed to agents sees their sets. Filters narrow together.",
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
