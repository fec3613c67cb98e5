import { Type } from "typebox";
import { defineEvent, type EventReaders } from "../../kernel/events.ts";
import { nullable } from "../../kernel/schema-words.ts";

// Who reads events about bases, documents and connectors: those whom the lists of readers admit now. What was deleted keeps the lists that it had.

const named = (member: string): string => `(e.body::json ->> '${member}')`;
const inScope = "organization = e.organization and environment = e.environment";

const listsOf = (...parts: readonly string[]): string =>
  `(select jsonb_agg(to_jsonb(readers)) from (${parts.join(" union all ")}) lists)`;

const ofBase = [
  `select readers from knowledge_bases where ${inScope} and id = ${named("base_id")}`,
  `select readers from deleted_bases where ${inScope} and id = ${named("base_id")}`,
];
const ofDocument = [
  `select readers from documents where ${inScope} and id = ${named("document_id")}`,
  `select readers from deleted_documents where ${inScope} and id = ${named("document_id")}`,
];
const ofDeletedDocument = `select base_readers from deleted_documents where ${inScope} and id = ${named("document_id")}`;
/** As `seenConnector`. */
const ofConnector = `select case when readers is not null then readers || ('member:' || author) end
  from knowledge_connectors where ${inScope} and id = ${named("connector_id")}`;

const permission = "knowledge:read";

const baseReaders: EventReaders = { permission, lists: listsOf(...ofBase) };

/** Null where document or base is unknown: then nobody reads it. */
const documentReaders: EventReaders = {
  permission,
  lists: `(${listsOf(...ofBase)} || ${listsOf(...ofDocument, ofDeletedDocument)})`,
};

export const connectorReaders: EventReaders = { permission, lists: listsOf(...ofBase, ofConnector) };

const common = {
  base_id: Type.String({ description: "`kb_…`" }),
  base: Type.String({ description: "The base's name." }),
};

export const documentDeleted = defineEvent({
  type: "knowledge.document.deleted",
  summary: "A document was deleted from a knowledge base; nothing of it is found any more.",
  readers: documentReaders,
  schema: Type.Object({
    event: Type.Literal("knowledge.document.deleted"),
    ...common,
    document_id: Type.String({ description: "`doc_…`" }),
    external_id: nullable(Type.String(), "What its own system calls it."),
    deleted_by: Type.String({ description: "Who deleted it, by id." }),
  }),
});

export const baseDeleted = defineEvent({
  type: "knowledge.base.deleted",
  summary: "A knowledge base was deleted with everything in it.",
  readers: baseReaders,
  schema: Type.Object({
    event: Type.Literal("knowledge.base.deleted"),
    ...common,
    deleted_by: Type.String({ description: "Who deleted it, by id." }),
  }),
});

export const documentIndexed = defineEvent({
  type: "knowledge.document.indexed",
  summary: "The contents of a document are parsed and found by searches.",
  readers: documentReaders,
  schema: Type.Object({
    event: Type.Literal("knowledge.document.indexed"),
    document_id: Type.String({ description: "`doc_…`" }),
    ...common,
    version: Type.Integer({ minimum: 1 }),
    chunks: Type.Integer({ minimum: 0 }),
    records: Type.Integer({ minimum: 0, description: "Of a file with rows: how many records it has." }),
  }),
});

export const documentFailed = defineEvent({
  type: "knowledge.document.failed",
  summary: "The contents of a document could not be read. What was found before is still found.",
  readers: documentReaders,
  schema: Type.Object({
    event: Type.Literal("knowledge.document.failed"),
    document_id: Type.String({ description: "`doc_…`" }),
    ...common,
    code: Type.String({ description: "Why, such as `encrypted`, `too_large` or `fetch_failed`." }),
    detail: Type.String({ description: "The reason as a sentence." }),
  }),
});

export const baseReindexed = defineEvent({
  type: "knowledge.base.reindexed",
  summary: "The next index of a knowledge base is complete, and searches use it.",
  readers: baseReaders,
  schema: Type.Object({
    event: Type.Literal("knowledge.base.reindexed"),
    ...common,
    generation: Type.Integer({ minimum: 2 }),
  }),
});
