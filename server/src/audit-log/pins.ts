import { mkdir, open, readFile, rename, rm } from "node:fs/promises";
import path from "node:path";
import { FormatError, formatVerifierKey, parseVerifierKey, type VerifierKey } from "@aos/proof";
import type { LogScope } from "./scope.ts";

/** A head outside the database: the key that it was signed with, named after the log's origin, and its signed checkpoint. */
export interface PinnedHead {
  readonly key: VerifierKey;
  readonly checkpoint: string;
}

/** What a process knows of a log from outside the database. */
export interface Pinned {
  /** The newest head that is known to be committed. */
  readonly saved: PinnedHead;
  /** A head that was signed, and whose commit nobody has confirmed. */
  readonly pending: PinnedHead | null;
}

/** The heads that this process has seen, in files `<folder>/<organization>/<environment>/{saved,pending}`. Every write is durable when it resolves. */
export interface Pins {
  /** Null: this folder knows nothing of the log. */
  read(scope: LogScope): Promise<Pinned | null>;
  /** A head that is committed, or that a log begins with. */
  save(scope: LogScope, head: PinnedHead): Promise<void>;
  /** Before the database commits a head. */
  savePending(scope: LogScope, head: PinnedHead): Promise<void>;
  /** After the database committed the pending head. */
  confirmPending(scope: LogScope): Promise<void>;
  /** Nothing is pending any more: another origin begins. */
  dropPending(scope: LogScope): Promise<void>;
}

/** Pins below a folder, usually `AOS_DATA_DIR/audit`. Made at the first write. */
export function createPins(folder: string): Pins {
  const made = new Set<string>();
  const placeOf = ({ organization, environment }: LogScope): string =>
    path.join(folder, nameOf(organization), nameOf(environment));
  const make = async (place: string): Promise<void> => {
    if (made.has(place)) return;
    await mkdir(place, { recursive: true, mode: 0o700 });
    for (const at of [place, path.dirname(place), folder, path.dirname(folder)]) await syncFolder(at);
    made.add(place);
  };
  const write = async (scope: LogScope, name: string, { key, checkpoint }: PinnedHead): Promise<void> => {
    const place = placeOf(scope);
    await make(place);
    const beside = path.join(place, `${name}.${process.pid}.new`);
    const file = await open(beside, "w", 0o600);
    try {
      await file.writeFile(`${formatVerifierKey(key)}\n\n${checkpoint}`);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(beside, path.join(place, name));
    await syncFolder(place);
  };
  return {
    async read(scope) {
      const [saved, pending] = await Promise.all(
        ["saved", "pending"].map((name) => readHead(path.join(placeOf(scope), name))),
      );
      return saved ? { saved, pending: pending ?? null } : null;
    },
    save: (scope, head) => write(scope, "saved", head),
    savePending: (scope, head) => write(scope, "pending", head),
    async confirmPending(scope) {
      const place = placeOf(scope);
      await rename(path.join(place, "pending"), path.join(place, "saved"));
      await syncFolder(place);
    },
    dropPending: (scope) => rm(path.join(placeOf(scope), "pending"), { force: true }),
  };
}

/** Scopes come from rows of the database: none may lead out of the folder. */
function nameOf(part: string): string {
  const name = encodeURIComponent(part);
  return /^\.*$/.test(name) ? `%${name}` : name;
}

async function readHead(file: string): Promise<PinnedHead | undefined> {
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
  const end = text.indexOf("\n\n");
  if (end === -1) throw new FormatError(`${file} is not a pinned head: a verifier key, an empty line, a checkpoint`);
  return { key: parseVerifierKey(text.slice(0, end)), checkpoint: text.slice(end + 2) };
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
