import { createPublicKey, type KeyObject } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { type ExportReport, formatVerifierKey, type VerifierKey, verifierKey, verifyExport } from "@aos/proof";
import type pg from "pg";
import { exportLog } from "../src/audit-log/index.ts";
import { openSecrets } from "../src/db/secrets.ts";
import type { Environment } from "../src/kernel/principal.ts";
import { aos, testSecretKey, until } from "./processes.ts";

async function publicKey(pool: pg.Pool): Promise<Uint8Array> {
  const secrets = await openSecrets({ pool, keySource: { secretKey: testSecretKey, dataDir: "" } });
  const signing: KeyObject = await secrets.auditSigningKey();
  return Buffer.from(createPublicKey(signing).export({ format: "jwk" }).x as string, "base64url");
}

/** The key of a log, as an auditor would have got it from the operator. */
export async function trustedKey(pool: pg.Pool, environment: Environment = "development"): Promise<VerifierKey> {
  const { rows } = await pool.query<{ id: string }>("select id from installation");
  return verifierKey(`${rows[0]?.id}/default/${environment}`, await publicKey(pool));
}

/** Waits until every record of the environment stands in the log and every event has its sequence. */
export async function untilLogged(pool: pg.Pool, environment: Environment = "development"): Promise<void> {
  let left = {};
  const look = async (): Promise<boolean> => {
    const { rows } = await pool.query<{ records: number; events: number }>(
      // Set difference, not an anti-join: it stays a hash without statistics, as on tables that were filled a moment ago.
      `select (select count(*) from (select organization, id from audit_records where environment = $1
           except all select organization, record_id from audit_leaves where environment = $1) r)::int as records,
         (select count(*) from (select organization, id from events where environment = $1
           except all select organization, event_id from event_positions where environment = $1) e)::int as events`,
      [environment],
    );
    left = rows[0] ?? {};
    return rows[0]?.records === 0 && rows[0].events === 0;
  };
  await until("all records and events are in the log", look, 30_000, () => left);
}

/** Writes the whole log of an environment to a file. */
export async function writeExport(
  pool: pg.Pool,
  file: string,
  environment: Environment = "development",
): Promise<void> {
  const pieces = exportLog(pool, { organization: "default", environment }, await publicKey(pool));
  await pipeline(Readable.from(pieces), createWriteStream(file));
}

/** Verifies an export offline, by the library and by `aos audit verify` in a process of its own, which must agree. `kept`: a file with an earlier checkpoint. */
export async function verifiedTwice(file: string, key: VerifierKey, kept?: string): Promise<ExportReport> {
  const report = await verifyExport(createReadStream(file), { publicKey: key });
  const checkpoint = kept === undefined ? [] : ["--checkpoint", kept];
  const { code, stdout, stderr } = await aos(
    "audit",
    "verify",
    file,
    "--key",
    formatVerifierKey(key),
    "--json",
    ...checkpoint,
  );
  if ((code === 0) !== report.verified)
    throw new Error(`The library and the command disagree: ${JSON.stringify(report)}\n${stdout}${stderr}`);
  return report;
}
