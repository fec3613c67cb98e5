import { type Static, Type } from "typebox";
import { closed, nullable, Time } from "../../kernel/schema-words.ts";
import { ordinal } from "../../kernel/whole-numbers.ts";

/** A chunk in a path: its number in the document. */
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

/** A chunk as it is indexed. */
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

/** What a citation leads to. */
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
