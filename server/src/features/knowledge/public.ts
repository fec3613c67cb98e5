export { agentTokens, readerTokens, visibleText } from "./access.ts";
export { insertBase, takenBases } from "./base-store.ts";
export { putDocuments, reviewDueText } from "./document-store.ts";
export { baseFreshness } from "./freshness.ts";
export { documentDigest, documentOf, readItems as readDocumentItems } from "./model.ts";
export { type PortableBase, readPortableBase } from "./portable.ts";
export { noteQuestion } from "./search/question-store.ts";
export { type FoundChunk, MOST_CHUNKS, type SearchResult, search, searchChunks } from "./search-store.ts";
export { findRecord, findRecords, type RecordKey, type RecordRow } from "./store.ts";
