import { type Static, Type } from "typebox";
import { Count, closed, nullable, Time } from "../../../kernel/schema-words.ts";
import { ConversationId } from "../conversations/schemas.ts";

export const FileId = Type.String({ pattern: "^fil_[0-9a-z]{26}$", description: "The file's id, `fil_…`." });
const name = Type.String({ minLength: 1, maxLength: 200, description: "Its name, without folders." });

export const ChatFile = Type.Object({
  file_id: FileId,
  conversation_id: ConversationId,
  name,
  media_type: Type.String(),
  size: Count("Bytes."),
  sha256: Type.String({ description: "In hexadecimal." }),
  characters: nullable(
    Count("Characters of text that the agent can read in it."),
    "Null: it has no text that can be read.",
  ),
  author: nullable(Type.String(), "Who attached it, by id."),
  audit_ref: Type.String(),
  created_at: Time,
});
export type ChatFile = Static<typeof ChatFile>;

export const AddFileForm = Type.Object({}, { ...closed, description: "Nothing is said of the file besides." });

export const AddFileBody = Type.Object(
  {
    name,
    text: Type.Optional(Type.String({ minLength: 1, maxLength: 200_000, description: "A text; or give an `image`." })),
    image: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 7_000_000,
        description: "An image in base64: PNG, JPEG, GIF or WebP, up to 5 MiB.",
      }),
    ),
  },
  closed,
);
export type AddFileBody = Static<typeof AddFileBody>;
