import { computed, defineRows, json, type StoredRow } from "../../../resources/rows.ts";
import { erasedBy, erasedWithRow, evidence, ownTables, untilRemoved } from "../../../resources/tables.ts";
import type { BaseSettings, KnowledgeBase } from "./schemas.ts";

export const owned = ownTables({
  knowledge_bases: {
    keeps: untilRemoved("A base is deleted by people."),
    personal: { columns: ["description", "author", "readers"], erased: erasedBy("knowledge.deleteBase") },
  },
  deleted_bases: {
    keeps: evidence(
      "Citations of its documents answer 410, and its events stay readable to whom its readers admitted.",
    ),
    personal: {
      columns: ["deleted_by", "readers"],
      erased: erasedWithRow("names who deleted the base, as the audit record does"),
    },
  },
});

export type BaseJson = {
  readonly settings: Partial<BaseSettings>;
  readonly embedding: KnowledgeBase["embedding"];
  readonly reranker: KnowledgeBase["reranker"];
};
/** `created_us` has the microseconds that a Date drops. */
export type BaseRow = StoredRow<"knowledge_bases", BaseJson> & { readonly created_us: number };

/** What a base holds, within the sight of a reader. */
export interface BaseCounts {
  readonly documents: number;
  readonly records: number;
  readonly chunks: number;
  readonly updated_at: Date | null;
  readonly queued: number;
  readonly parsing: number;
  readonly indexing: number;
  readonly indexed: number;
  readonly failed: number;
  readonly stale: number;
  readonly reindex_gave_up: boolean;
}
export type CountedBase = BaseRow & BaseCounts;

export const storedBases = {
  table: owned.knowledge_bases,
  key: "id",
  json: json<BaseJson>()("settings", "embedding", "reranker"),
  computed: computed<{ readonly created_us: number }>({
    created_us: "(extract(epoch from r.created_at) * 1000000)::bigint",
  }),
} as const;
export const baseRows = defineRows(storedBases);
