import { isUtf8 } from "node:buffer";
import { BundleFault, type BundleFaultCode, quoted } from "./faults.ts";
import { pathFault } from "./paths.ts";

/** Tar is made of blocks of 512 bytes (POSIX.1-1988, "ustar"). */
export const BLOCK = 512;

const CHECKSUM = { at: 148, length: 8 };
const TYPE_FLAG = 156;
const REGULAR_FILE = "0";
const MODE_AND_OWNER = "0000644\x000000000\x000000000\x00";
const TIME = "\x0000000000000\x00";
const MAGIC = "ustar\x0000";

/**
 * The header of a regular file: mode 0644, no owner, time 0. Packed archives consist of these and of contents alone.
 */
export function writeHeader(path: string, size: number): Buffer {
  const header = Buffer.alloc(BLOCK);
  header.write(path, 0, "latin1");
  header.write(MODE_AND_OWNER, 100, "latin1");
  header.write(`${size.toString(8).padStart(11, "0")}${TIME}`, 124, "latin1");
  header.write(REGULAR_FILE, TYPE_FLAG, "latin1");
  header.write(MAGIC, 257, "latin1");
  header.write(`${checksumOf(header).toString(8).padStart(6, "0")}\0 `, CHECKSUM.at, "latin1");
  return header;
}

/** The sum of all bytes, those of the checksum counted as spaces. */
function checksumOf(header: Buffer): number {
  let sum = CHECKSUM.length * 0x20;
  for (let at = 0; at < BLOCK; at++) if (at < CHECKSUM.at || at >= CHECKSUM.at + CHECKSUM.length) sum += header[at]!;
  return sum;
}

const otherTypes: Readonly<Record<string, readonly [BundleFaultCode, string]>> = {
  "1": ["hard_link", "a hard link"],
  "2": ["symbolic_link", "a symbolic link"],
  "3": ["character_device", "a character device"],
  "4": ["block_device", "a block device"],
  "5": ["folder_entry", "a folder"],
  "6": ["fifo", "a FIFO"],
  x: ["pax_header", "a PAX header"],
  g: ["pax_global_header", "a global PAX header"],
  L: ["gnu_long_name", "a GNU long name"],
  K: ["gnu_long_link", "a GNU long link name"],
  S: ["sparse_file", "a sparse file"],
};

/** Fields whose only legal bytes are those that `writeHeader` writes, by their place in the header. */
const fixedFields: readonly (readonly [BundleFaultCode, start: number, end: number, what: string])[] = [
  ["entry_mode", 100, 108, "mode"],
  ["entry_owner", 108, 124, "owner"],
  ["entry_time", 136, 148, "time"],
  ["entry_link_name", 157, 257, "link name"],
  ["entry_owner", 265, 329, "owner's name"],
];

/**
 * Reads the header of a regular file as `writeHeader` writes it. Throws the first fault; each way in which a header
 * usually differs has its code, and bytes that mean nothing are left to `readTar`. `offset` is the header's place in
 * the tar, for faults of entries without a readable path.
 */
export function readHeader(header: Buffer, offset: number): { readonly path: string; readonly size: number } {
  const fault = (code: BundleFaultCode, what: string, at = `byte ${offset}`): BundleFault =>
    new BundleFault(code, { part: "archive", at }, what);
  if (readOctal(header.subarray(148, 154)) !== checksumOf(header) || header.toString("latin1", 154, 156) !== "\0 ")
    throw fault("header_checksum", `The checksum of the header at byte ${offset} is wrong.`);
  const flag = header.toString("latin1", TYPE_FLAG, TYPE_FLAG + 1);
  if (flag !== REGULAR_FILE) {
    const [code, what] = otherTypes[flag] ?? ["entry_type" as const, `an entry of the type ${quoted(flag)}`];
    throw fault(code, `At byte ${offset} is ${what}.`);
  }
  if (header.toString("latin1", 257, 265) !== MAGIC)
    throw fault("header_format", `The header at byte ${offset} is of another format.`);
  const path = readPath(header, fault);
  const size = readOctal(header.subarray(124, 135));
  if (size === null || header[135] !== 0)
    throw fault("size_not_octal", `The size of ${quoted(path)} is written another way.`, path);
  const canonical = writeHeader(path, size);
  for (const [code, start, end, what] of fixedFields)
    if (!header.subarray(start, end).equals(canonical.subarray(start, end)))
      throw fault(code, `The ${what} of ${quoted(path)} is another.`, path);
  return { path, size };
}

/** Digits alone: no sign, no space, no base-256. */
function readOctal(field: Buffer): number | null {
  const text = field.toString("latin1");
  return /^[0-7]+$/.test(text) ? Number.parseInt(text, 8) : null;
}

function readPath(header: Buffer, fault: (code: BundleFaultCode, what: string) => BundleFault): string {
  const name = header.subarray(0, 100);
  const end = name.indexOf(0);
  const bytes = end < 0 ? name : name.subarray(0, end);
  if (end >= 0 && name.subarray(end).some((byte) => byte !== 0))
    throw fault("path_nul", `The path ${quoted(bytes.toString("latin1"))} goes on after a NUL.`);
  if (!isUtf8(bytes)) throw fault("path_not_utf8", `The path ${quoted(bytes.toString("latin1"))} is not UTF-8.`);
  const prefix = header.toString("latin1", 345, 500).replace(/\0+$/, "");
  const path = bytes.toString("utf8");
  const found = pathFault(prefix === "" ? path : `${prefix}/${path}`);
  if (found) throw fault(found.code, found.what);
  if (prefix !== "") throw fault("path_prefix", `The path ${quoted(`${prefix}/${path}`)} is split.`);
  return path;
}
