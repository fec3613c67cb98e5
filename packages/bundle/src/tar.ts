import { BundleFault, type BundleFaultCode, quoted } from "./faults.ts";
import { BLOCK, readHeader, writeHeader } from "./header.ts";
import type { ArchiveLimits } from "./limits.ts";
import { folderThatIsFile, pathFault } from "./paths.ts";

/** Files of a bundle by path. */
export type BundleFiles = ReadonlyMap<string, Uint8Array>;

const END = Buffer.alloc(2 * BLOCK);
const paddingOf = (size: number): number => (BLOCK - (size % BLOCK)) % BLOCK;
const fault = (code: BundleFaultCode, at: string, what: string): BundleFault =>
  new BundleFault(code, { part: "archive", at }, what);

/** The one tar of these files. Throws a BundleFault for paths and sizes that no archive may have. */
export function writeTar(files: BundleFiles, limits: ArchiveLimits): Buffer {
  if (files.size === 0) throw fault("no_files", "", "There are no files.");
  if (files.size > limits.files) throw tooMany(limits);
  const pieces: Uint8Array[] = [];
  let length = END.length;
  for (const path of [...files.keys()].sort(bytewise)) {
    const contents = files.get(path)!;
    const found = pathFault(path);
    if (found) throw fault(found.code, path, found.what);
    checkFolders(path, (folder) => files.has(folder));
    if (contents.length > limits.file) throw tooLarge(path, contents.length);
    const padding = paddingOf(contents.length);
    length += BLOCK + contents.length + padding;
    if (length > limits.unpacked) throw fault("unpacked_too_large", path, "The files are too large together.");
    pieces.push(writeHeader(path, contents.length), contents, Buffer.alloc(padding));
  }
  return Buffer.concat([...pieces, END], length);
}

/**
 * Reads a tar that `writeTar` could have written, and no other; the contents are views into it. Throws a BundleFault
 * with a code for each way in which it differs. Reads no entry before the one in front of it is found right.
 */
export function readTar(tar: Buffer, limits: ArchiveLimits): BundleFiles {
  const files = new Map<string, Buffer>();
  let at = 0;
  let last = "";
  for (;;) {
    if (at + BLOCK > tar.length) throw fault("tar_truncated", `byte ${at}`, "The tar ends early.");
    const header = tar.subarray(at, at + BLOCK);
    if (header.equals(END.subarray(0, BLOCK))) break;
    const { path, size } = readHeader(header, at);
    checkPlace(path, last, files);
    if (files.size >= limits.files) throw tooMany(limits);
    if (size > limits.file) throw tooLarge(path, size);
    const [start, end] = [at + BLOCK, at + BLOCK + size];
    at = end + paddingOf(size);
    if (at > tar.length)
      throw fault("size_beyond_data", path, `The file ${quoted(path)} has ${size} bytes by its header.`);
    if (!tar.subarray(end, at).equals(END.subarray(0, at - end)))
      throw fault("entry_padding", path, `Something stands behind the end of ${quoted(path)}.`);
    files.set(path, tar.subarray(start, end));
    last = path;
  }
  checkEnd(tar, at);
  if (files.size === 0) throw fault("no_files", "", "The archive is empty.");
  // The rule of the format itself; the checks above only say more about the usual ways to break it.
  if (!writeTar(files, limits).equals(tar)) throw fault("tar_not_canonical", "", "The tar differs.");
  return files;
}

function checkPlace(path: string, last: string, files: BundleFiles): void {
  if (files.has(path)) throw fault("duplicate_path", path, `The path ${quoted(path)} occurs twice.`);
  if (bytewise(path, last) < 0) throw fault("unsorted_entries", path, `${quoted(path)} stands after ${quoted(last)}.`);
  checkFolders(path, (folder) => files.has(folder));
}

function checkFolders(path: string, isFile: (path: string) => boolean): void {
  const folder = folderThatIsFile(path, isFile);
  if (folder !== null)
    throw fault("path_is_folder", path, `${quoted(folder)} is a file, and ${quoted(path)} lies inside it.`);
}

function checkEnd(tar: Buffer, at: number): void {
  const rest = tar.subarray(at);
  if (rest.length < END.length) throw fault("tar_truncated", `byte ${at}`, "The second block of zeros is missing.");
  if (rest.length > END.length || !rest.equals(END))
    throw fault("tar_trailing_data", `byte ${at}`, `${rest.length - BLOCK} bytes follow the first block of zeros.`);
}

const tooMany = (limits: ArchiveLimits): BundleFault =>
  fault("too_many_files", "", `There are more than ${limits.files} files.`);
const tooLarge = (path: string, size: number): BundleFault =>
  fault("entry_too_large", path, `The file ${quoted(path)} has ${size} bytes.`);

/** Paths are ASCII, of which UTF-16 units and bytes have the same order. */
function bytewise(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
