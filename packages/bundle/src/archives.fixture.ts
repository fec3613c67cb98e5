import { constants, deflateRawSync, gzipSync } from "node:zlib";
import { packArchive } from "./archive.ts";
import { bytesOf, manifest, sampleFiles } from "./bundle.fixture.ts";
import type { BundleFaultCode } from "./faults.ts";
import { gzip } from "./gzip.ts";
import { BLOCK, writeHeader } from "./header.ts";

/** An archive that no honest packer makes, and the code that refuses it. */
export interface HostileArchive {
  readonly name: string;
  readonly code: BundleFaultCode;
  readonly make: () => Uint8Array;
}

const END = Buffer.alloc(2 * BLOCK);

/** Writes fields over a header and corrects its checksum, unless the change is of the checksum itself. */
function header(
  path: string,
  size: number,
  changes: readonly (readonly [at: number, bytes: string | Buffer])[],
): Buffer {
  const block = writeHeader(path, size);
  for (const [at, bytes] of changes) Buffer.from(bytes as string, "latin1").copy(block, at);
  if (changes.some(([at]) => at === 148)) return block;
  correctChecksum(block);
  return block;
}

export function correctChecksum(block: Buffer): void {
  block.write("        ", 148, "latin1");
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148, "latin1");
}

const padded = (contents: Buffer): Buffer =>
  Buffer.concat([contents, Buffer.alloc((BLOCK - (contents.length % BLOCK)) % BLOCK)]);

/** A well-formed entry, or one whose header is changed at places. */
function entry(path: string, text = "x", ...changes: (readonly [number, string | Buffer])[]): Buffer {
  const contents = bytesOf(text);
  return Buffer.concat([header(path, contents.length, changes), padded(contents)]);
}

const tar = (...pieces: Buffer[]): Buffer => gzip(Buffer.concat([...pieces, END]));
/** An archive with one entry of this type in front of an honest one. */
const typed = (flag: string, path = "a.txt", text = ""): Buffer => tar(entry(path, text, [156, flag]), entry("b.txt"));
/** An archive with one entry of this name, which no honest header holds. */
const namedEntry = (name: string | Buffer): Buffer => tar(entry("a", "x", [0, name]));
const pax = (...records: string[]): string => records.map((text) => `${text.length + 3} ${text}\n`).join("");

/** Deflate of so many MiB of zeros, without having them in memory: one flushed piece, repeated. */
function zeros(mebibytes: number): Buffer {
  const piece = deflateRawSync(Buffer.alloc(4 << 20), { level: 9, finishFlush: constants.Z_SYNC_FLUSH });
  const last = deflateRawSync(Buffer.alloc(0));
  return Buffer.concat([...Array<Buffer>(mebibytes / 4).fill(piece), last]);
}

const honest = (): Buffer => packArchive(sampleFiles());
const many = (count: number): Buffer[] =>
  Array.from({ length: count }, (_, at) => entry(`f${String(at).padStart(4, "0")}`, ""));
const nested = (depth: number): string => "[".repeat(depth) + "]".repeat(depth);

const links: readonly HostileArchive[] = [
  { name: "a hard link", code: "hard_link", make: () => tar(entry("a", "", [156, "1"], [157, "b"])) },
  { name: "a symbolic link", code: "symbolic_link", make: () => tar(entry("a", "", [156, "2"], [157, "/etc/passwd"])) },
  {
    name: "a link, then a file through it",
    code: "symbolic_link",
    make: () => tar(entry("a", "", [156, "2"], [157, "/tmp"]), entry("a/b")),
  },
  { name: "a file with a link name", code: "entry_link_name", make: () => tar(entry("a", "x", [157, "b"])) },
  { name: "a character device", code: "character_device", make: () => typed("3") },
  { name: "a block device", code: "block_device", make: () => typed("4") },
  { name: "a folder", code: "folder_entry", make: () => typed("5") },
  { name: "a FIFO", code: "fifo", make: () => typed("6") },
  { name: "a contiguous file", code: "entry_type", make: () => typed("7") },
  { name: "a file of the type of 1979", code: "entry_type", make: () => typed("\0") },
  { name: "a PAX path override", code: "pax_header", make: () => typed("x", "a", pax("path=../../etc/passwd")) },
  { name: "a global PAX header", code: "pax_global_header", make: () => typed("g", "a", pax("path=../evil")) },
  { name: "a GNU long name", code: "gnu_long_name", make: () => typed("L", "././@LongLink", "../evil") },
  { name: "a GNU long link", code: "gnu_long_link", make: () => typed("K", "././@LongLink", "/etc/passwd") },
  { name: "a GNU sparse file", code: "sparse_file", make: () => typed("S") },
  { name: "a GNU multi-volume part", code: "entry_type", make: () => typed("M") },
];

const paths: readonly HostileArchive[] = [
  { name: "a path out of the folder", code: "path_dot_segment", make: () => namedEntry("../evil") },
  { name: "a path out of a folder inside", code: "path_dot_segment", make: () => namedEntry("a/../../evil") },
  { name: "a path with a dot segment", code: "path_dot_segment", make: () => namedEntry("./a") },
  { name: "an absolute path", code: "path_absolute", make: () => namedEntry("/etc/passwd") },
  { name: "a backslash", code: "path_backslash", make: () => namedEntry("..\\evil") },
  { name: "a drive letter", code: "path_drive_letter", make: () => namedEntry("c:evil") },
  { name: "a name behind a NUL", code: "path_nul", make: () => namedEntry("a.txt\0/../evil") },
  { name: "a name that is not UTF-8", code: "path_not_utf8", make: () => namedEntry(Buffer.from([0x61, 0xff, 0xfe])) },
  { name: "a name in UTF-8", code: "path_form", make: () => namedEntry(Buffer.from("ä.txt", "utf8")) },
  { name: "a hidden file", code: "path_form", make: () => namedEntry(".npmrc") },
  { name: "an empty segment", code: "path_form", make: () => namedEntry("a//b") },
  { name: "an empty name", code: "path_form", make: () => namedEntry("\0") },
  { name: "a name that ends in a slash", code: "path_form", make: () => namedEntry("a/") },
  {
    name: "a path of more than 100 bytes",
    code: "path_too_long",
    make: () => tar(entry("a", "x", [0, "b".repeat(60)], [345, "c".repeat(60)])),
  },
  { name: "a path that is split", code: "path_prefix", make: () => tar(entry("a", "x", [345, "b"])) },
  {
    name: "paths that differ in case",
    code: "path_upper_case",
    make: () => tar(entry("README.md"), entry("readme.md")),
  },
  { name: "a duplicate name", code: "duplicate_path", make: () => tar(entry("a", "good"), entry("a", "evil")) },
  { name: "a duplicate name further on", code: "duplicate_path", make: () => tar(entry("a"), entry("b"), entry("a")) },
  { name: "unsorted entries", code: "unsorted_entries", make: () => tar(entry("b"), entry("a")) },
  { name: "a file inside a file", code: "path_is_folder", make: () => tar(entry("a"), entry("a/b")) },
];

const headers: readonly HostileArchive[] = [
  { name: "a wrong checksum", code: "header_checksum", make: () => tar(entry("a", "x", [148, "000000\0 "])) },
  { name: "a checksum with spaces", code: "header_checksum", make: () => tar(entry("a", "x", [148, "  6716\0 "])) },
  { name: "the magic of GNU", code: "header_format", make: () => tar(entry("a", "x", [257, "ustar  \0"])) },
  { name: "no magic", code: "header_format", make: () => tar(entry("a", "x", [257, "\0\0\0\0\0\0\0\0"])) },
  {
    name: "a size in base-256",
    code: "size_not_octal",
    make: () => tar(entry("a", "x", [124, Buffer.from("800000000000000000000001", "hex")])),
  },
  {
    name: "a negative size in base-256",
    code: "size_not_octal",
    make: () => tar(entry("a", "x", [124, Buffer.alloc(12, 0xff)])),
  },
  {
    name: "a negative size in digits",
    code: "size_not_octal",
    make: () => tar(entry("a", "x", [124, "-0000000001\0"])),
  },
  { name: "a size of twelve digits", code: "size_not_octal", make: () => tar(entry("a", "x", [124, "000000000001"])) },
  { name: "a size with spaces", code: "size_not_octal", make: () => tar(entry("a", "x", [124, "          1\0"])) },
  { name: "the largest octal size", code: "entry_too_large", make: () => tar(entry("a", "x", [124, "77777777777\0"])) },
  {
    name: "a size beyond the data",
    code: "size_beyond_data",
    make: () => tar(entry("a", "x", [124, "00000010000\0"])),
  },
  {
    name: "a size that swallows the end",
    code: "tar_truncated",
    make: () => tar(entry("a", "x", [124, "00000003000\0"])),
  },
  { name: "a time", code: "entry_time", make: () => tar(entry("a", "x", [136, "14000000000\0"])) },
  { name: "an executable mode", code: "entry_mode", make: () => tar(entry("a", "x", [100, "0000755\0"])) },
  { name: "a set-user-id mode", code: "entry_mode", make: () => tar(entry("a", "x", [100, "0004644\0"])) },
  { name: "an owner", code: "entry_owner", make: () => tar(entry("a", "x", [108, "0001750\0"])) },
  { name: "an owner's name", code: "entry_owner", make: () => tar(entry("a", "x", [265, "root"])) },
  { name: "device numbers of a file", code: "tar_not_canonical", make: () => tar(entry("a", "x", [329, "0000001\0"])) },
  {
    name: "bytes at the end of a header",
    code: "tar_not_canonical",
    make: () => tar(entry("a", "x", [500, "hidden"])),
  },
  {
    name: "bytes behind a file",
    code: "entry_padding",
    make: () => tar(header("a", 1, []), padded(bytesOf("xhidden"))),
  },
];

const ends: readonly HostileArchive[] = [
  { name: "an empty tar", code: "no_files", make: () => tar() },
  { name: "no end", code: "tar_truncated", make: () => gzip(entry("a")) },
  { name: "half an end", code: "tar_truncated", make: () => gzip(Buffer.concat([entry("a"), Buffer.alloc(BLOCK)])) },
  { name: "a tar cut inside a block", code: "tar_truncated", make: () => gzip(entry("a").subarray(0, 300)) },
  { name: "trailing zeros", code: "tar_trailing_data", make: () => tar(entry("a"), END) },
  { name: "a file behind the end", code: "tar_trailing_data", make: () => tar(entry("a"), END, entry("b")) },
  {
    name: "a file behind half an end",
    code: "tar_trailing_data",
    make: () => tar(entry("a"), Buffer.alloc(BLOCK), entry("b")),
  },
  { name: "501 files", code: "too_many_files", make: () => tar(...many(501)) },
  { name: "the gzip header of another program", code: "gzip_header", make: () => gzipSync(END) },
  {
    name: "a name in the gzip header",
    code: "gzip_header",
    make: () => Buffer.concat([Buffer.from("1f8b08080000000002ff6100", "hex"), honest().subarray(10)]),
  },
  {
    name: "a time in the gzip header",
    code: "gzip_header",
    make: () => Buffer.concat([Buffer.from("1f8b08000000000102ff", "hex"), honest().subarray(10)]),
  },
  { name: "no gzip at all", code: "gzip_header", make: () => Buffer.from("PK\x03\x04 something else") },
  { name: "nothing", code: "gzip_header", make: () => Buffer.alloc(0) },
  { name: "a gzip header alone", code: "gzip_broken", make: () => honest().subarray(0, 10) },
  { name: "half a gzip member", code: "gzip_broken", make: () => honest().subarray(0, honest().length >> 1) },
  { name: "a gzip member without checksum", code: "gzip_broken", make: () => honest().subarray(0, -8) },
  {
    name: "broken deflate",
    code: "gzip_broken",
    make: () => Buffer.concat([honest().subarray(0, 10), Buffer.alloc(64, 0xff)]),
  },
  {
    name: "a wrong gzip checksum",
    code: "gzip_checksum",
    make: () => Buffer.concat([honest().subarray(0, -8), Buffer.alloc(8)]),
  },
  { name: "a second gzip member", code: "gzip_second_member", make: () => Buffer.concat([honest(), honest()]) },
  {
    name: "bytes behind gzip",
    code: "gzip_trailing_data",
    make: () => Buffer.concat([honest(), Buffer.from("hidden")]),
  },
  { name: "a NUL behind gzip", code: "gzip_trailing_data", make: () => Buffer.concat([honest(), Buffer.alloc(1)]) },
  {
    name: "a gzip bomb of 2 GiB",
    code: "unpacked_too_large",
    make: () => Buffer.concat([honest().subarray(0, 10), zeros(2048), Buffer.alloc(8)]),
  },
  {
    name: "17 MiB in three files",
    code: "unpacked_too_large",
    make: () => tar(...["a", "b", "c"].map((path) => entry(path, "x".repeat(6 << 20)))),
  },
  { name: "a file of 9 MiB", code: "entry_too_large", make: () => tar(entry("a", "x".repeat(9 << 20))) },
];

/** Archives that are at fault before their files are looked at. */
export const hostileArchives: readonly HostileArchive[] = [...links, ...paths, ...headers, ...ends];

/** Well-formed archives whose files make no bundle. */
export const hostileFiles: readonly { name: string; code: BundleFaultCode; files: () => Map<string, Uint8Array> }[] = [
  ...(
    [
      ["that is not JSON", "manifest_json", "name: invoice-sorter"],
      ["that is empty", "manifest_json", ""],
      ["with a byte order mark", "manifest_json", `\uFEFF${JSON.stringify(manifest)}`],
      ["with text behind it", "manifest_json", `${JSON.stringify(manifest)}{}`],
      ["with the name __proto__", "manifest_json", '{"__proto__":{}}'],
      ["with a duplicate key", "manifest_duplicate_name", '{"kind":"agent","kind":"workflow"}'],
      ["with an escaped duplicate key", "manifest_duplicate_name", '{"kind":"agent","\\u006bind":"workflow"}'],
      ["that nests deep", "manifest_too_deep", nested(100_000)],
      ["that is too large", "manifest_too_large", { ...manifest, title: "x".repeat(300_000) }],
      ["with an unknown field", "manifest_shape", { ...manifest, install: "curl" }],
      ["without a field", "manifest_shape", { ...manifest, limits: undefined }],
      ["that is a list", "manifest_shape", [manifest]],
      ["with a number for a text", "manifest_shape", { ...manifest, title: 1 }],
      ["of an unknown kind", "manifest_shape", { ...manifest, kind: "plugin" }],
      ["with a path for a name", "manifest_shape", { ...manifest, name: "../evil" }],
      ["with a summary of 301 characters", "manifest_shape", { ...manifest, summary: "x".repeat(301) }],
      ["of another version than the statement", "manifest_differs", { ...manifest, version: "9.9.9" }],
      ["of another kind than the statement", "manifest_differs", { ...manifest, kind: "workflow" }],
      ["of another name than the statement", "manifest_differs", { ...manifest, name: "other" }],
    ] as const
  ).map(([name, code, contents]) => ({
    name: `a bundle.json ${name}`,
    code,
    files: () => sampleFiles({ "bundle.json": contents }),
  })),
  {
    name: "a bundle.json that is not UTF-8",
    code: "manifest_not_utf8",
    files: () => new Map([["bundle.json", Buffer.from('{"kind":"\xff"}', "latin1")]]),
  },
  { name: "no bundle.json", code: "manifest_missing", files: () => new Map([["a.txt", bytesOf("x")]]) },
  {
    name: "another scorecard than the statement's",
    code: "scorecard_differs",
    files: () => sampleFiles({ "scorecard.json": { results: [{ dataset: "invoices", mean: 0.99 }] } }),
  },
  {
    name: "a scorecard that is not JSON",
    code: "scorecard_json",
    files: () => sampleFiles({ "scorecard.json": "0.91 of 1" }),
  },
];
