import path from "node:path";
import type { OpenDatabase } from "../db/open.ts";
import { type KeySource, type Secrets, signingKeyName } from "../db/secrets.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Meter } from "../kernel/metrics.ts";
import { defaultOrganization, environments, installationEnvironment } from "../kernel/principal.ts";
import type { Origins } from "./audit-port.ts";
import {
  createLogMac,
  createPins,
  createSequencer,
  createSequencerThread,
  createSigner,
  createWriterAlarm,
  type Ed25519Signer,
  findEarlyLogs,
  type LogMac,
  LogStopped,
  type LogTrust,
  type Pins,
  type Sequencer,
  type SequencerLog,
  sealExisting,
  sealingMigration,
  sealRecords,
  type WriterAlarm,
} from "./index.ts";
import { followOrigins, readLogKeys } from "./log-keys.ts";

export interface LogMachineParts {
  readonly database: OpenDatabase;
  readonly secrets: Secrets;
  readonly keySource: KeySource;
  readonly installation: string;
  readonly clock: Clock;
  readonly log: SequencerLog;
  readonly meter: Meter;
  readonly ownThreads: boolean;
}

/** The machine of the audit log in one process, and by what it tells its own log from another. */
export interface LogMachine {
  readonly sequencer: Sequencer;
  readonly alarm: WriterAlarm;
  /** Signs whatever names a log; throws where the key is gone. */
  readonly signer: Ed25519Signer;
  readonly makeSigner: () => Promise<Ed25519Signer>;
  readonly trust: LogTrust;
  readonly origins: Origins;
  /** The public keys of the logs of all environments as they are now, those of closed origins too; one a line. */
  readonly keys: () => Promise<string>;
  /** Registers who is notified that a log has got another name; answers what ends it. */
  readonly onNewName: (listener: () => void) => () => void;
}

export async function createLogMachine(parts: LogMachineParts): Promise<LogMachine> {
  const { database, secrets, keySource, installation, log, meter } = parts;
  const folder = path.join(keySource.dataDir, "audit");
  const pins = createPins(folder);
  const macKey = secrets.auditMacKey();
  const mac = createLogMac(macKey);
  const known = await knownKey(pins);
  const isLost = (await secrets.findAuditSigningKey()) === null && (known !== null || (await hasLog(database)));
  const signingKey = isLost ? null : await secrets.auditSigningKey();
  const own = signingKey && createSigner(signingKey);
  if (own && database.applied.includes(sealingMigration) && known === null)
    await database.asOwner((owner) => sealExisting(owner, { mac, pins, signer: own, log }));
  if ((await findEarlyLogs(database.machinePool, { mac, pins })).length > 0)
    await database.asOwner((owner) => sealRecords(owner, { mac, pins, log }));
  const sequencer = sequencerOf(parts, { signingKey, signer: own, mac, macKey, pins, folder });
  const missing = meter.counter({
    name: "aos_audit_missing_records_total",
    labels: ["environment"],
    help: "Records that this process acknowledged and that the database lost or changed.",
  });
  const alarm = createWriterAlarm({
    pool: database.machinePool,
    mac,
    log,
    count: (environment, records) => missing.add([environment], records),
  });
  const trust: LogTrust = { installation, signer: own, mac, pins, warn: (message) => log.warn(message) };
  const signer = own ?? lostSigner(known);
  const makeSigner = async () => createSigner(await secrets.auditSigningKey());
  // After an adoption by another process the key may be another than this one began with.
  const present = async (): Promise<Ed25519Signer> => {
    const found = await secrets.findAuditSigningKey();
    return found ? createSigner(found) : signer;
  };
  const { origins, onNew } = await followOrigins({ database, sequencer, signer: present, log });
  const keys = async () => readLogKeys({ database, installation, signer: await present(), mac });
  return { sequencer, alarm, signer, makeSigner, trust, origins, keys, onNewName: onNew };
}

interface SequencerKeys {
  /** Null: the database has lost it. */
  readonly signingKey: Awaited<ReturnType<Secrets["findAuditSigningKey"]>>;
  readonly signer: Ed25519Signer | null;
  readonly mac: LogMac;
  readonly macKey: ReturnType<Secrets["auditMacKey"]>;
  readonly pins: Pins;
  readonly folder: string;
}

function sequencerOf(
  { database, installation, clock, log, ownThreads }: LogMachineParts,
  { signingKey, signer, mac, macKey, pins, folder }: SequencerKeys,
): Sequencer {
  const { connectionString, machinePool: pool } = database;
  const shared = { installation, keyName: signingKeyName, log };
  return ownThreads
    ? createSequencerThread({ ...shared, connectionString, signingKey, macKey, pins: folder })
    : createSequencer({ ...shared, pool, signer, mac, pins, clock });
}

/** The public key that logs were signed with, as far as this host knows. */
async function knownKey(pins: Pins): Promise<Uint8Array | null> {
  for (const environment of [...environments, installationEnvironment]) {
    const pinned = await pins.read({ organization: defaultOrganization, environment });
    if (pinned) return pinned.saved.key.publicKey;
  }
  return null;
}

async function hasLog({ pool }: OpenDatabase): Promise<boolean> {
  const { rows } = await pool.query<{ some: boolean }>(
    "select exists (select from audit_logs) or exists (select from audit_leaves) or exists (select from audit_tiles) as some",
  );
  return rows[0]?.some ?? false;
}

/** In place of a key that the database has lost: names it, as far as it is known, and signs nothing. */
function lostSigner(publicKey: Uint8Array | null): Ed25519Signer {
  return {
    publicKey: publicKey ?? new Uint8Array(32),
    sign: () => {
      throw new LogStopped("key_missing");
    },
  };
}
