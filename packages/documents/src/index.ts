export { CHUNK_LENGTH, chunkDocument, type Piece, pieces } from "./chunk.ts";
export { cutText } from "./cut.ts";
export { type Block, type ParsedDocument, plainDocument, type Row } from "./document.ts";
export { DocumentFault, type FaultCode } from "./fault.ts";
export { LIMITS, type Limits } from "./limits.ts";
export { type DocumentFile, type ParseOptions, parseDocument } from "./parse.ts";
export { chunkRecord, RECORD_LENGTH, recordText } from "./record.ts";
