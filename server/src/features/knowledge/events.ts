import { Type } from "typebox";
import { defineEvent } from "../../kernel/events.ts";
import { nullable } from "../../kernel/schema-words.ts";
import { baseReaders, documentReaders } from "./event-readers.ts";

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
