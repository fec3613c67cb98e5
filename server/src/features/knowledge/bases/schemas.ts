import { type Static, Type } from "typebox";
import { Count, closed, nullable, Time } from "../../../kernel/schema-words.ts";
import { ordinal } from "../../../kernel/whole-numbers.ts";
import { readerTokenPattern } from "../access.ts";
import { CHUNK_LENGTH } from "../documents/chunks.ts";
import { Embedding, Reranker, VectorHealth } from "../search/vectors/schemas.ts";

/** The languages whose stems PostgreSQL 15 knows; `simple` takes words as they are. */
export const languages =
  "simple arabic armenian basque catalan danish dutch english finnish french german greek hindi hungarian indonesian irish italian lithuanian nepali norwegian portuguese romanian russian serbian spanish swedish tamil turkish yiddish".split(
    " ",
  );

export const BaseRef = Type.String({
  minLength: 1,
  maxLength: 64,
  description: "The base, by id (`kb_…`) or by name.",
});

export const BaseName = Type.String({
  pattern: "^(?!kb_)[a-z][a-z0-9_-]{0,63}$",
  description:
    "Lowercase letters, digits, `_` and `-`. Agents name the base by it. It does not begin with `kb_`: ids do.",
});
const Language = Type.Enum(languages, {
  description:
    "The language of its texts: words are found by their stems in it. `simple` takes words as they are, such as for mixed languages.",
});

export const Readers = nullable(
  Type.Array(Type.String({ pattern: readerTokenPattern }), { maxItems: 200, uniqueItems: true }),
  "Who may read it: `role:approver`, `member:mbr_…`, `team:billing`, `agent:sales`. Null: everybody with `knowledge:read`. Admins always may; for others it does not exist.",
);

export const standardSettings = { chunk_length: CHUNK_LENGTH.text } as const;

const ChunkLength = Type.Integer({
  minimum: 200,
  maximum: 8000,
  default: standardSettings.chunk_length,
  description: "The longest chunk of a text, in UTF-16 code units.",
});
export const BaseSettings = Type.Object(
  { chunk_length: ChunkLength },
  { description: "How documents are cut into chunks." },
);
export type BaseSettings = Static<typeof BaseSettings>;
const GivenSettings = Type.Object({ chunk_length: Type.Optional(ChunkLength) }, closed);

const longestPeriod = 3650;
const ReviewDays = nullable(
  Type.Integer({ minimum: 1, maximum: longestPeriod }),
  "Days after which a document has to be reviewed, counted from its last change or review. Null: never.",
);
const VersionDays = nullable(
  Type.Integer({ minimum: 0, maximum: longestPeriod }),
  "Days for which former versions of documents, and the citations of them, are kept. Null: as long as the document.",
);
const BaseEmbedding = nullable(Embedding, "Which model makes vectors of its texts; null: none does.");
const BaseReranker = nullable(Reranker, "Which model orders the best passages once more. Null: none.");
const Description = Type.String({ maxLength: 2000, description: "What is in it." });

export const CreateBaseBody = Type.Object(
  {
    name: BaseName,
    description: Type.Optional(Description),
    language: Type.Optional(Type.Enum(languages, { ...Language, default: "english" })),
    readers: Type.Optional(Readers),
    settings: Type.Optional(GivenSettings),
    review_days: Type.Optional(ReviewDays),
    version_days: Type.Optional(VersionDays),
    embedding: Type.Optional(BaseEmbedding),
    reranker: Type.Optional(BaseReranker),
  },
  closed,
);
export type CreateBaseBody = Static<typeof CreateBaseBody>;

export const ChangeBaseBody = Type.Object(
  {
    name: Type.Optional(BaseName),
    description: Type.Optional(Description),
    language: Type.Optional(Language),
    readers: Type.Optional(Readers),
    settings: Type.Optional(GivenSettings),
    review_days: Type.Optional(ReviewDays),
    version_days: Type.Optional(VersionDays),
    embedding: Type.Optional(BaseEmbedding),
    reranker: Type.Optional(BaseReranker),
    reindex: Type.Optional(Type.Literal(true, { description: "Builds a new index, such as after one was given up." })),
  },
  { ...closed, minProperties: 1 },
);
export type ChangeBaseBody = Static<typeof ChangeBaseBody>;

export const BaseHealth = Type.Object(
  {
    state: Type.Enum(["empty", "ready", "indexing", "degraded"] as const, {
      description:
        "`indexing`: documents wait or are in work, or the base is reindexed; what was indexed is found. `degraded`: documents or a reindex failed.",
    }),
    documents: Type.Object(
      {
        queued: Count("Not begun."),
        parsing: Count("Being read."),
        indexing: Count("Being indexed."),
        indexed: Count("Found by searches."),
        failed: Count("Could not be read or indexed; the document says why."),
      },
      { description: "Documents by state." },
    ),
    reindexing: Type.Boolean({
      description: "A new index is built; searches use the former one until it is complete.",
    }),
    reindex_error: nullable(
      Type.Object({ code: Type.String(), detail: Type.String() }),
      "Why a new index was given up; null: none was. `reindex` starts over.",
    ),
    stale: Count("Documents past their review date."),
  },
  { description: "The state of the base's index." },
);
export type BaseHealth = Static<typeof BaseHealth>;

const baseMembers = {
  base_id: Type.String({ description: "`kb_…`" }),
  name: Type.String({ description: "What agents call it by; unique in the environment." }),
  description: Type.String(),
  language: Language,
  readers: Readers,
  settings: BaseSettings,
  review_days: ReviewDays,
  version_days: VersionDays,
  embedding: BaseEmbedding,
  reranker: BaseReranker,
  documents: Type.Integer({ description: "How many documents it has, records among them." }),
  records: Type.Integer({ description: "Documents with fields: what tools of kind `record` find." }),
  chunks: Type.Integer({ description: "Pieces of them that searches find." }),
  health: BaseHealth,
  author: Type.String({ description: "Who made it, by id." }),
  revision: ordinal("Raised by each change of its settings."),
  created_at: Time,
  updated_at: nullable(Time, "When a document last came or changed; null: it is empty."),
};

export const KnowledgeBase = Type.Object(baseMembers, { description: "A knowledge base of the environment." });
export type KnowledgeBase = Static<typeof KnowledgeBase>;

export const KnowledgeBaseDetails = Type.Object(
  {
    ...baseMembers,
    agents: Type.Array(Type.String(), {
      description: "Agents that name it in their draft or a version; those of the key, where it is narrowed to agents.",
    }),
    live_agents: Type.Array(Type.String(), { description: "Those of them that are deployed here with it." }),
    versions: Count("Former versions of its documents that are kept."),
    pages: Count("Pages of its documents, as far as they have pages."),
    bytes: Count("Bytes of its files."),
    vectors: nullable(VectorHealth, "How far its vectors are; null: it names no embedding."),
  },
  { description: "A knowledge base with its index and who uses it." },
);
export type KnowledgeBaseDetails = Static<typeof KnowledgeBaseDetails>;

export const ChangedBase = Type.Object(
  {
    ...baseMembers,
    reindex: Type.Enum(["none", "queued"] as const, {
      description:
        "`queued`: language or chunk length changed, or `reindex` asked for it, so a new index is built. Searches use the present one until it is complete.",
    }),
  },
  { description: "A changed base, and whether it is reindexed." },
);
export type ChangedBase = Static<typeof ChangedBase>;

export const DeletedBase = Type.Object(
  {
    base_id: Type.String(),
    name: Type.String({ description: "Free again." }),
    deleted: Type.Literal(true),
    documents: Count("Documents that were in it, of those that you may read."),
    chunks: Count("Their chunks."),
    agents: Type.Array(Type.String(), {
      description: "Deployed agents that named it and now find nothing in it.",
    }),
    deleted_at: Time,
    audit_ref: Type.String({ description: "The record of the deletion." }),
  },
  { description: "A deleted base. Nothing of it is found from now on; its documents are removed in the background." },
);
export type DeletedBase = Static<typeof DeletedBase>;
