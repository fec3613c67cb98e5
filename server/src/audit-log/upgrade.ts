import type { Ed25519Signer } from "@aos/proof";
import { verifierKey } from "@aos/proof";
import type { Pool } from "pg";
import { openHead } from "./heads.ts";
import { findLogs } from "./leadership.ts";
import { headFields, readLogRow } from "./log-state.ts";
import { createRecordWriter, type LogMac } from "./mac.ts";
import type { Pins } from "./pins.ts";
import type { SequencerLog } from "./progress.ts";
import type { Queryable } from "./tile-store.ts";

/** The migration since which records and heads are authenticated. */
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
        mac.head(headFields(scope, row)),
      ]);
      await pins.save(scope, { key, checkpoint: row.checkpoint });
      log.info(`The audit log ${row.origin} is pinned as found, with ${size} records.`);
    }
    const { rows } = await pool.query<{ id: string; salt_id: string | null; body: string }>(
      `select id, salt_id, body from audit_records where organization = $1 and environment = $2 and mac is null and (xid, n) > ($3::xid8, $4::int)`,
      [...at, row?.last_xid ?? "0", row?.last_n ?? -1],
    );
    for (const { id, salt_id, body } of rows) {
      const sealed = writer.seal({ ...scope, id, saltId: salt_id, body });
      await pool.query(
        "update audit_records set writer = $4, number = $5, mac = $6 where organization = $1 and environment = $2 and id = $3",
        [...at, ...[id, sealed.writer, sealed.number, sealed.mac]],
      );
    }
  }
}
