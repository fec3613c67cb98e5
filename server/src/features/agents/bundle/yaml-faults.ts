import type { ErrorCode } from "yaml";

/** One fault of a file, with its place for people (line and column, from 1; columns in characters) and for programs (JSON Pointer). */
export interface BundleFault {
  /** JSON Pointer (RFC 6901) into the definition; the whole where the text could not be read so far. */
  readonly pointer: string;
  readonly code: string;
  readonly detail: string;
  readonly line: number;
  readonly column: number;
}

/** What can be wrong with the text itself: our word and our sentence for each of the parser's codes. */
const SYNTAX: Readonly<Partial<Record<ErrorCode, readonly [code: string, detail: string]>>> = {
  ALIAS_PROPS: ["syntax", "An alias (`*name`) takes neither an anchor nor a tag. Leave it out."],
  BAD_ALIAS: [
    "syntax",
    "An alias (`*name`) or an anchor (`&name`) needs a name. Put the text into quotation marks if it is meant as text.",
  ],
  BAD_DIRECTIVE: [
    "syntax",
    "A line that begins with `%` is not allowed here. Leave it out, or put the text into quotation marks.",
  ],
  BAD_DQ_ESCAPE: [
    "syntax",
    "An unknown escape in a text in double quotation marks. Write `\\\\` for a backslash, or use single quotation marks.",
  ],
  BAD_INDENT: [
    "syntax",
    "The indentation does not fit what stands around it. Indent members of one list or map alike.",
  ],
  BAD_PROP_ORDER: ["syntax", "An anchor or a tag must stand before its value."],
  BAD_SCALAR_START: ["syntax", "A text cannot begin with this character. Put it into quotation marks."],
  BLOCK_AS_IMPLICIT_KEY: [
    "syntax",
    "A `:` stands where no new field can begin. Put a text that holds `: ` into quotation marks, or write it below `|`.",
  ],
  BLOCK_IN_FLOW: [
    "syntax",
    "Inside `{ }` and `[ ]`, write `{ name: value }` and `[ one, two ]`; lists with `-` cannot stand there.",
  ],
  KEY_OVER_1024_CHARS: ["syntax", "The name of a field may have at most 1,024 characters."],
  MISSING_CHAR: [
    "syntax",
    "Something is missing: a closing quotation mark, bracket or brace, a comma, or the space after `:` or `-`.",
  ],
  MULTILINE_IMPLICIT_KEY: [
    "syntax",
    "A field's name must stand on one line with its `:`. Check the line before for a missing `:` or quotation mark.",
  ],
  MULTIPLE_ANCHORS: ["syntax", "A value can have one anchor (`&name`) only."],
  MULTIPLE_TAGS: ["syntax", "A value can have one tag only."],
  MULTIPLE_DOCS: ["several_documents", "A file holds one agent. Put what follows `---` into a file of its own."],
  NON_STRING_KEY: ["field_name", "A field's name must be a plain text. Write it out, in quotation marks if need be."],
  TAB_AS_INDENT: ["syntax", "A tab indents this line. YAML indents by spaces only."],
  TAG_RESOLVE_FAILED: ["tag_refused", "Tags such as `!name` or `!!binary` are not read. Leave the tag out."],
  UNEXPECTED_TOKEN: [
    "syntax",
    "This does not fit here. Check indentation, quotation marks and brackets on this line and the one before.",
  ],
  BAD_COLLECTION_TYPE: ["tag_refused", "The tag does not fit the value. Leave the tag out."],
};
const OTHER = [
  "syntax",
  "The text is not valid YAML 1.2 here. Check indentation, quotation marks and brackets.",
] as const;

/** Our code and sentence for an error or a warning of the parser. Its own message may quote the text and is not passed on. */
export function syntaxFault(code: ErrorCode): { code: string; detail: string } {
  const [word, detail] = SYNTAX[code] ?? OTHER;
  return { code: word, detail };
}
