import { constants, type Dirent } from "node:fs";
import { type FileHandle, open, readdir, realpath, stat } from "node:fs/promises";
import path from "node:path";
import { SourceFault } from "../../ports.ts";
import { isBelow } from "../rules.ts";
import type { FolderSource } from "../source-schemas.ts";
import { isSelected, MOST_BYTES, type ReadItem, type SourceItem, type SourceReading } from "./source.ts";

/** By name; without hidden files, links and special files. */
export async function* listFolder(source: FolderSource, reading: SourceReading): AsyncGenerator<SourceItem> {
  const root = await allowedRoot(source.path, reading.folders);
  const most = source.most_items ?? 100_000;
  let taken = 0;
  for await (const [place, file] of walk(root, "", reading.signal)) {
    if (!isSelected(place, source)) continue;
    const found = await stat(file, { bigint: true }).catch(() => undefined);
    if (!found?.isFile()) continue; // gone in between
    if (++taken > most) return reading.partial(`The folder holds more than ${most} files that are asked for.`);
    const fingerprint = `${found.mtimeNs}-${found.size}`;
    yield { item: place, fingerprint, size: Number(found.size), read: () => readFileAt(root, place, fingerprint) };
  }
}

/** Resolves links; throws outside the allowed folders. */
async function allowedRoot(folder: string, folders: readonly string[]): Promise<string> {
  const found = await realpath(folder).catch((cause: unknown) => {
    throw new SourceFault("folder_not_found", `The folder ${folder} cannot be found on the host that syncs.`, {
      cause,
    });
  });
  const roots = await Promise.all(folders.map((one) => realpath(one).catch(() => null)));
  if (roots.some((root) => root !== null && isBelow(root, found))) return found;
  throw new SourceFault(
    "folder_not_allowed",
    `The folder ${folder} is not below one that AOS_KNOWLEDGE_FOLDERS names.`,
  );
}

async function* walk(root: string, below: string, signal: AbortSignal): AsyncGenerator<[place: string, file: string]> {
  signal.throwIfAborted();
  const entries = await readdir(path.join(root, below), { withFileTypes: true }).catch(
    (cause: NodeJS.ErrnoException) => {
      if (cause.code === "ENOENT" && below !== "") return [] as Dirent[];
      throw new SourceFault("folder_unreadable", `The folder ${below || root} cannot be read (${cause.code}).`, {
        cause,
      });
    },
  );
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (entry.name.startsWith(".")) continue;
    const place = below === "" ? entry.name : `${below}/${entry.name}`;
    if (entry.isDirectory()) yield* walk(root, place, signal);
    else if (entry.isFile()) yield [place, path.join(root, place)];
  }
}

/** Follows no link: a folder in the path may have become one since. */
async function readFileAt(root: string, place: string, fingerprint: string): Promise<ReadItem | undefined> {
  const file = path.join(root, place);
  let handle: FileHandle;
  try {
    handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ELOOP") return undefined;
    throw new SourceFault("file_unreadable", `The file cannot be read (${code}).`, { cause });
  }
  try {
    const opened = await handle.stat({ bigint: true });
    const real = await realpath(file);
    const there = await stat(real, { bigint: true });
    if (!opened.isFile() || !isBelow(root, real) || there.ino !== opened.ino || there.dev !== opened.dev)
      return undefined;
    if (opened.size > MOST_BYTES) throw new SourceFault("too_large", "The file is larger than 100 MiB.");
    const contents = {
      ...({ kind: "file", title: null, media_type: null, url: null } as const),
      file_name: path.posix.basename(place),
      bytes: await handle.readFile(),
      metadata: { path: place, modified: new Date(Number(opened.mtimeMs)).toISOString() },
    };
    return { fingerprint, contents };
  } finally {
    await handle.close();
  }
}
