import { createHash } from "node:crypto";
import path from "node:path";
import { SourceFault } from "../../ports.ts";
import type { GitSource } from "../source-schemas.ts";
import { linkOf, linkTemplate } from "./git-link.ts";
import { openRepository, type Repository } from "./git-repository.ts";
import {
  isSelected,
  type LeftOut,
  leaveOut,
  MOST_BYTES,
  type ReadItem,
  type SourceItem,
  type SourceReading,
} from "./source.ts";

/** Names of a repository that are looked at, folders in one another, and characters of a path. */
const MOST = { names: 1_000_000, levels: 100, path: 1000 };
const LFS = Buffer.from("version https://git-lfs.github.com/spec/");
const kinds: Readonly<Record<string, string>> = { "120000": "symbolic links", "160000": "submodules" };

interface Note {
  readonly commit: string;
  readonly left_out: LeftOut;
}

/** Files by path at a commit; what changed between commits follows from the digests that git has of them. */
export async function* listBlobs(source: GitSource, reading: SourceReading): AsyncGenerator<SourceItem> {
  const repository = await openRepository(source, reading);
  const before = reading.memory as Note | null;
  if (before?.commit === repository.head.oid) {
    reading.leftOut(before.left_out);
    return reading.asBefore();
  }
  const commit = await repository.fetch();
  const left_out: LeftOut = {};
  reading.leftOut(left_out);
  const most = source.most_items ?? 100_000;
  const toItem = itemMaker(source, repository, commit, left_out);
  let taken = 0;
  for await (const { place, oid } of walk(repository, await rootOf(source, repository, commit), reading, left_out)) {
    if (!isSelected(place, source)) continue;
    if (++taken > most) return reading.partial(`The repository holds more than ${most} files that are asked for.`);
    yield toItem(place, oid);
  }
  reading.remember({ commit: repository.head.oid, left_out } satisfies Note);
}

interface Folder {
  readonly oid: string;
  readonly place: string;
}

const partsOf = (place: string): string[] => place.split("/").filter((part) => part !== "");

async function rootOf(source: GitSource, repository: Repository, commit: string): Promise<Folder> {
  let folder: Folder = { oid: commit, place: "" };
  for (const name of partsOf(source.path ?? "")) {
    const found = (await repository.tree(folder.oid)).find((entry) => entry.path === name && entry.type === "tree");
    if (found === undefined)
      throw new SourceFault("path_not_found", `There is no folder ${source.path} at ${repository.head.short}.`);
    folder = { oid: found.oid, place: `${folder.place}${name}/` };
  }
  return folder;
}

async function* walk(
  repository: Repository,
  root: Folder,
  { signal }: SourceReading,
  leftOut: LeftOut,
): AsyncGenerator<{ readonly place: string; readonly oid: string }> {
  const open = [root];
  let names = 0;
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    signal.throwIfAborted();
    for (const { path: name, mode, oid, type } of await repository.tree(folder.oid)) {
      const place = folder.place + name;
      if (++names > MOST.names)
        throw new SourceFault(
          "repository_too_large",
          `The commit lists more than ${MOST.names.toLocaleString("en-US")} names.`,
        );
      if (name.startsWith(".")) continue;
      const omitted = whyOmitted(place, mode);
      if (omitted !== undefined) leaveOut(leftOut, omitted, place);
      else if (type === "blob") yield { place, oid };
      else if (type === "tree") open.push(deeper(place, oid));
    }
  }
}

function whyOmitted(place: string, mode: string): string | undefined {
  if (place.length > MOST.path) return "paths of more than 1,000 characters";
  return place.includes("\ufffd") ? "names that are not UTF-8" : kinds[mode];
}

function deeper(place: string, oid: string): Folder {
  if (place.split("/").length > MOST.levels)
    throw new SourceFault("repository_too_deep", `The commit has folders in one another beyond ${MOST.levels} levels.`);
  return { oid, place: `${place}/` };
}

function itemMaker(source: GitSource, repository: Repository, commit: string, leftOut: LeftOut) {
  const template = linkTemplate(source);
  const { short: ref } = repository.head;
  // Another template is another address of each file; another commit is not.
  const linked = template?.replaceAll("{ref}", ref) ?? "";
  const mark = linked === "" ? "" : ` ${createHash("sha256").update(linked).digest("hex").slice(0, 12)}`;
  return (place: string, oid: string): SourceItem => {
    const fingerprint = `${oid}${mark}`;
    const read = async (): Promise<ReadItem | undefined> => {
      const bytes = await repository.blob(oid);
      if (bytes.length > MOST_BYTES) throw new SourceFault("too_large", "The file is larger than 100 MiB.");
      if (LFS.equals(bytes.subarray(0, LFS.length))) {
        leaveOut(leftOut, "pointers of Git LFS", place);
        return undefined;
      }
      const contents = {
        kind: "file",
        title: null,
        media_type: null,
        file_name: path.posix.basename(place),
        bytes,
        url: template === null ? null : linkOf(template, { path: place, ref, commit }),
        metadata: { path: place, commit },
      } as const;
      return { fingerprint, contents };
    };
    return { item: place, fingerprint, size: 0, read };
  };
}
