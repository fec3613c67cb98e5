import { defineProblem } from "../../kernel/errors.ts";

export const datasetExists = defineProblem({
  code: "dataset_exists",
  status: 409,
  title: "A dataset with this name exists",
  cause: "Names of datasets are unique in the organization, because runs and gates may refer to them by name.",
  remedy:
    "Add items to the existing dataset with POST /v1/evaluations/datasets/{dataset}/items, or choose another name.",
  retryable: false,
});
