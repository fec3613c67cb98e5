import { defineProblem } from "../../kernel/errors.ts";

export const knowledgeBaseExists = defineProblem({
  code: "knowledge_base_exists",
  status: 409,
  title: "A knowledge base with this name exists",
  cause: "Names of knowledge bases are unique in an environment, because agents refer to them by name.",
  remedy: "Add documents to the existing one with POST /v1/knowledge/bases/{base}/documents, or choose another name.",
  retryable: false,
});

export const knowledgeBaseInUse = defineProblem({
  code: "knowledge_base_in_use",
  status: 409,
  title: "Agents use this knowledge base",
  cause: "A knowledge base that a deployed agent names is not deleted, and one that any agent names is not renamed.",
  remedy:
    "Take it out of the agents that `agents` lists and deploy them; or delete it all the same with `?force=true`.",
  retryable: false,
});

export const documentExists = defineProblem({
  code: "document_exists",
  status: 409,
  title: "Another document takes its place",
  cause:
    "A base keeps no two documents without an external id that say the same, and none is written over by somebody who may not read it.",
  remedy:
    "Use the document that `document_id` names, or delete one of the two. Where none is named, you may not read it: choose another external id, or ask an admin.",
  retryable: false,
});

export const citedSourceDeleted = defineProblem({
  code: "cited_source_deleted",
  status: 410,
  title: "The cited source was deleted",
  cause:
    "The document of this citation was deleted, by itself or with its knowledge base, and nothing of its text is kept.",
  remedy: "Search again: the answer may stand in another document. `deleted_at` says when it was deleted.",
  retryable: false,
});

export const connectorExists = defineProblem({
  code: "connector_exists",
  status: 409,
  title: "A connector with this name exists",
  cause: "Names of connectors are unique in a knowledge base.",
  remedy: "Choose another name, or change the existing connector with PATCH.",
  retryable: false,
});
