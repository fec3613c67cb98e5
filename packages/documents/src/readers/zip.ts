import { promisify } from "node:util";
import { type Entry, fromBuffer, type ZipFile } from "yauzl";
import { DocumentFault } from "../fault.ts";
import { LIMITS, type Limits } from "../limits.ts";

const MOST_ENTRIES = 10_000;
/** What is smaller when unpacked may have any ratio: long tables pack well. */
const RATIO_FROM = 32 * 2 ** 20;

/** The unpacked files of a ZIP archive whose names are wanted. What an archive says of its sizes is not believed: all that is unpacked counts. */
export async function unzipped(
  bytes: Uint8Array,
  wanted: (name: string) => boolean,
  limits: Pick<Limits, "unpacked" | "ratio">,
): Promise<{ names: string[]; files: Map<string, Buffer> }> {
  const zip = await opened(bytes);
  const [names, files] = [[] as string[], new Map<string, Buffer>()];
  let room = Math.min(limits.unpacked, Math.max(RATIO_FROM, bytes.length * limits.ratio));
  for await (const entry of entriesOf(zip)) {
    names.push(entry.fileName);
    if (names.length > MOST_ENTRIES) throw tooLarge(limits);
    if (entry.isEncrypted())
      throw new DocumentFault("encrypted", "It is protected by a password. Remove the protection, and send it again.");
    if (!wanted(entry.fileName) || files.has(entry.fileName)) continue;
    if (entry.uncompressedSize > room) throw tooLarge(limits);
    const file = await contentsOf(zip, entry, room, limits);
    room -= file.length;
    files.set(entry.fileName, file);
  }
  return { names, files };
}

/** The names of the files in an archive; nothing is unpacked. */
export async function zipNames(bytes: Uint8Array): Promise<string[]> {
  const names: string[] = [];
  for await (const { fileName } of entriesOf(await opened(bytes))) {
    if (names.push(fileName) > MOST_ENTRIES) throw tooLarge(LIMITS);
  }
  return names;
}

/** The text of one small file in an archive. */
export async function zipEntry(bytes: Uint8Array, name: string, limits: Limits): Promise<string> {
  const { files } = await unzipped(bytes, (own) => own === name, limits);
  return files.get(name)?.toString("utf8").trim() ?? "";
}

const tooLarge = ({ unpacked, ratio }: Pick<Limits, "unpacked" | "ratio">): DocumentFault =>
  new DocumentFault(
    "too_large_unpacked",
    `Unpacked it has more than ${unpacked} bytes, more than ${ratio} times its size, or more than ${MOST_ENTRIES} files. Split it, and remove what it embeds.`,
  );

const damaged = (): DocumentFault =>
  new DocumentFault(
    "damaged",
    "It is no complete file of its kind. Open it in its program, save it again, and send that.",
  );

async function opened(bytes: Uint8Array): Promise<ZipFile> {
  try {
    return await promisify<Buffer, object, ZipFile>(fromBuffer)(
      Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
      { lazyEntries: true },
    );
  } catch {
    throw damaged();
  }
}

async function* entriesOf(zip: ZipFile): AsyncGenerator<Entry> {
  for (;;) {
    const entry = await new Promise<Entry | null>((resolve, reject) => {
      zip
        .once("entry", resolve)
        .once("end", () => resolve(null))
        .once("error", reject);
      zip.readEntry();
    }).catch(() => {
      throw damaged();
    });
    zip.removeAllListeners();
    if (entry === null) return;
    yield entry;
  }
}

async function contentsOf(
  zip: ZipFile,
  entry: Entry,
  room: number,
  limits: Pick<Limits, "unpacked" | "ratio">,
): Promise<Buffer> {
  const parts: Buffer[] = [];
  let length = 0;
  try {
    for await (const part of await promisify<Entry, NodeJS.ReadableStream>(zip.openReadStream.bind(zip))(entry)) {
      length += (part as Buffer).length;
      if (length > room) throw tooLarge(limits);
      parts.push(part as Buffer);
    }
  } catch (error) {
    throw error instanceof DocumentFault ? error : damaged();
  }
  return Buffer.concat(parts);
}
