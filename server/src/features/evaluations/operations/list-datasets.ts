import { Type } from "typebox";
import { listPage, listQuery, pageSchema } from "../../../kernel/listing.ts";
import { limitedTo } from "../../../kernel/narrowing.ts";
import { defineRead, exempt, governs } from "../../../kernel/operation.ts";
import { datasetView } from "../dataset-model.ts";
import { listDatasets as readPage } from "../dataset-store.ts";
import { exampleDataset } from "../example.ts";
import { Dataset } from "../schemas.ts";

const Filters = {
  agent: Type.Optional(Type.String({ description: "Sets of this agent." })),
  skill: Type.Optional(Type.String({ description: "Sets of skills of this name." })),
  tag: Type.Optional(Type.String({ description: "Sets that carry this tag." })),
};

export const listDatasets = defineRead({
  id: "evaluations.listDatasets",
  path: "/v1/evaluations/datasets",
  listed: true,
  summary: "List datasets",
  description:
    "Newest first, each in its present version with what it covers. A key that is narrowed to agents sees their sets. Filters narrow together.",
  query: listQuery(Filters),
  output: pageSchema(Dataset),
  example: { output: { data: [exampleDataset], has_more: false, next_cursor: null } },
  permission: "evaluations:read",
  load: exempt("names no object; the list holds what the key may see"),
  narrowing: limitedTo("lists datasets of the key's agents"),
  compliance: governs("dataset.read"),
  audit: "datasets",
  handle(ctx, { query }) {
    const { limit: _limit, cursor: _cursor, ...filter } = query;
    return listPage(ctx, query, filter, {
      sort: "-created_at",
      read: (page) => readPage(ctx, filter, page),
      positionOf: (row) => ({ keys: [], id: row.id }),
      item: datasetView,
    });
  },
});
