import type { ChangeInput } from "./client.ts";
import type { Schema } from "./types.ts";

/** How far the vectors of a base are. */
export interface Vectors {
  readonly embedded: number;
  readonly of: number;
  readonly error: { readonly code: string; readonly detail: string; readonly at: string } | null;
}
/** The embedding of a base, where the service tells it. */
interface Embedded {
  readonly embedding?: NonNullable<ChangeInput<"post", "/v1/knowledge/bases">["body"]["embedding"]> | null;
  readonly vectors?: Vectors | null;
}
export type Base = Schema<"KnowledgeBase"> & Embedded;
export type BaseDetails = Schema<"KnowledgeBaseDetails"> & Embedded;
export type NewBase = ChangeInput<"post", "/v1/knowledge/bases">["body"];
export type BaseChange = NonNullable<ChangeInput<"patch", "/v1/knowledge/bases/{base}">["body"]>;
export type Document = Schema<"DocumentEntry">;
export type DocumentDetails = Schema<"KnowledgeDocument">;
export type DocumentState = Document["state"];
export type DocumentVersion = Schema<"DocumentVersion">;
export type Deleted = Schema<"DeletedDocument">;
export type Chunk = Schema<"DocumentChunk">;
export type Citation = Schema<"Citation">;
export type Passage = Schema<"FoundPassage">;
export type SearchAnswer = Schema<"SearchAnswer">;
export type Gap = Schema<"KnowledgeGap">;
export type FoundDocument = Schema<"FoundDocument">;
export type TestResult = Schema<"RetrievalTest">;
export type FigureName = keyof TestResult["figures"][number]["figures"];
export type TestQuestion = Schema<"TestedQuestion">;
export type Connector = Schema<"Connector">;
export type NewConnector = ChangeInput<"post", "/v1/knowledge/bases/{base}/connectors">["body"];
export type Sync = Schema<"Sync">;
export type SyncReport = Schema<"SyncReport">;
