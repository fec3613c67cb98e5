const AGAIN = "Ask the publisher for a fresh copy of the bundle.";
const REPACK = "Ask the publisher to pack the files again with this service and to sign the result.";
const BUNDLE_JSON = "Correct bundle.json, then pack and sign again.";
const PATHS =
  "A path has at most 100 bytes: a-z, 0-9, `.`, `_`, `-` and `/`, every segment beginning with a letter or digit.";
const RENAME = "Rename the file, then pack and sign again.";
const FILES_ONLY = "An archive holds regular files only.";
const LEAVE_OUT = "Leave the entry out, or replace it by a regular file, then pack and sign again.";
const EXACT = "The tar must be byte for byte what packing the same files gives.";
const ONE_MEMBER = "An archive is one gzip member and nothing after it.";

/** Rule and remedy of every code. */
const rules = {
  file_too_large: ["A travelling file has at most 8 MiB.", "Ask the publisher for a smaller bundle."],
  file_json: ["A travelling file is JSON in UTF-8 without a name given twice.", AGAIN],
  file_shape: ["A travelling file has exactly the fields of the format aos-bundle/1.", AGAIN],
  file_not_canonical: ["The text is JSON without white space, its fields in the order of the format.", AGAIN],
  base64: ["Base64 uses the standard alphabet with padding, and no other spelling of the same bytes.", AGAIN],
  key_form: ["Keys are Ed25519 public keys as SPKI DER of 44 bytes.", AGAIN],
  key_id: ["A key id is `sha256:` and the SHA-256 of the SPKI DER in lower-case hexadecimal.", AGAIN],
  key_repeated: ["A publisher never returns to a former key.", "Ask the publisher to rotate to a new key."],
  signer: ["The last key of the publisher signs the bundle.", AGAIN],
  signature: ["The signature must fit the statement and the key.", `The bundle was changed or mis-signed. ${AGAIN}`],
  rotation_count: ["Every key but the first needs exactly one rotation that names it.", AGAIN],
  rotation_signature: ["A rotation is signed by the key before the one it names.", AGAIN],
  rotation_shape: ["A rotation names publisher, name, from, to and public_key, and nothing else.", AGAIN],
  rotation_differs: ["A rotation leads from each key to the next, for the same publisher.", AGAIN],
  pinned_key_absent: [
    "Updates of a publisher must lead from the key trusted before to the signer's key.",
    "Compare the key ids with the publisher over another channel before trusting the new key.",
  ],
  wrong_private_key: ["The private key must belong to the publisher's last key.", "Sign with the current key."],
  statement_json: ["The payload is JSON in UTF-8 without a name given twice.", AGAIN],
  statement_shape: ["The payload is an in-toto v1 statement about one marketplace bundle.", AGAIN],
  statement_subject: ["The subject of the statement is `<name>@<version>` of its own predicate.", AGAIN],
  publisher_differs: ["The publisher beside the statement must be the one in it.", AGAIN],
  archive_digest: ["The archive must have the SHA-256 that the statement names.", AGAIN],
  archive_too_large: ["An archive has at most 4 MiB.", "Ask the publisher for a smaller bundle."],
  gzip_header: ["The gzip header has no name, no time and no comment.", REPACK],
  gzip_broken: ["An archive is one complete gzip member.", REPACK],
  gzip_checksum: ["The checksum and the length at the end of gzip must fit the contents.", REPACK],
  gzip_second_member: [ONE_MEMBER, REPACK],
  gzip_trailing_data: [ONE_MEMBER, REPACK],
  unpacked_too_large: ["An archive unpacks to at most 16 MiB.", "Ask the publisher for a smaller bundle."],
  tar_truncated: ["A tar is whole blocks of 512 bytes and ends with two blocks of zeros.", REPACK],
  tar_trailing_data: ["Nothing follows the two blocks of zeros.", REPACK],
  tar_not_canonical: [EXACT, REPACK],
  header_checksum: ["The checksum of a header must fit the header.", REPACK],
  header_format: ["Headers are POSIX ustar, version 00.", REPACK],
  hard_link: [FILES_ONLY, LEAVE_OUT],
  symbolic_link: [FILES_ONLY, LEAVE_OUT],
  character_device: [FILES_ONLY, LEAVE_OUT],
  block_device: [FILES_ONLY, LEAVE_OUT],
  folder_entry: [FILES_ONLY, LEAVE_OUT],
  fifo: [FILES_ONLY, LEAVE_OUT],
  pax_header: ["Extended headers (PAX) are not read.", REPACK],
  pax_global_header: ["Extended headers (PAX) are not read.", REPACK],
  gnu_long_name: ["GNU extensions of tar are not read.", REPACK],
  gnu_long_link: ["GNU extensions of tar are not read.", REPACK],
  sparse_file: ["GNU extensions of tar are not read.", REPACK],
  entry_type: [FILES_ONLY, LEAVE_OUT],
  path_nul: [PATHS, RENAME],
  path_not_utf8: [PATHS, RENAME],
  path_too_long: [PATHS, RENAME],
  path_prefix: ["The whole path stands in the name field; the prefix field is empty.", REPACK],
  path_absolute: [PATHS, RENAME],
  path_dot_segment: [PATHS, RENAME],
  path_backslash: [PATHS, RENAME],
  path_drive_letter: [PATHS, RENAME],
  path_upper_case: ["Paths are lower case, so that no two differ in case only.", RENAME],
  path_form: [PATHS, RENAME],
  path_is_folder: ["A path cannot be a file and a folder at once.", RENAME],
  duplicate_path: ["Every path occurs once.", REPACK],
  unsorted_entries: ["Entries are sorted by path, bytewise.", REPACK],
  too_many_files: ["An archive has at most 500 files.", "Put several texts into one file, then pack and sign again."],
  no_files: ["An archive has at least one file.", REPACK],
  entry_too_large: ["One file has at most 8 MiB.", "Shorten or split the file, then pack and sign again."],
  size_not_octal: ["A size is eleven octal digits.", REPACK],
  size_beyond_data: ["An entry's size must not reach beyond the tar.", REPACK],
  entry_mode: ["Every entry has mode 0644.", REPACK],
  entry_owner: ["Every entry has uid 0 and gid 0, and no names of users or groups.", REPACK],
  entry_time: ["Every entry has the time 0.", REPACK],
  entry_link_name: ["A regular file has no link name.", REPACK],
  entry_padding: ["Padding after a file is zeros.", REPACK],
  file_missing: ["Every file that the statement names is in the archive.", AGAIN],
  file_unnamed: ["Every file in the archive is named in the statement.", AGAIN],
  file_digest: ["Every file has the SHA-256 that the statement names.", AGAIN],
  manifest_missing: ["An archive has a file bundle.json.", "Add bundle.json, then pack and sign again."],
  manifest_too_large: ["bundle.json has at most 256 KiB.", BUNDLE_JSON],
  manifest_not_utf8: ["bundle.json is UTF-8.", BUNDLE_JSON],
  manifest_json: ["bundle.json is JSON, as RFC 8259 and RFC 7493 define it.", BUNDLE_JSON],
  manifest_duplicate_name: ["No name occurs twice in an object of bundle.json.", BUNDLE_JSON],
  manifest_too_deep: ["bundle.json nests at most 16 levels.", BUNDLE_JSON],
  manifest_shape: ["bundle.json has the fields that the format names, and no others.", BUNDLE_JSON],
  manifest_differs: ["bundle.json and the statement name the same kind, name and version.", AGAIN],
  scorecard_json: ["scorecard.json is JSON of at most 512 KiB.", "Make the scorecard again, then pack and sign again."],
  scorecard_differs: ["scorecard.json and the statement hold the same scorecard.", AGAIN],
} as const satisfies Readonly<Record<string, readonly [rule: string, remedy: string]>>;

export type BundleFaultCode = keyof typeof rules;

/** What is at fault: the travelling file or a part of it, a file inside the archive, or a key. */
export type BundlePart = "file" | "statement" | "rotation" | "archive" | "bundle.json" | "scorecard.json" | "key";

export interface BundlePlace {
  readonly part: BundlePart;
  /**
   * In JSON parts a JSON Pointer (RFC 6901); for a field inside a rotation, the rotation's pointer, `#` and the
   * field's. In the archive the path of the entry, or `byte <n>` of the unpacked tar where there is none. Empty where
   * the part as a whole is meant.
   */
  readonly at: string;
}

/** Why something is no valid bundle. `message` says what is wrong, the rule, and what to do, in this order. */
export class BundleFault extends Error {
  readonly code: BundleFaultCode;
  readonly place: BundlePlace;

  constructor(code: BundleFaultCode, place: BundlePlace, what: string) {
    super([what, ...rules[code]].join(" "));
    this.name = "BundleFault";
    this.code = code;
    this.place = place;
  }
}

/** All codes, for documentation and tests. */
export const BUNDLE_FAULT_CODES = Object.keys(rules) as readonly BundleFaultCode[];

const LONGEST = 80;

/** A stranger's text in quotation marks: shortened, everything but printable ASCII escaped. */
export function quoted(text: string): string {
  const cut = text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
  return JSON.stringify(cut).replace(
    /[^\x20-\x7e…]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
