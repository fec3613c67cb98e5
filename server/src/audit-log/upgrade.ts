import type { Ed25519Signer } from "@aos/proof";
import { verifierKey } from "@aos/proof";
import type { Pool } from "pg";
import { openHead, openPinned } from "./heads.ts";
import { findLogs } from "./leadership.ts";
import { headFields, isAdopted, isEarlyRow, readLogRow } from "./log-state.ts";
import { createRecordWriter, type LogMac, type RecordWriter } from "./mac.ts";
import type { Pins } from "./pins.ts";
import type { SequencerLog } from "./progress.ts";
import type { LogScope } from "./scope.ts";
import type { Queryable } from "./tile-store.ts";

/** The migration since which new records and heads are authenticated. */
export const sealingMigration = "0018_sealed_log.sql";

/**
 * Takes over what a release wrote that authenticated nothing: pins the heads as found, and authenticates them and what waits. Once, by the process that has just
 * applied the migration, before anything else runs: what the database says is believed this one time.
 */
export async function sealExisting(pool: Pool, parts: SealingParts): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query("begin");
    await client.query("set local aos.log_maintenance = 'seal'"); // the log's tables refuse changes that their owner does not name
    await sealLogs(client, parts);
    await client.query("commit");
  } catch (error) {
    await client.query("rollback").catch(() => undefined);
    throw error;
  } finally {
    client.release();
  }
}

/**
 * Authenticates the records that an early release put into the logs, with the salts that they refer to now. A log is done when its head has the MAC of this release,
 * which the transaction that authenticates its records gives it. Until then nothing is sequenced in it, so that the heads known to hosts tell a head that was
 * put back. Call at start; several processes may.
 */
export async function sealRecords(pool: Pool, parts: Pick<SealingParts, "mac" | "pins" | "log">): Promise<void> {
  for (const scope of await findEarlyLogs(pool, parts)) await sealRecordsOf(pool, scope, parts);
}

/** Logs whose head is of an earlier release and contains all that this host knows. */
export async function findEarlyLogs(
  db: Queryable,
  { mac, pins }: Pick<SealingParts, "mac" | "pins">,
): Promise<LogScope[]> {
  const { rows } = await db.query<LogScope>("select organization, environment from audit_logs");
  const early: LogScope[] = [];
  for (const scope of rows) {
    const row = await readLogRow(db, scope);
    if (!row || !isEarlyRow(scope, row, mac)) continue;
    const pinned = await pins.read(scope);
    const saved = pinned && (await openPinned(pinned).catch(() => null))?.saved;
    if (!saved) continue;
    const goesOn = saved.origin === row.origin && saved.size <= Number(row.tree_size);
    if (goesOn || (await isAdopted(db, scope, row, saved.origin, mac))) early.push(scope);
  }
  return early;
}

const batchSize = 1000;
const progressMs = 5000;

async function sealRecordsOf(
  pool: Pool,
  scope: LogScope,
  { mac, log }: Pick<SealingParts, "mac" | "log">,
): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query("begin");
    await client.query(
      "set local statement_timeout = 0; set local lock_timeout = 0; set local idle_in_transaction_session_timeout = 0",
    );
    await client.query("set local aos.log_maintenance = 'seal'");
    const at = [scope.organization, scope.environment];
    await client.query("select from audit_logs where organization = $1 and environment = $2 for update", at);
    const row = await readLogRow(client, scope);
    // Another process may have done it meanwhile.
    if (row && isEarlyRow(scope, row, mac)) {
      const records = await sealAll(client, scope, mac, log);
      await client.query("update audit_logs set mac = $3 where organization = $1 and environment = $2", [
        ...at,
        mac.head(headFields(scope, row)),
      ]);
      if (records > 0) log.info(`${records} early records of the audit log ${row.origin} are authenticated as found.`);
    }
    await client.query("commit");
  } catch (error) {
    await client.query("rollback").catch(() => undefined);
    throw error;
  } finally {
    client.release();
  }
}

/** Returns how many records had no MAC. */
async function sealAll(
  db: Queryable,
  { organization, environment }: LogScope,
  mac: LogMac,
  log: SequencerLog,
): Promise<number> {
  const writer = createRecordWriter(mac);
  await db.query(
    `declare early no scroll cursor for select id, salt_id as "saltId", body from audit_records r
     where organization = $1 and environment = $2 and mac is null and exists (
       select from audit_leaves l where l.organization = r.organization and l.environment = r.environment and l.record_id = r.id)`,
    [organization, environment],
  );
  let records = 0;
  let told = performance.now();
  for (;;) {
    const { rows } = await db.query<{ id: string; saltId: string | null; body: string }>(
      `fetch ${batchSize} from early`,
    );
    const seals = rows.map((row) => writer.seal({ organization, environment, ...row }));
    await db.query(
      `update audit_records r set writer = s.writer, number = s.number, mac = s.mac
       from unnest($3::text[], $4::text[], $5::bigint[], $6::bytea[]) s (id, writer, number, mac)
       where r.organization = $1 and r.environment = $2 and r.id = s.id`,
      [
        organization,
        environment,
        rows.map(({ id }) => id),
        seals.map((one) => one.writer),
        seals.map(({ number }) => number),
        seals.map((one) => one.mac),
      ],
    );
    records += rows.length;
    if (rows.length < batchSize) break;
    if (performance.now() - told < progressMs) continue;
    told = performance.now();
    log.info(`Authenticating early records of the audit log of ${environment}: ${records} so far.`);
  }
  await db.query("close early");
  return records;
}

async function sealRecord(
  db: Queryable,
  record: LogScope & { id: string; saltId: string | null; body: string },
  recordWriter: RecordWriter,
): Promise<void> {
  const { writer, number, mac } = recordWriter.seal(record);
  await db.query(
    "update audit_records set writer = $4, number = $5, mac = $6 where organization = $1 and environment = $2 and id = $3",
    [record.organization, record.environment, record.id, writer, number, mac],
  );
}

export interface SealingParts {
  readonly mac: LogMac;
  readonly pins: Pins;
  readonly signer: Ed25519Signer;
  readonly log: SequencerLog;
}

async function sealLogs(pool: Queryable, { mac, pins, signer, log }: SealingParts): Promise<void> {
  const writer = createRecordWriter(mac);
  for (const scope of await findLogs(pool)) {
    const at = [scope.organization, scope.environment];
    const row = await readLogRow(pool, scope);
    if (row) {
      const key = verifierKey(row.origin, signer.publicKey);
      const { size } = await openHead(row.checkpoint, key);
      await pool.query("update audit_logs set mac = $3 where organization = $1 and environment = $2", [
        ...at,
        mac.earlyHead(headFields(scope, row)),
      ]);
      await pins.save(scope, { key, checkpoint: row.checkpoint });
      log.info(`The audit log ${row.origin} is pinned as found, with ${size} records.`);
    }
    const { rows } = await pool.query<{ id: string; salt_id: string | null; body: string }>(
      `select id, salt_id, body from audit_records where organization = $1 and environment = $2 and mac is null and (xid, n) > ($3::xid8, $4::int)`,
      [...at, row?.last_xid ?? "0", row?.last_n ?? -1],
    );
    for (const { id, salt_id, body } of rows) await sealRecord(pool, { ...scope, id, saltId: salt_id, body }, writer);
  }
}
