import { type Static, Type } from "typebox";
import { closed, nullable, Time } from "../../kernel/schema-words.ts";
import { readerTokenPattern } from "./access.ts";
import { Embedding } from "./vectors/schemas.ts";

/** The languages whose stems PostgreSQL 15 knows; `simple` takes words as they are. */
export const languages =
  "simple arabic armenian basque catalan danish dutch english finnish french german greek hindi hungarian indonesian irish italian lithuanian nepali norwegian portuguese romanian russian serbian spanish swedish tamil turkish yiddish".split(
    " ",
  );

/** A base in a path: `kb_…`, or its name. */
export const BaseRef = Type.String({
  minLength: 1,
  maxLength: 64,
  description: "The base, by id (`kb_…`) or by name.",
});

/** A document in a path: `doc_…`, or what its own system calls it. */
export const DocumentRef = Type.String({
  minLength: 1,
  maxLength: 255,
  description: "The document, by id (`doc_…`) or by its `external_id`, such as `ld_1001`.",
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

/** A new knowledge base. */
export const CreateBaseBody = Type.Object(
  {
    name: BaseName,
    description: Type.Optional(Type.String({ maxLength: 2000, description: "What is in it." })),
    language: Type.Optional(Type.Enum(languages, { ...Language, default: "english" })),
    embedding: Type.Optional(nullable(Embedding, "Which model makes vectors of its texts; null: none does.")),
  },
  closed,
);
export type CreateBaseBody = Static<typeof CreateBaseBody>;

export const KnowledgeBase = Type.Object(
  {
    base_id: Type.String({ description: "`kb_…`" }),
    name: Type.String({ description: "What agents call it by; unique in the environment." }),
    description: Type.String(),
    language: Language,
    documents: Type.Integer({ description: "How many documents it has, records among them." }),
    records: Type.Integer({ description: "Documents with fields: what tools of kind `record` find." }),
    chunks: Type.Integer({ description: "Pieces of them that searches find." }),
    author: Type.String({ description: "Who made it, by id." }),
    created_at: Time,
    updated_at: nullable(Time, "When a document last came or changed; null: it is empty."),
  },
  { description: "A knowledge base of the environment." },
);
export type KnowledgeBase = Static<typeof KnowledgeBase>;

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
/** What is said of a document besides its contents. */
const details = {
  metadata: Type.Optional(
    Type.Record(Type.String({ minLength: 1, maxLength: 64 }), Type.Unknown(), {
      maxProperties: 64,
      description: "Values that searches can filter by.",
    }),
  ),
  readers: Type.Optional(
    nullable(
      Type.Array(Type.String({ pattern: readerTokenPattern }), { maxItems: 100, uniqueItems: true }),
      "Who may read it, besides what its base says: `role:approver`, `member:mbr_…`, `agent:sales`. Null: everybody who may read the base.",
    ),
  ),
  review_at: Type.Optional(nullable(Time, "When somebody has to look whether it still holds.")),
};

/** A document to be added: words, a record's fields, or both; or the address of a file. */
export const AddDocumentBody = Type.Object(
  {
    external_id: Type.Optional(ExternalId),
    title: Type.Optional(Title),
    text: Type.Optional(
      Type.String({ minLength: 1, description: "Its words. They are cut into chunks at paragraphs and sentences." }),
    ),
    fields: Type.Optional(
      Type.Record(Type.String({ minLength: 1, maxLength: 255 }), Type.Unknown(), {
        minProperties: 1,
        maxProperties: 1000,
        description:
          "A record's values by name: what a tool of kind `record` answers for its `external_id`. They are found as text, too.",
      }),
    ),
    url: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 2048,
        description: "Where the file is. It is fetched and indexed after the answer; `state` says how far that is.",
      }),
    ),
    ...details,
  },
  { ...closed, description: "A document: `text`, `fields`, or both; or the `url` of a file." },
);
export type AddDocumentBody = Static<typeof AddDocumentBody>;

const documentMembers = {
  document_id: Type.String({ description: "`doc_…`" }),
  base_id: Type.String({ description: "`kb_…`" }),
  base: Type.String({ description: "The base's name." }),
  external_id: nullable(Type.String(), "What its own system calls it."),
  title: Type.String(),
  state: Type.Enum(["queued", "parsing", "indexing", "indexed", "failed"] as const, {
    description:
      "`indexed`: searches and record look-ups find what it says now. Until then, and where it `failed`, they find what it said before.",
  }),
  chunks: Type.Integer({ description: "Pieces of it that searches find." }),
  digest: nullable(
    Type.String(),
    "SHA-256, in hexadecimal, of the canonical JSON (RFC 8785) of its title, text and fields; null where it came with the service.",
  ),
  author: Type.String({ description: "Who added what it says now, by id." }),
  created_at: Time,
  updated_at: Time,
};

/** A file to be added, as `multipart/form-data`. */
export const AddDocumentForm = Type.Object(
  {
    external_id: Type.Optional(ExternalId),
    title: Type.Optional(Title),
    ...details,
  },
  { ...closed, description: "What is said of a file. `metadata` and `readers` are parts with JSON." },
);
export type AddDocumentForm = Static<typeof AddDocumentForm>;

/** A document with what it says. */
export const KnowledgeDocument = Type.Object(
  {
    ...documentMembers,
    text: nullable(Type.String()),
    fields: Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()]),
  },
  { description: "A document of a knowledge base." },
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

export const ReindexedDocument = Type.Object(
  {
    document_id: Type.String(),
    base_id: Type.String(),
    base: Type.String({ description: "The base's name." }),
    state: Type.Enum(["queued", "parsing", "indexing", "indexed", "failed"] as const, {
      description: "How far it is; one that is already under way goes on.",
    }),
    version: Type.Integer({ minimum: 1, description: "The version that is served." }),
  },
  { description: "A document that is indexed again." },
);

/** How many documents one call may bring. */
export const MOST_DOCUMENTS = 1000;

export const AddDocumentsBody = Type.Object(
  {
    documents: Type.Array(
      Type.Object(
        {},
        { additionalProperties: true, description: "As the body of `POST /v1/knowledge/bases/{base}/documents`." },
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
  failed: Type.Integer(),
  results: Type.Array(
    Type.Object({
      index: Type.Integer({ description: "The item's place in the call, from 0." }),
      status: Type.Enum([202, 422] as const, { description: "As if it had been added alone." }),
      document: nullable(AddedDocument),
      errors: Type.Array(DocumentFault, { description: "Why it was not added; empty where it was." }),
    }),
    { description: "One for each item, in their order." },
  ),
});
export type AddDocumentsResult = Static<typeof AddDocumentsResult>;
