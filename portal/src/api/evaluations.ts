import type { GetQuery } from "./client.ts";
import { read } from "./queries.ts";

export const listDatasets = (filter: GetQuery<"/v1/evaluations/datasets">) =>
  read("/v1/evaluations/datasets", { query: filter });
export const listScorers = (filter: GetQuery<"/v1/evaluations/scorers">) =>
  read("/v1/evaluations/scorers", { query: filter });
