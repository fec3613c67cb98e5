import { shareRows } from "../../db/shared-rows.ts";

// What other parts of the service read of the tables of knowledge.

export const documentUsageRows = shareRows(
  "document_usage",
  "organization",
  "environment",
  "document",
  "last_retrieved_at",
);

export const documentRows = shareRows(
  "documents",
  "organization",
  "environment",
  "id",
  "base",
  "external_id",
  "created_at",
  "title",
  "text",
  "digest",
  "updated_at",
  "state",
  "version",
  "readers",
  "review_at",
  "reviewed_at",
);

export const knowledgeBaseRows = shareRows(
  "knowledge_bases",
  "organization",
  "environment",
  "id",
  "name",
  "description",
  "language",
  "readers",
  "settings",
  "review_days",
);

export const knowledgeQuestionRows = shareRows(
  "knowledge_questions",
  "organization",
  "environment",
  "id",
  "base",
  "query",
  "asked_by",
  "agent",
  "at",
  "answered",
  "readers",
);
