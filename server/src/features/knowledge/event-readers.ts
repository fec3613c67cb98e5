import type { EventReaders } from "../../kernel/events.ts";

// Who reads events about bases, documents and connectors: those whom the lists of readers admit now. What was deleted keeps the lists that it had.

/** SQL: a member of the event's body. */
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
/** As `seenConnector`: who may read what it brings, and its author. */
const ofConnector = `select case when readers is not null then readers || ('member:' || author) end
  from knowledge_connectors where ${inScope} and id = ${named("connector_id")}`;

const permission = "knowledge:read";

export const baseReaders: EventReaders = { permission, lists: listsOf(...ofBase) };

/** Null where either of document and base is not known: then nobody of whom it is not certain reads it. */
export const documentReaders: EventReaders = {
  permission,
  lists: `(${listsOf(...ofBase)} || ${listsOf(...ofDocument, ofDeletedDocument)})`,
};

/** Like its syncs, what a removed connector did is read by whoever reads the base. */
export const connectorReaders: EventReaders = { permission, lists: listsOf(...ofBase, ofConnector) };
