import git, { type ServerRef, type TreeEntry } from "isomorphic-git";
import { SourceFault } from "../../ports.ts";
import type { GitSource } from "../source-schemas.ts";
import { memoryFiles } from "./git-files.ts";
import { createGitHttp } from "./git-http.ts";
import { checkPack } from "./git-pack.ts";
import type { SourceReading } from "./source.ts";

const gitdir = "/repository";
const config = '[remote "origin"]\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n';
const megabyte = 1_048_576;
const MOST_OBJECTS = 400_000;
const isCommit = (ref: string): boolean => /^[0-9a-f]{40}$/.test(ref);

export interface Head {
  /** In full, such as `refs/heads/main`, or a commit. */
  readonly ref: string;
  readonly short: string;
  /** What the ref names: a commit, or a tag of its own. */
  readonly oid: string;
}

export interface Repository {
  readonly head: Head;
  /** Fetches the head's files. Returns its commit. */
  fetch(): Promise<string>;
  /** The entries of a commit or a folder. */
  tree(oid: string): Promise<readonly TreeEntry[]>;
  blob(oid: string): Promise<Uint8Array>;
}

/** Asks for branches and tags; fetches nothing yet. Throws SourceFault. */
export async function openRepository(source: GitSource, reading: SourceReading): Promise<Repository> {
  const { url, ref, shallow = true, most_megabytes = 128 } = source;
  const total = most_megabytes * 4 * megabyte;
  const limits = { objects: MOST_OBJECTS, object: Math.min(256 * megabyte, total), total };
  const promises = memoryFiles({ [`${gitdir}/config`]: config }, (pack) => checkPack(pack, limits, reading.signal));
  const here = { fs: { promises }, gitdir, cache: {} };
  const http = createGitHttp(source, reading);
  const trees = new Map<string, readonly TreeEntry[]>();
  const understood = <T>(work: Promise<T>): Promise<T> =>
    work.catch((error: unknown) => {
      reading.signal.throwIfAborted();
      throw faultOf(error, source);
    });
  const refs = await understood(git.listServerRefs({ http, url, protocolVersion: 1, symrefs: true }));
  const head = headOf(refs, ref, url);
  return {
    head,
    fetch: () =>
      understood(
        (async () => {
          const whole = !shallow && isCommit(head.ref);
          const wanted = whole ? { singleBranch: false, tags: true } : { singleBranch: true, tags: false };
          const from = { url, remoteRef: whole ? "HEAD" : head.ref, ref: whole ? "HEAD" : head.ref };
          await git.fetch({ ...here, http, ...from, ...wanted, ...(shallow && { depth: 1 }) });
          return (await git.readCommit({ ...here, oid: head.oid }).catch(commitMissing(source))).oid;
        })(),
      ),
    async tree(oid) {
      const known = trees.get(oid) ?? (await understood(git.readTree({ ...here, oid }))).tree;
      trees.set(oid, known);
      return known;
    },
    blob: (oid) => understood(git.readBlob({ ...here, oid }).then(({ blob }) => blob)),
  };
}

function headOf(refs: readonly ServerRef[], wanted: string | undefined, url: string): Head {
  if (wanted !== undefined && isCommit(wanted)) return { ref: wanted, short: wanted.slice(0, 12), oid: wanted };
  const found = new Map(refs.map((ref) => [ref.ref, ref]));
  if (found.size === 0) throw new SourceFault("repository_empty", `${url} has no commit yet. Nothing was removed.`);
  const names = wanted === undefined ? ["HEAD"] : [`refs/heads/${wanted}`, `refs/tags/${wanted}`, wanted];
  const ref = names.map((name) => found.get(name)).find((one) => one !== undefined);
  if (ref === undefined) throw unknownRef(wanted ?? "HEAD", [...found.keys()], url);
  const full = ref.target !== undefined && found.has(ref.target) ? ref.target : ref.ref;
  return { ref: full, short: full.replace(/^refs\/(heads|tags)\//, ""), oid: ref.oid };
}

function unknownRef(wanted: string, names: readonly string[], url: string): SourceFault {
  const branches = names
    .filter((name) => name.startsWith("refs/heads/"))
    .map((name) => name.slice("refs/heads/".length));
  const some = branches.slice(0, 10).join(", ") + (branches.length > 10 ? ", …" : "");
  const has = branches.length === 0 ? "It has no branches." : `Its branches are: ${some}.`;
  return new SourceFault("ref_not_found", `${url} has no branch or tag ${wanted}. ${has}`);
}

const commitMissing =
  ({ url, ref = "", shallow = true }: GitSource) =>
  (cause: unknown): never => {
    if (!isCommit(ref)) throw cause;
    const remedy = shallow
      ? "Check it, or set `shallow` to false: some servers send branches and tags only."
      : "No branch and no tag of it leads there.";
    throw new SourceFault("commit_not_found", `${url} did not send the commit ${ref}. ${remedy}`, { cause });
  };

/** What the library throws about an answer, in words of the service. */
function faultOf(error: unknown, { url }: GitSource): Error {
  if (error instanceof SourceFault) return error;
  const { code = "" } = error as { readonly code?: unknown };
  if (code === "UnsafeFilepathError")
    return new SourceFault(
      "path_unsafe",
      `${url} holds a file whose name leads out of its folder, such as \`..\` or \`.git\`. Nothing of it was read.`,
      { cause: error },
    );
  if (code === "RemoteCapabilityError")
    return new SourceFault("shallow_unsupported", `${url} sends no single commits. Set \`shallow\` to false.`, {
      cause: error,
    });
  if (code === "NotFoundError")
    return new SourceFault("repository_damaged", `${url} did not send all that its commit names.`, { cause: error });
  return new SourceFault(
    "not_git",
    `${url} does not answer as a git server does${code === "" ? "" : ` (${code})`}. Check the address with \`git ls-remote\`.`,
    { cause: error },
  );
}
