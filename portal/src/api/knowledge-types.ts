// Local shapes of the knowledge operations.

export interface Page<T> {
  readonly data: readonly T[];
  readonly has_more: boolean;
  readonly next_cursor: string | null;
}
export type DocumentState = "queued" | "parsing" | "indexing" | "indexed" | "failed";
export interface Base {
  readonly base_id: string;
  readonly name: string;
  readonly description: string;
  readonly language: string;
  readonly documents: number;
  readonly records: number;
  readonly chunks: number;
  readonly readers: readonly string[] | null;
  readonly settings: { readonly chunk_length: number };
  readonly review_days: number | null;
  readonly version_days: number | null;
  readonly health: {
    readonly state: "empty" | "ready" | "indexing" | "degraded";
    readonly documents: Readonly<Record<DocumentState, number>>;
    readonly reindexing: boolean;
    readonly stale: number;
    readonly gaps?: number;
  };
  readonly embedding?: { readonly connection: string; readonly model: string } | null;
  readonly vectors?: Vectors | null;
  readonly revision: number;
  readonly author: string;
  readonly created_at: string;
  readonly updated_at: string | null;
}
export interface Vectors {
  readonly embedded: number;
  readonly of: number;
  readonly failing: number;
  readonly dimensions: number | null;
  readonly indexed: boolean;
  readonly tokens: number;
  readonly usd: number;
  readonly error: { readonly code: string; readonly detail: string; readonly at: string } | null;
}
export interface BaseDetails extends Base {
  readonly agents: readonly string[];
  readonly live_agents: readonly string[];
  readonly versions: number;
  readonly pages: number;
  readonly bytes: number;
}
export interface Document {
  readonly document_id: string;
  readonly base_id: string;
  readonly base: string;
  readonly external_id: string | null;
  readonly title: string;
  readonly state: DocumentState;
  readonly progress: number;
  readonly error: { readonly code: string; readonly detail: string } | null;
  readonly chunks: number;
  readonly version: number;
  readonly source: "text" | "file" | "url" | "connector";
  readonly file_name: string | null;
  readonly media_type: string | null;
  readonly size: number | null;
  readonly url: string | null;
  readonly pages: number | null;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly readers: readonly string[] | null;
  readonly data_classes: readonly string[];
  readonly review_at: string | null;
  readonly stale: boolean;
  readonly connector: string | null;
  readonly digest: string | null;
  readonly author: string;
  readonly created_at: string;
  readonly updated_at: string;
}
export interface DocumentDetails extends Document {
  readonly text: string | null;
  readonly fields: Readonly<Record<string, unknown>> | null;
  readonly reviewed_at: string | null;
  readonly usage: { readonly retrievals: number; readonly last_retrieved_at: string | null };
}
export interface Chunk {
  readonly number: number;
  readonly version: number;
  readonly revision: number;
  readonly citation: string;
  readonly title: string;
  readonly text: string;
  readonly kind: "text" | "table" | "code" | "record";
  readonly headings: readonly string[];
  readonly first_page: number | null;
  readonly last_page: number | null;
  readonly starts_at: number | null;
  readonly ends_at: number | null;
  readonly disabled: boolean;
  readonly data_classes: readonly string[];
}
export interface DocumentVersion {
  readonly version: number;
  readonly title: string;
  readonly source: string;
  readonly file_name: string | null;
  readonly size: number | null;
  readonly author: string;
  readonly created_at: string;
  readonly replaced_at: string | null;
  readonly current: boolean;
}
export interface Passage {
  readonly citation: string;
  readonly base: string;
  readonly document_id: string;
  readonly external_id: string | null;
  readonly title: string;
  readonly text: string;
  readonly headings: readonly string[];
  readonly first_page: number | null;
  readonly last_page: number | null;
  readonly data_classes: readonly string[];
  readonly score: number;
  readonly highlights: readonly { readonly start: number; readonly end: number }[];
}
export interface Citation extends Omit<Chunk, "disabled"> {
  readonly base: string;
  readonly document_id: string;
  readonly document_title: string;
  readonly file_name: string | null;
  readonly url: string | null;
  readonly current: boolean;
  readonly current_version: number;
  readonly replaced_at: string | null;
}

export interface SearchAnswer {
  readonly data: readonly Passage[];
  readonly answered: boolean;
  readonly coverage: number;
  readonly corrected: readonly { readonly from: string; readonly to: string }[];
}
export interface Deleted {
  readonly document_id: string;
  readonly digest: string | null;
  readonly chunks_removed: number;
  readonly versions_removed: number;
  readonly rows_removed: number;
  readonly deleted_at: string;
  readonly audit_ref: string;
}
export interface FoundDocument {
  readonly document_id: string;
  readonly external_id: string | null;
  readonly title: string;
  readonly text: string;
}
export interface Gap {
  readonly question: string;
  readonly asked: number;
  readonly wordings: readonly string[];
  readonly last_asked_at: string;
  readonly agents: readonly string[];
  readonly by_people: boolean;
  readonly resolved_at: string | null;
  readonly best: FoundDocument | null;
}
export type FigureName = "ndcg_at_10" | "recall_at_5" | "recall_at_10" | "recall_at_50" | "reciprocal_rank";
export interface Figure {
  readonly mean: number;
  readonly low: number | null;
  readonly high: number | null;
}
export interface TestResult {
  readonly questions: number;
  readonly asked: number;
  readonly figures: readonly {
    readonly mode: "words" | "hybrid";
    readonly figures: Readonly<Record<FigureName, Figure>>;
  }[];
  readonly difference: {
    readonly ndcg_at_10: number;
    readonly low: number | null;
    readonly high: number | null;
  } | null;
  readonly results: readonly { readonly index: number; readonly unknown: readonly string[] }[];
  readonly misses: readonly {
    readonly index: number;
    readonly question: string;
    readonly expected: readonly string[];
    readonly found: readonly FoundDocument[];
  }[];
}
export interface NewConnector {
  readonly name: string;
  readonly kind: "folder" | "website" | "s3" | "postgres" | "feed";
  readonly source: object;
  readonly credentials?: object;
  readonly schedule?: { readonly cron: string; readonly time_zone: string };
  readonly readers?: readonly string[] | null;
}
export interface Sync {
  readonly sync_id: string;
  readonly connector: string;
  readonly trigger: "manual" | "schedule";
  readonly state: "queued" | "running" | "completed" | "failed";
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
  readonly unchanged: number;
  readonly failed: number;
  readonly partial: string | null;
  readonly error: { readonly code: string; readonly detail: string } | null;
  readonly created_at: string;
  readonly started_at: string | null;
  readonly finished_at: string | null;
}
export interface SyncReport extends Sync {
  readonly failures: Page<{ readonly item: string; readonly code: string; readonly detail: string }>;
}
export interface Connector {
  readonly connector_id: string;
  readonly name: string;
  readonly kind: NewConnector["kind"];
  readonly source: Readonly<Record<string, unknown>>;
  readonly schedule: { readonly cron: string; readonly time_zone: string } | null;
  readonly next_run_at: string | null;
  readonly readers: readonly string[] | null;
  readonly state: "active" | "paused";
  readonly items: number;
  readonly last_sync: Sync | null;
}
export type BaseChange = Partial<
  Pick<
    Base,
    "name" | "description" | "language" | "readers" | "settings" | "review_days" | "version_days" | "embedding"
  >
>;
