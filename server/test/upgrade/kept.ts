import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { brotliDecompressSync } from "node:zlib";
import pg from "pg";

// What is kept of each landed release: a dump of its database, its data folder, and what its clients know. Made by `npm run release-dump`.

/** Where the kept releases lie, each in a folder named by its commit. */
export const releasesFolder = fileURLToPath(new URL("releases/", import.meta.url));

/** A call that the release answered, as its client would repeat it. */
export interface KeptCall {
  /** Of whom the key is: a member of {@link Kept.keys}. */
  readonly caller: string;
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
  readonly idempotencyKey: string;
  readonly status: number;
  readonly answer: string;
  /** The member of the answer that was shown once. */
  readonly secret?: string;
}

/** What clients of a release know when it stops. */
export interface Kept {
  /** The time at which it stopped, in milliseconds since the epoch. */
  readonly stoppedAt: number;
  /** Secrets of API keys by caller. They belong to this dump alone. */
  readonly keys: Readonly<Record<string, string>>;
  /** Calls that were carried out under an Idempotency-Key. */
  readonly carriedOut: readonly KeptCall[];
  /** Calls with an Idempotency-Key that were refused: such a key stays free. */
  readonly refused: readonly KeptCall[];
  /** The audit log's checkpoint, its public keys, and proofs of records by reference. */
  readonly checkpoint: string;
  readonly logKeys: string;
  readonly proofs: Readonly<Record<string, string>>;
  /** Tasks by id, with the state in which they were. */
  readonly tasks: Readonly<Record<string, string>>;
  /** The task of the approval that a caller is to decide after the upgrade. */
  readonly undecided: string;
  /** Conversations by id, with the texts of their messages in order. */
  readonly conversations: Readonly<Record<string, readonly string[]>>;
  /** A run of a workflow that waits for people; null where the release had no workflows. */
  readonly waitingRun: string | null;
  /** An open question of a mission, as its address; null where the release had no missions. */
  readonly openDecision: string | null;
}

/** An operation as a release had it. */
export interface KeptOperation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
}

export const keptReleases = async (): Promise<string[]> =>
  (await readdir(releasesFolder, { withFileTypes: true })).filter((one) => one.isDirectory()).map(({ name }) => name);

const read = async <T>(release: string, file: string): Promise<T> =>
  JSON.parse(await readFile(path.join(releasesFolder, release, file), "utf8")) as T;

export const readKept = (release: string): Promise<Kept> => read(release, "kept.json");
export const readOperations = (release: string): Promise<readonly KeptOperation[]> => read(release, "operations.json");

/** The operations of a source tree, from its description. */
export async function operationsIn(tree: string): Promise<KeptOperation[]> {
  const { paths } = JSON.parse(await readFile(path.join(tree, "openapi/openapi.json"), "utf8")) as {
    paths: Record<string, Record<string, { operationId?: string }>>;
  };
  return Object.entries(paths).flatMap(([at, methods]) =>
    Object.entries(methods).flatMap(([method, { operationId }]) =>
      operationId === undefined ? [] : [{ id: operationId, method: method.toUpperCase(), path: at }],
    ),
  );
}

/** The texts of a conversation's messages, as `chat.listMessages` answers them. */
export const textsOf = (messages: readonly { readonly parts: readonly { readonly text?: string }[] }[]): string[] =>
  messages.map(({ parts }) => parts.map(({ text = "" }) => text).join(""));

/** Restores the dump of a release into an empty database, and its data folder. */
export async function restore(release: string, connectionString: string, dataDir: string): Promise<void> {
  const folder = path.join(releasesFolder, release);
  const dump = brotliDecompressSync(await readFile(path.join(folder, "dump.sql.br"))).toString();
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    await client.query(dump);
    await client.query("analyze");
  } finally {
    await client.end();
  }
  await copyPrivately(path.join(folder, "data"), dataDir);
}

/** Copies files so that only their owner reads them: repositories do not keep that. */
async function copyPrivately(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true, mode: 0o700 });
  for (const one of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [path.join(from, one.name), path.join(to, one.name)];
    if (one.isDirectory()) await copyPrivately(source, target);
    else await writeFile(target, await readFile(source), { mode: 0o600 });
  }
}
