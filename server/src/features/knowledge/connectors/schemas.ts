import { type Static, Type } from "typebox";
import { byKind } from "../../../kernel/by-kind.ts";
import { pageSchema } from "../../../kernel/listing.ts";
import { Count, closed, nullable, stoppedMembers, Time } from "../../../kernel/schema-words.ts";
import { readerTokenPattern } from "../access.ts";
import {
  ConnectorKindName,
  FeedSource,
  FolderSource,
  GitSource,
  JsonApiSource,
  PostgresCredentials,
  PostgresSource,
  S3Credentials,
  S3Source,
  WebsiteSource,
} from "./source-schemas.ts";

export {
  FeedSource,
  FolderSource,
  GitSource,
  JsonApiPages,
  JsonApiSource,
  PostgresCredentials,
  PostgresSource,
  S3Credentials,
  S3Source,
  WebsiteSource,
} from "./source-schemas.ts";

export const ConnectorRef = Type.String({
  minLength: 1,
  maxLength: 64,
  description: "The connector, by id (`cnr_…`) or by name.",
});
export const SyncId = Type.String({ pattern: "^syn_[0-9a-z]{26}$", description: "`syn_…`" });

const ConnectorName = Type.String({
  pattern: "^(?!cnr_)[a-z][a-z0-9_-]{0,63}$",
  description: "Lowercase letters, digits, `_` and `-`; unique in the base. It does not begin with `cnr_`: ids do.",
});
export const ConnectorSchedule = Type.Object(
  {
    cron: Type.String({
      minLength: 9,
      maxLength: 100,
      description:
        "Minute, hour, day of the month, month and day of the week, such as `0 3 * * *`. At most every five minutes.",
    }),
    time_zone: Type.Optional(
      Type.String({ maxLength: 64, default: "UTC", description: "A time zone such as `Europe/Zurich`." }),
    ),
  },
  { ...closed, description: "When it runs. A run that was missed is made up for once." },
);
export type ConnectorSchedule = Static<typeof ConnectorSchedule>;

const Readers = nullable(
  Type.Array(Type.String({ pattern: readerTokenPattern }), {
    minItems: 1,
    maxItems: 100,
    uniqueItems: true,
  }),
  "Who may read what it brings: `role:…`, `member:mbr_…`, `team:…` and `agent:…`. Null: everybody who may read the base.",
);
const ConnectionNamed = Type.String({
  pattern: "^[a-z][a-z0-9_-]{0,63}$",
  description:
    "A connection of kind `http`, for a website, a feed, a repository or an API. Its secret goes to its own origin only.",
});
const KeepRemoved = Type.Boolean({
  description: "Whether documents stay when they vanish from the source. Default: only of a feed.",
});
const source = Type.Object(
  {},
  { additionalProperties: true, description: "Where it looks and what it takes; what it holds depends on `kind`." },
);
const credentials = Type.Object(
  {},
  { additionalProperties: true, description: "Of `s3` and `postgres`. Stored encrypted and never shown again." },
);

const common = {
  name: ConnectorName,
  connection: Type.Optional(ConnectionNamed),
  schedule: Type.Optional(nullable(ConnectorSchedule, "Null: it runs only when it is started.")),
  readers: Type.Optional(Readers),
  keep_removed: Type.Optional(KeepRemoved),
};
const { connection: _connection, ...unconnected } = common;
export const CreateFolderConnector = Type.Object(
  { ...unconnected, kind: Type.Literal("folder"), source: FolderSource },
  { ...closed, description: "Files of the host." },
);
export const CreateWebsiteConnector = Type.Object(
  { ...common, kind: Type.Literal("website"), source: WebsiteSource },
  { ...closed, description: "Pages of a website." },
);
export const CreateS3Connector = Type.Object(
  { ...unconnected, kind: Type.Literal("s3"), source: S3Source, credentials: Type.Optional(S3Credentials) },
  { ...closed, description: "Objects of a bucket. Without credentials it is read as anybody may." },
);
export const CreatePostgresConnector = Type.Object(
  { ...unconnected, kind: Type.Literal("postgres"), source: PostgresSource, credentials: PostgresCredentials },
  { ...closed, description: "Rows of a query." },
);
export const CreateFeedConnector = Type.Object(
  { ...common, kind: Type.Literal("feed"), source: FeedSource },
  { ...closed, description: "Entries of a feed." },
);
export const CreateGitConnector = Type.Object(
  { ...common, kind: Type.Literal("git"), source: GitSource },
  { ...closed, description: "Files of a git repository. Without a connection it is read as anybody may." },
);
export const CreateJsonApiConnector = Type.Object(
  { ...common, kind: Type.Literal("json-api"), source: JsonApiSource },
  { ...closed, description: "Items of a JSON API." },
);

export const CreateConnectorBody = Type.Object(
  { ...common, kind: ConnectorKindName, source, credentials: Type.Optional(credentials) },
  {
    ...closed,
    ...byKind(
      "kind",
      {
        folder: "CreateFolderConnector",
        website: "CreateWebsiteConnector",
        s3: "CreateS3Connector",
        postgres: "CreatePostgresConnector",
        feed: "CreateFeedConnector",
        git: "CreateGitConnector",
        "json-api": "CreateJsonApiConnector",
      },
      [
        CreateFolderConnector,
        CreateWebsiteConnector,
        CreateS3Connector,
        CreatePostgresConnector,
        CreateFeedConnector,
        CreateGitConnector,
        CreateJsonApiConnector,
      ],
    ),
  },
);
export type CreateConnectorBody = Static<typeof CreateConnectorBody>;

export const ChangeConnectorBody = Type.Object(
  {
    source: Type.Optional(source),
    credentials: Type.Optional(credentials),
    connection: Type.Optional(nullable(ConnectionNamed, "Null: none.")),
    schedule: Type.Optional(nullable(ConnectorSchedule, "Null: it runs only when it is started.")),
    readers: Type.Optional(Readers),
    keep_removed: Type.Optional(KeepRemoved),
    state: Type.Optional(
      Type.Enum(["active", "paused"] as const, {
        description: "`paused`: it does not run until it is `active` again.",
      }),
    ),
  },
  { ...closed, minProperties: 1, description: "What is left out stays. `source` replaces the whole of it." },
);
export type ChangeConnectorBody = Static<typeof ChangeConnectorBody>;

const SyncError = nullable(
  Type.Object({ code: Type.String(), detail: Type.String({ description: "What happened and what to do." }) }),
  "Why it failed; null: it did not.",
);
export const Sync = Type.Object(
  {
    sync_id: Type.String({ description: "`syn_…`" }),
    base_id: Type.String({ description: "`kb_…`" }),
    connector_id: Type.String({ description: "`cnr_…`" }),
    connector: Type.String({ description: "The connector's name." }),
    trigger: Type.Enum(["manual", "schedule"] as const),
    state: Type.Enum(["queued", "running", "completed", "failed"] as const, {
      description:
        "`failed`: the source could not be read to its end. What came until then stays, and nothing was removed.",
    }),
    added: Count("Documents that it added."),
    changed: Count("Documents whose contents it replaced."),
    removed: Count("Documents that it deleted because they vanished from the source."),
    unchanged: Count("Items that were as before."),
    failed: Count("Items that it could not take. The next sync tries them again."),
    partial: nullable(
      Type.String(),
      "Why it saw only part of the source, so that it removed nothing; null: it saw all.",
    ),
    left_out: nullable(Type.String(), "What it left out by rule, such as submodules; null: nothing."),
    indexing: Count("Documents of its connector that searches do not find yet in their newest contents."),
    not_indexed: Count("Documents of its connector that could not be indexed."),
    error: SyncError,
    requested_by: Type.String({ description: "Who started it, by id." }),
    created_at: Time,
    started_at: nullable(Time),
    finished_at: nullable(Time),
  },
  { description: "One sync of a source. The counts grow while it runs." },
);
export type Sync = Static<typeof Sync>;

export const SyncFailure = Type.Object(
  {
    item: Type.String({ description: "What the source calls it: a path, an address, a key." }),
    code: Type.String(),
    detail: Type.String(),
  },
  { description: "An item that a sync could not take." },
);
export type SyncFailure = Static<typeof SyncFailure>;

export const SyncReport = Type.Object(
  { ...Sync.properties, failures: pageSchema(SyncFailure) },
  { description: "A sync with the items that failed." },
);
export type SyncReport = Static<typeof SyncReport>;

export const StartSyncBody = Type.Object(
  {
    connector: Type.Optional(ConnectorRef),
    confirm_removals: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          "Delete the documents that vanished even if they are more than half of what the connector brought, where that is 20 or more.",
      }),
    ),
  },
  { ...closed, description: "Without `connector`, all active connectors of the base run." },
);
export type StartSyncBody = Static<typeof StartSyncBody>;

export const StartedSyncs = Type.Object({
  syncs: Type.Array(Sync, { description: "One for each connector. Where one was under way already, that one." }),
});
export type StartedSyncs = Static<typeof StartedSyncs>;

export const Connector = Type.Object(
  {
    connector_id: Type.String({ description: "`cnr_…`" }),
    base_id: Type.String({ description: "`kb_…`" }),
    name: Type.String(),
    kind: ConnectorKindName,
    source: Type.Record(Type.String(), Type.Unknown(), { description: "Where it looks and what it takes." }),
    connection: nullable(Type.String(), "The connection whose secret its requests carry; null: none."),
    has_credentials: Type.Boolean({ description: "Whether it has credentials of its own. They cannot be read." }),
    schedule: nullable(Type.Required(ConnectorSchedule), "Null: it runs only when it is started."),
    next_run_at: nullable(Time, "When it runs next by its schedule; null: it does not."),
    readers: Readers,
    keep_removed: KeepRemoved,
    state: Type.Enum(["active", "paused"] as const),
    items: Count("Items of the source that it brought, that are still there and that you may read."),
    ...stoppedMembers,
    failures_in_a_row: Count("Syncs that failed since the last one that completed. From three on it runs less often."),
    last_sync: nullable(Sync, "Its latest sync; null: there was none."),
    revision: Type.Integer(),
    author: Type.String({ description: "Who made it, by id." }),
    created_at: Time,
    updated_at: Time,
  },
  { description: "A source from which a base takes documents automatically." },
);
export type Connector = Static<typeof Connector>;

export const RemovedConnector = Type.Object({
  connector_id: Type.String({ description: "`cnr_…`" }),
  removed: Type.Literal(true),
  documents: Type.Enum(["kept", "deleted", "being_deleted"] as const, {
    description: "What happened to its documents.",
  }),
});
