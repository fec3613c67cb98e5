import { defineProblem } from "../../kernel/errors.ts";

export const datasetExists = defineProblem({
  code: "dataset_exists",
  status: 409,
  title: "A dataset of this name exists",
  cause: "Names of datasets are unique in the organization, and runs and gates may refer to a set by its name.",
  remedy:
    "Add items to the set that exists with POST /v1/evaluations/datasets/{dataset}/items, or choose another name.",
  retryable: false,
});
