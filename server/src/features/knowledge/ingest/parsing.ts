export {
  chunkDocument,
  DocumentFault,
  type ParsedDocument,
  type Piece,
  parseDocument,
  plainDocument,
  type Row,
} from "@aos/documents";
