import { randomBytes } from "node:crypto";
import { rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import type { OpenDatabase } from "../db/open.ts";
import { defaultOrganization, environments, installationEnvironment } from "../kernel/principal.ts";
import { logKey, type Origins, originOfHead, requireSigned } from "./audit-port.ts";
import {
  type Ed25519Signer,
  type LogMac,
  type LogScope,
  readClosedLogs,
  type Sequencer,
  type SequencerLog,
} from "./index.ts";

// By what verifiers know the logs of an installation: their names, which change when a stopped log is adopted, and their public keys.

const keyOf = ({ organization, environment }: LogScope): string => `${organization} ${environment}`;

async function readOrigins({ pool }: Pick<OpenDatabase, "pool">): Promise<Map<string, string>> {
  const text = "select organization, environment, origin from audit_logs where origin <> ''";
  const { rows } = await pool.query<LogScope & { origin: string }>(text);
  return new Map(rows.map((row) => [keyOf(row), row.origin]));
}

export interface FollowParts {
  readonly database: Pick<OpenDatabase, "pool">;
  readonly sequencer: Pick<Sequencer, "onSequenced">;
  /** The key that logs are signed with now. */
  readonly signer: () => Promise<Ed25519Signer>;
  readonly log: Pick<SequencerLog, "warn">;
}

/** The names of the logs as they are and as they become; `onNew` registers who is called with a name that came since. */
export async function followOrigins({ database, sequencer, signer, log }: FollowParts) {
  const origins = await readOrigins(database);
  const listeners = new Set<() => void>();
  const take = async (scope: LogScope, checkpoint: string): Promise<void> => {
    await requireSigned(checkpoint, await signer());
    origins.set(keyOf(scope), originOfHead(checkpoint));
    for (const listener of listeners) listener();
  };
  sequencer.onSequenced(({ scope, checkpoint }) => {
    if (checkpoint === null || originOfHead(checkpoint) === origins.get(keyOf(scope))) return;
    take(scope, checkpoint).catch((error: Error) =>
      log.warn(`A new name of the log ${keyOf(scope)} is not taken over: ${error.message}`),
    );
  });
  const present: Origins = (scope) => origins.get(keyOf(scope));
  const onNew = (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };
  return { origins: present, onNew };
}

export interface LogKeyParts {
  readonly database: Pick<OpenDatabase, "pool">;
  readonly installation: string;
  readonly signer: Ed25519Signer;
  /** Tells closed logs that this service wrote from those that somebody put into the database. */
  readonly mac: LogMac;
}

/** The public keys of the logs of all environments and of the installation as they stand in the database, and of closed ones; one a line. */
export async function readLogKeys({ database, installation, signer, mac }: LogKeyParts): Promise<string> {
  const origins = await readOrigins(database);
  const present = [...environments, installationEnvironment].map((environment) =>
    logKey(installation, { organization: defaultOrganization, environment }, signer, (scope) =>
      origins.get(keyOf(scope)),
    ),
  );
  const closed = await Promise.all(
    [...environments, installationEnvironment].map((environment) =>
      readClosedLogs(database.pool, { organization: defaultOrganization, environment }, mac),
    ),
  );
  return [...present, ...closed.flat().map(({ verifierKey }) => verifierKey)].map((key) => `${key}\n`).join("");
}

/** Writes `audit.vkey`, which auditors are given. Who reads it meanwhile finds it as it was or as it is. */
export async function writeLogKeys(dataDir: string, keys: string): Promise<void> {
  const file = path.join(dataDir, "audit.vkey");
  const beside = `${file}.${process.pid}.${randomBytes(4).toString("hex")}.new`;
  try {
    await writeFile(beside, keys);
    await rename(beside, file);
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  }
}

/** Writes `audit.vkey` now, and again with each name that a log gets, until it is ended. */
export async function keepLogKeys(
  dataDir: string,
  {
    logKeys,
    onNewLogName,
  }: { readonly logKeys: () => Promise<string>; readonly onNewLogName: (listener: () => void) => () => void },
  log: Pick<SequencerLog, "error">,
): Promise<() => void> {
  const write = async (): Promise<void> => writeLogKeys(dataDir, await logKeys());
  await write();
  let writing = Promise.resolve(); // one after the other: the last to read writes last
  return onNewLogName(() => {
    writing = writing
      .then(write)
      .catch((error: Error) => log.error(`audit.vkey was not rewritten: ${error.message}; a restart does.`));
  });
}
