import { defineProblem } from "../../../kernel/errors.ts";

export const connectorExists = defineProblem({
  code: "connector_exists",
  status: 409,
  title: "A connector with this name exists",
  cause: "Names of connectors are unique in a knowledge base.",
  remedy: "Choose another name, or change the existing connector with PATCH.",
  retryable: false,
});
