import { type Static, Type } from "typebox";
import { closed, nullable } from "../../../kernel/schema-words.ts";
import { outcomes } from "./judgement.ts";

const Texts = (description: string) =>
  Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 255 }), { minItems: 1, maxItems: 100, description }));
const time = (description: string) => Type.Optional(Type.String({ format: "date-time", description }));
const MetadataValue = Type.Union([Type.String({ maxLength: 1000 }), Type.Number(), Type.Boolean()]);

export const SearchFilters = Type.Object(
  {
    documents: Texts("Documents, by id (`doc_…`)."),
    external_ids: Texts("Documents, by what their own systems call them."),
    kinds: Type.Optional(
      Type.Array(Type.Enum(["text", "table", "code", "record"] as const), {
        minItems: 1,
        description: "What the passages are.",
      }),
    ),
    sources: Type.Optional(
      Type.Array(Type.Enum(["text", "file", "url", "connector"] as const), {
        minItems: 1,
        description: "Where the documents came from.",
      }),
    ),
    created_after: time("Documents added at this time or later."),
    created_before: time("Documents added before this time."),
    updated_after: time("Documents changed at this time or later."),
    updated_before: time("Documents last changed before this time."),
    metadata: Type.Optional(
      Type.Record(
        Type.String({ minLength: 1, maxLength: 255 }),
        Type.Union([MetadataValue, Type.Array(MetadataValue, { minItems: 1, maxItems: 100 })]),
        {
          maxProperties: 20,
          description:
            "Values by key, all of which a document must have. Of several values for a key, one suffices; a list in a document matches by any of its values.",
        },
      ),
    ),
  },
  { ...closed, description: "What the documents must be, all of it." },
);

export const SearchBody = Type.Object(
  {
    query: Type.String({
      minLength: 1,
      maxLength: 4000,
      pattern: "^[^\\u0000]*$",
      description: 'A question or words. `"Quoted phrases"` must occur, words after a minus (`-draft`) must not.',
    }),
    bases: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
        minItems: 1,
        maxItems: 100,
        uniqueItems: true,
        description: "Bases by id or name; all that may be read without it.",
      }),
    ),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 50, default: 10, description: "Passages at most." })),
    as: Type.Optional(
      Type.Object(
        {
          member: Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: "`mbr_…`" })),
          agent: Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: "The agent's name." })),
        },
        {
          ...closed,
          minProperties: 1,
          maxProperties: 1,
          description: "Finds what this member or agent may read too. It never shows more than the caller may read.",
        },
      ),
    ),
    filters: Type.Optional(SearchFilters),
    hybrid: Type.Optional(
      Type.Enum(["auto", "words", "vectors"] as const, {
        default: "auto",
        description: "`auto`: by words, and by meaning where a provider of embeddings is connected.",
      }),
    ),
  },
  closed,
);
export type SearchBody = Static<typeof SearchBody>;

export const FoundPassage = Type.Object(
  {
    citation: Type.String({ description: "`cit_…`: names this passage as it is now, for good." }),
    base: Type.String({ description: "The base's name." }),
    base_id: Type.String({ description: "`kb_…`" }),
    document_id: Type.String({ description: "`doc_…`" }),
    external_id: nullable(Type.String(), "What the document's own system calls it."),
    url: nullable(Type.String(), "Where the document was read from, as a link for people; null where it has none."),
    title: Type.String({ description: "The document's title." }),
    headings: Type.Array(Type.String(), { description: "The headings above the passage, outermost first." }),
    kind: Type.Enum(["text", "table", "code", "record"] as const),
    first_page: nullable(Type.Integer(), "The page on which it begins, from 1; null where the source has no pages."),
    last_page: nullable(Type.Integer()),
    text: Type.String(),
    highlights: Type.Array(Type.Object({ start: Type.Integer(), end: Type.Integer() }), {
      description: "Where the words of the query are in `text`, in UTF-16 code units.",
    }),
    data_classes: Type.Array(Type.String(), { description: "Classes of personal or confidential data in it." }),
    score: Type.Number({ description: "How well it answers; comparable within one search only." }),
  },
  { description: "A passage that a search found." },
);
export type FoundPassage = Static<typeof FoundPassage>;

export const SearchAnswer = Type.Object(
  {
    data: Type.Array(FoundPassage, { description: "Best first." }),
    outcome: Type.Enum(outcomes, {
      description:
        "`answered`: the first document is the right one in four of five such cases. `unsure`: the right one is usually among the first three. `nothing`: nothing that was found belongs to the question.",
    }),
    probability: Type.Number({
      minimum: 0,
      maximum: 1,
      description: "That the first document answers, calibrated over several bases and by ratings of replies.",
    }),
    answered: Type.Boolean({ description: "Whether the outcome is another one than `nothing`." }),
    coverage: Type.Number({
      description:
        "The part, from 0 to 1, of what the query's words tell that the best passage has; rare words tell more.",
    }),
    corrected: Type.Array(Type.Object({ from: Type.String(), to: Type.String() }), {
      description: "Words that no base knows, with the known word that was looked for instead, as its stem.",
    }),
    reranked: nullable(
      Type.Boolean(),
      "Whether a reranker ordered the best passages. False: it did not answer in time, and the order is the plain one. Null: the bases do not all name the same one.",
    ),
    note: nullable(
      Type.String(),
      "Why the order is the plain one though a reranker was asked, such as a connection that is missing; null: nothing to say.",
    ),
    took_ms: Type.Number(),
  },
  { description: "What a search found." },
);
export type SearchAnswer = Static<typeof SearchAnswer>;
