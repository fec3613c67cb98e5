import { defineProblem } from "../../kernel/errors.ts";

export const baseExists = defineProblem({
  code: "base_exists",
  status: 409,
  title: "There is a knowledge base of this name",
  cause: "Agents name knowledge bases by name, so that a name stands for one base in an environment.",
  remedy: "Add to the base that is there with POST /v1/knowledge/bases/{base}/documents, or choose another name.",
  retryable: false,
});
