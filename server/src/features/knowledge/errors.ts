import { defineProblem } from "../../kernel/errors.ts";

export const knowledgeBaseExists = defineProblem({
  code: "knowledge_base_exists",
  status: 409,
  title: "A knowledge base with this name exists",
  cause: "Names of knowledge bases are unique in an environment, because agents refer to them by name.",
  remedy: "Add documents to the existing one with POST /v1/knowledge/bases/{base}/documents, or choose another name.",
  retryable: false,
});
