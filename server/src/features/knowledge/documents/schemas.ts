import { type Static, Type } from "typebox";
import { Count, closed, nullable, Time } from "../../../kernel/schema-words.ts";
import { ordinal } from "../../../kernel/whole-numbers.ts";
import { languages, Readers } from "../bases/schemas.ts";

export const DocumentRef = Type.String({
  minLength: 1,
  maxLength: 255,
  description: "The document, by id (`doc_…`) or by its `external_id`, such as `ld_1001`.",
});

const ExternalId = Type.String({
  minLength: 1,
  maxLength: 255,
  pattern: "^[^\\u0000]*$",
  description: "What its own system calls it, such as `ld_1001`. A document of this id that is there is replaced.",
});

const Title = Type.String({
  maxLength: 500,
  pattern: "^[^\\u0000]*$",
  description: "What it is about; found twice as well as its text. Left out: the title that the file has, or its name.",
});

const contents = {
  title: Type.Optional(Title),
  text: Type.Optional(
    Type.String({ minLength: 1, description: "Its words. They are cut into chunks at paragraphs and sentences." }),
  ),
  media_type: Type.Optional(
    Type.Enum(["text/plain", "text/markdown", "text/html"] as const, {
      default: "text/plain",
      description:
        "What `text` is. Markdown and HTML are parsed like a file, after the answer: chunks keep their headings and tables, and `text` becomes what is read of it.",
    }),
  ),
  fields: Type.Optional(
    Type.Record(Type.String({ minLength: 1, maxLength: 255 }), Type.Unknown(), {
      minProperties: 1,
      maxProperties: 1000,
      description:
        "A record's values by name: what a tool of kind `record` answers for its `external_id`. They are found as text, too.",
    }),
  ),
};
const Url = Type.String({
  minLength: 1,
  maxLength: 2048,
  description: "Where the file is. It is fetched and indexed after the answer; `state` says how far that is.",
});
const Metadata = Type.Record(Type.String({ minLength: 1, maxLength: 64 }), Type.Unknown(), {
  maxProperties: 64,
  description: "What else is known of it, by name: searches and lists filter by it.",
});
const ReviewAt = nullable(
  Time,
  "When it has to be reviewed. Null: after the base's `review_days`, counted from its last change or review.",
);

const DocumentLanguage = Type.Enum(languages, {
  description:
    "The language of its texts, in which its words are found by their stems. Left out: found in them, else the base's. It counts from when its contents are next indexed.",
});

const details = {
  language: Type.Optional(DocumentLanguage),
  metadata: Type.Optional(Metadata),
  readers: Type.Optional(Readers),
  review_at: Type.Optional(ReviewAt),
};

export const AddDocumentBody = Type.Object(
  { external_id: Type.Optional(ExternalId), ...contents, url: Type.Optional(Url), ...details },
  { ...closed, description: "A document: `text`, `fields`, or both; or the `url` of a file." },
);
export type AddDocumentBody = Static<typeof AddDocumentBody>;

export const AddDocumentForm = Type.Object(
  { external_id: Type.Optional(ExternalId), title: Type.Optional(Title), ...details },
  { ...closed, description: "What is said of a file. `metadata` and `readers` are parts with JSON." },
);
export type AddDocumentForm = Static<typeof AddDocumentForm>;

const kept = {
  language: Type.Optional(DocumentLanguage),
  metadata: Type.Optional(Metadata),
  review_at: Type.Optional(ReviewAt),
};

export const ReplaceDocumentBody = Type.Object(
  { ...contents, url: Type.Optional(Url), ...kept },
  {
    ...closed,
    description:
      "What it says from now on: `text`, `fields`, or both; or the `url` of a file. Metadata and review date that are left out stay.",
  },
);
export type ReplaceDocumentBody = Static<typeof ReplaceDocumentBody>;

export const ReplaceDocumentForm = Type.Object(
  { title: Type.Optional(Title), ...kept },
  { ...closed, description: "What is said of a file. `metadata` is a part with JSON; what is left out stays." },
);
export type ReplaceDocumentForm = Static<typeof ReplaceDocumentForm>;

export const documentStates = ["queued", "parsing", "indexing", "indexed", "failed"] as const;
export const documentSources = ["text", "file", "url", "connector"] as const;

const Digest = nullable(
  Type.String(),
  "SHA-256, in hexadecimal: of a file's bytes, else of the canonical JSON (RFC 8785) of title, text and fields; null where it came with the service.",
);

const sourceMembers = {
  source: Type.Enum(documentSources, { description: "Where its contents came from." }),
  file_name: nullable(Type.String()),
  media_type: nullable(Type.String()),
  size: nullable(Type.Integer(), "Bytes of its file."),
  file_digest: nullable(Type.String(), "SHA-256 of its file, in hexadecimal."),
  url: nullable(Type.String(), "The address that it was fetched from."),
  pages: nullable(Type.Integer(), "Pages of its file."),
};

const documentMembers = {
  document_id: Type.String({ description: "`doc_…`" }),
  base_id: Type.String({ description: "`kb_…`" }),
  base: Type.String({ description: "The base's name." }),
  external_id: nullable(Type.String(), "What its own system calls it."),
  title: Type.String(),
  state: Type.Enum(documentStates, {
    description:
      "`indexed`: searches and record look-ups find it. While new contents are `queued`, `parsing` or `indexing`, and if they failed, the former ones are found.",
  }),
  progress: Type.Number({ minimum: 0, maximum: 1, description: "How far parsing and indexing are." }),
  error: nullable(Type.Object({ code: Type.String(), detail: Type.String() }), "Why it failed; null: it did not."),
  chunks: Type.Integer({ description: "Pieces of it that searches find." }),
  digest: Digest,
  version: ordinal("Its contents, counted from 1."),
  ...sourceMembers,
  metadata: Type.Record(Type.String(), Type.Unknown()),
  language: Type.Enum(languages, {
    description: "The language in which it is read: given, found in its texts, or the base's.",
  }),
  readers: Readers,
  data_classes: Type.Array(Type.String(), { description: "Classes of data found in it." }),
  review_at: nullable(Time, "When it has to be reviewed; null: never."),
  stale: Type.Boolean({ description: "Its review date has passed." }),
  parent: nullable(Type.String(), "The document of the file whose row it is."),
  connector: nullable(Type.String(), "The connector that brought it."),
  author: Type.String({ description: "Who added what it says now, by id." }),
  created_at: Time,
  updated_at: Time,
};

export const DocumentEntry = Type.Object(documentMembers, { description: "A document of a knowledge base." });
export type DocumentEntry = Static<typeof DocumentEntry>;

export const KnowledgeDocument = Type.Object(
  {
    ...documentMembers,
    text: nullable(Type.String()),
    fields: Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()]),
    reviewed_at: nullable(Time, "When somebody last confirmed that it holds."),
    usage: Type.Object({
      retrievals: Count("How often searches and agents were given passages of it."),
      last_retrieved_at: nullable(Time),
    }),
  },
  { description: "A document of a knowledge base, with what it says." },
);
export type KnowledgeDocument = Static<typeof KnowledgeDocument>;

export const AddedDocument = Type.Object(
  {
    outcome: Type.Enum(["added", "replaced", "unchanged"] as const, {
      description:
        "`replaced`: a document of this external id said something else. `unchanged`: one that says the same is there.",
    }),
    ...documentMembers,
  },
  { description: "A document that was given, and what became of it." },
);
export type AddedDocument = Static<typeof AddedDocument>;

export const MOST_DOCUMENTS = 1000;

export const AddDocumentsBody = Type.Object(
  {
    documents: Type.Array(
      Type.Object(
        {},
        {
          additionalProperties: true,
          description:
            'As the body of `POST /v1/knowledge/bases/{base}/documents`, or `{ "delete": "<id or external_id>" }`.',
        },
      ),
      { minItems: 1, maxItems: MOST_DOCUMENTS },
    ),
  },
  closed,
);

export const DocumentFault = Type.Object(
  {
    pointer: Type.String({ description: "The place in the item (RFC 6901)." }),
    code: Type.String(),
    detail: Type.String(),
  },
  { description: "What is wrong with an item." },
);

export const AddDocumentsResult = Type.Object({
  added: Type.Integer(),
  replaced: Type.Integer(),
  unchanged: Type.Integer(),
  deleted: Type.Integer(),
  failed: Type.Integer(),
  results: Type.Array(
    Type.Object({
      index: Type.Integer({ description: "The item's place in the call, from 0." }),
      status: Type.Enum([200, 202, 404, 409, 422] as const, {
        description:
          "As if it had been added alone; 409 where a document that you may not read has its place; of a deletion 200, or 404 where there is no such document.",
      }),
      document: nullable(AddedDocument),
      deleted: nullable(Type.String(), "The id of the document that the item deleted."),
      errors: Type.Array(DocumentFault, { description: "Why it failed; empty where it did not." }),
    }),
    { description: "One for each item, in their order." },
  ),
});
export type AddDocumentsResult = Static<typeof AddDocumentsResult>;

export const DeletedDocument = Type.Object(
  {
    document_id: Type.String(),
    base_id: Type.String(),
    external_id: nullable(Type.String()),
    deleted: Type.Literal(true),
    digest: Digest,
    chunks_removed: Count("Chunks that were removed from the index."),
    versions_removed: Count("Former versions that were removed."),
    rows_removed: Count("Records that came from its rows and went with it."),
    deleted_at: Time,
    audit_ref: Type.String({ description: "The record of the deletion in the audit log." }),
    proof: Type.String({ description: "Where the proof of the record can be read, once it is sequenced." }),
  },
  { description: "A deleted document: what was removed, and where the proof of it is." },
);
export type DeletedDocument = Static<typeof DeletedDocument>;

export const DocumentVersion = Type.Object(
  {
    version: ordinal("From 1."),
    current: Type.Boolean({ description: "What the document says now." }),
    title: Type.String(),
    digest: Digest,
    ...sourceMembers,
    author: Type.String({ description: "Who added it, by id." }),
    created_at: Time,
    replaced_at: nullable(Time, "Null: it is the current one."),
  },
  { description: "A version of a document." },
);
export type DocumentVersion = Static<typeof DocumentVersion>;

export const RestoreVersionBody = Type.Object({ version: ordinal("The version to go back to.") }, closed);

export const SetAccessBody = Type.Object({ readers: Readers }, closed);
export const DocumentAccess = Type.Object(
  {
    document_id: Type.String(),
    readers: Readers,
    base_readers: Readers,
  },
  { description: "Who may read a document: whoever both lists admit." },
);
export type DocumentAccess = Static<typeof DocumentAccess>;

export const ReviewDocumentBody = Type.Object({ review_at: Type.Optional(ReviewAt) }, closed);

export const BaseExport = Type.Object(
  {
    base_id: Type.String(),
    name: Type.String(),
    documents: Count("Documents that the caller may read."),
    media_type: Type.Literal("application/x-ndjson"),
    url: Type.String({ description: "Where the content streams: read it with `Accept: application/x-ndjson`." }),
  },
  {
    description:
      "An export: a line of JSON for the base, then one for each document, oldest first, with contents, metadata and access.",
  },
);
export type BaseExport = Static<typeof BaseExport>;

export const ReindexedDocument = Type.Object(
  {
    document_id: Type.String(),
    base_id: Type.String(),
    base: Type.String({ description: "The base's name." }),
    state: Type.Enum(documentStates, {
      description: "How far it is; one that is already under way goes on.",
    }),
    version: Type.Integer({ minimum: 1, description: "The version that is served." }),
  },
  { description: "A document that is indexed again." },
);

export const ChunkRef = Type.String({
  pattern: "^[1-9][0-9]{0,8}$",
  description: "The chunk, by its number in the document, from 1.",
});
export const CitationId = Type.String({
  pattern: "^cit_[0-9a-z]{34,64}$",
  description: "A citation (`cit_…`), as searches and chunks carry it.",
});

const chunkMembers = {
  number: ordinal("Its place among the document's chunks, from 1."),
  citation: Type.String({ description: "Leads to this very text, also after the document has changed." }),
  version: ordinal("The version of the document that it is of."),
  revision: ordinal("Raised by each correction by hand."),
  title: Type.String({ description: "The document's title." }),
  text: Type.String(),
  kind: Type.Enum(["text", "table", "code", "record"] as const),
  headings: Type.Array(Type.String(), { description: "The headings above it, outermost first." }),
  first_page: nullable(Type.Integer(), "The page on which it begins, from 1; null where the source has no pages."),
  last_page: nullable(Type.Integer()),
  starts_at: nullable(
    Type.Integer(),
    "Where it begins in the document's text, in UTF-16 code units; null for records.",
  ),
  ends_at: nullable(Type.Integer()),
  data_classes: Type.Array(Type.String(), { description: "Classes of data found in it." }),
};

export const DocumentChunk = Type.Object(
  { ...chunkMembers, disabled: Type.Boolean({ description: "Searches do not find it." }) },
  { description: "A chunk of a document as it is indexed." },
);
export type DocumentChunk = Static<typeof DocumentChunk>;

export const ChangeChunkBody = Type.Object(
  {
    text: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 16_000,
        pattern: "^[^\\u0000]*$",
        description: "Its corrected text. The document itself stays as it is.",
      }),
    ),
    disabled: Type.Optional(Type.Boolean({ description: "Whether searches leave it out." })),
  },
  { ...closed, minProperties: 1 },
);
export type ChangeChunkBody = Static<typeof ChangeChunkBody>;

export const Citation = Type.Object(
  {
    ...chunkMembers,
    base_id: Type.String(),
    base: Type.String({ description: "The base's name." }),
    document_id: Type.String(),
    external_id: nullable(Type.String()),
    document_title: Type.String({ description: "The document's title today." }),
    file_name: nullable(Type.String(), "The file that it was in."),
    url: nullable(Type.String(), "Where it was fetched from."),
    current: Type.Boolean({ description: "Whether searches still find exactly this." }),
    current_version: ordinal("The document's version today."),
    replaced_at: nullable(Time, "When it was replaced or corrected; null: it stands."),
  },
  { description: "The source text of a citation, as it was when it was cited." },
);
export type Citation = Static<typeof Citation>;
