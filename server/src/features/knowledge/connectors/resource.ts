import { isId } from "../../../kernel/ids.ts";
import { computed, defineRows, json, type StoredRow } from "../../../resources/rows.ts";
import { erasedBy, erasedWith, ownTables, untilRemoved } from "../../../resources/tables.ts";

export const owned = ownTables({
  knowledge_connectors: {
    keeps: untilRemoved("A connector is detached by people, or deleted with its base."),
    personal: {
      columns: ["source", "credentials", "memory", "readers", "author", "actor"],
      erased: erasedBy("knowledge.removeConnector"),
    },
  },
  knowledge_items: {
    keeps: untilRemoved(
      "Deleted with their connector. That of a deleted document keeps a digest in place of its name.",
    ),
    personal: { columns: ["item", "detail"], erased: erasedWith("documents") },
  },
  knowledge_syncs: {
    keeps: untilRemoved("Deleted with their base; those of a detached connector stay."),
    personal: { columns: ["author", "error", "fault"], erased: erasedWith("knowledge_bases") },
  },
  knowledge_sync_failures: {
    keeps: untilRemoved("Deleted with their connector."),
    personal: { columns: ["item", "detail"], erased: erasedWith("knowledge_connectors") },
  },
});

export type ConnectorJson = { readonly source: object };
export type ConnectorRow = StoredRow<"knowledge_connectors", ConnectorJson>;

type SyncFault = { readonly code: string; readonly detail: string };
export type SyncJson = { readonly error: SyncFault | null };
export interface SyncCounts {
  /** Items. */
  readonly failed: number;
  /** Documents of the connector, as of now. */
  readonly indexing: number;
  readonly not_indexed: number;
}
export type SyncRow = StoredRow<"knowledge_syncs", SyncJson> & SyncCounts;

/** `items` within the caller's sight; `last`: its latest sync. */
export type SyncedConnector = ConnectorRow & { readonly items: number; readonly last: SyncRow | undefined };

export const storedConnectors = {
  table: owned.knowledge_connectors,
  key: "id",
  json: json<ConnectorJson>()("source"),
} as const;
export const connectorRows = defineRows(storedConnectors);

const unindexed = (states: string) => `(select count(*)::int from documents d
  where d.organization = r.organization and d.environment = r.environment and d.connector = r.connector
    and d.connector is not null and d.state <> 'indexed' and d.state ${states})`;

const failed = `(select count(*)::int from knowledge_sync_failures f
  where f.organization = r.organization and f.environment = r.environment and f.sync = r.id)`;

export const storedSyncs = {
  table: owned.knowledge_syncs,
  key: "id",
  isKey: (text: string) => isId(text, "syn"),
  json: json<SyncJson>()("error"),
  computed: computed<SyncCounts>({
    failed,
    indexing: unindexed("<> 'failed'"),
    not_indexed: unindexed("= 'failed'"),
  }),
} as const;
export const syncRows = defineRows(storedSyncs);
