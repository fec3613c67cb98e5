import type { ErrorCode } from "yaml";

export const MOST_FAULTS = 100;

/** One fault of a file, with its place for people (line and column, from 1; columns in characters) and for programs (JSON Pointer). */
export interface PlacedFault {
  /** JSON Pointer (RFC 6901) into the value; empty while the text is unreadable. */
  readonly pointer: string;
  readonly code: string;
  readonly detail: string;
  readonly line: number;
  readonly column: number;
}

const FIELD_NAME = "A field's name must be a plain text. Write it out, in quotation marks if need be.";

/** Our sentence for each of the parser's codes, whose own messages may quote the text; `syntax` is the code where none is named. */
const SYNTAX: Readonly<Partial<Record<ErrorCode, string>>> = {
  ALIAS_PROPS: "An alias (`*name`) takes neither an anchor nor a tag. Leave it out.",
  BAD_ALIAS:
    "An alias (`*name`) or an anchor (`&name`) needs a name. Put the text into quotation marks if it is meant as text.",
  BAD_DIRECTIVE: "A line that begins with `%` is not allowed here. Leave it out, or put the text into quotation marks.",
  BAD_DQ_ESCAPE:
    "An unknown escape in a text in double quotation marks. Write `\\\\` for a backslash, or use single quotation marks.",
  BAD_INDENT: "The indentation does not fit what stands around it. Indent members of one list or map alike.",
  BAD_PROP_ORDER: "An anchor or a tag must stand before its value.",
  BAD_SCALAR_START: "A text cannot begin with this character. Put it into quotation marks.",
  BLOCK_AS_IMPLICIT_KEY:
    "A `:` stands where no new field can begin. Put a text that holds `: ` into quotation marks, or write it below `|`.",
  BLOCK_IN_FLOW:
    "Inside `{ }` and `[ ]`, write `{ name: value }` and `[ one, two ]`; lists with `-` cannot stand there.",
  KEY_OVER_1024_CHARS: "The name of a field may have at most 1,024 characters.",
  MISSING_CHAR:
    "Something is missing: a closing quotation mark, bracket or brace, a comma, or the space after `:` or `-`.",
  MULTILINE_IMPLICIT_KEY:
    "A field's name must stand on one line with its `:`. Check the line before for a missing `:` or quotation mark.",
  MULTIPLE_ANCHORS: "A value can have one anchor (`&name`) only.",
  MULTIPLE_TAGS: "A value can have one tag only.",
  MULTIPLE_DOCS: "Put what follows `---` into a file of its own.",
  NON_STRING_KEY: FIELD_NAME,
  TAB_AS_INDENT: "A tab indents this line. YAML indents by spaces only.",
  TAG_RESOLVE_FAILED: "Tags such as `!name` or `!!binary` are not read. Leave the tag out.",
  UNEXPECTED_TOKEN:
    "This does not fit here. Check indentation, quotation marks and brackets on this line and the one before.",
  BAD_COLLECTION_TYPE: "The tag does not fit the value. Leave the tag out.",
};
const CODES: Readonly<Partial<Record<ErrorCode, string>>> = {
  MULTIPLE_DOCS: "several_documents",
  NON_STRING_KEY: "field_name",
  TAG_RESOLVE_FAILED: "tag_refused",
  BAD_COLLECTION_TYPE: "tag_refused",
};
const OTHER = "The text is not valid YAML 1.2 here. Check indentation, quotation marks and brackets.";

/** Our code and sentence for an error or a warning of the parser. */
export const syntaxFault = (code: ErrorCode) => ({ code: CODES[code] ?? "syntax", detail: SYNTAX[code] ?? OTHER });

/** Our sentences for what YAML can hold and a file cannot. */
export const DETAILS = {
  empty_file: "The file is empty.",
  directive_refused: "The file is read as YAML 1.2. Leave this line out.",
  unknown_alias: "No anchor (`&name`) of this name stands before the alias. Define it first, or write the value out.",
  circular_alias: "The alias stands inside of what it stands for. Write the value out.",
  duplicate_field: "This field is given twice. Give it once.",
  field_name: FIELD_NAME,
  nul_character: "A text holds the NUL character (U+0000). Leave it out.",
  lone_surrogate: "A text holds half of a surrogate pair. Write whole characters.",
  noncharacter: "A text holds a code point that Unicode keeps from use (a noncharacter). Leave it out.",
} as const;
