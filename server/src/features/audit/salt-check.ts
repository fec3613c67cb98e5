import { erasesSalt, recordOfLeaf } from "@aos/proof";
import type { Statements } from "../../kernel/machines.ts";
import type { LogName } from "./log.ts";
import type { SaltedRecord, SaltPort } from "./ports.ts";

/** Select list over `audit_records r` and `saltOfRecord`, except for `id`, `body` and `closed`. */
export const saltColumns = "r.salt_id, r.writer, r.number::text as number, r.mac, s.salt";
export const saltOfRecord =
  "left join audit_salts s on s.organization = r.organization and s.environment = r.environment and s.id = r.salt_id";

const exchanged = "is not as it was written: its salt, the reference to it, or its text was changed";
const unexplained = "has lost the salt of its commitments, and no record of an erasure explains it";

/** What is wrong with the salts of records, by record id. A missing salt needs the record of the call that destroyed it. */
export async function saltFaults(
  db: Statements,
  log: LogName,
  records: readonly SaltedRecord[],
  port: SaltPort,
): Promise<ReadonlyMap<string, string>> {
  const faults = new Map<string, string>();
  const missing: { id: string; salt: string }[] = [];
  for (const record of records) {
    const state = port.saltState(log, record);
    if (state === "exchanged") faults.set(record.id, exchanged);
    if (state === "missing") missing.push({ id: record.id, salt: record.salt_id as string });
  }
  if (missing.length === 0) return faults;
  const erased = await erasedSalts(db, log, [...new Set(missing.map(({ salt }) => salt))], port);
  for (const { id, salt } of missing) if (!erased.has(salt)) faults.set(id, unexplained);
  return faults;
}

interface ErasureRow extends Omit<SaltedRecord, "salt" | "closed"> {
  readonly erased: string;
}

/** Those of the salts that a call destroyed by its own record. `audit_erasures` only finds that record: the row itself proves nothing. */
async function erasedSalts(
  db: Statements,
  { organization, environment }: LogName,
  salts: readonly string[],
  port: SaltPort,
): Promise<ReadonlySet<string>> {
  const rows = await db.query<ErasureRow>(
    `select e.salt_id as erased, r.id, r.body, r.salt_id, r.writer, r.number::text as number, r.mac
     from audit_erasures e
     join audit_records r on r.organization = e.organization and r.environment = e.environment and r.id = e.audit_ref
     where e.organization = $1 and e.environment = $2 and e.salt_id = any($3::text[])`,
    [organization, environment, salts],
  );
  const log = { organization, environment };
  const proved = rows.filter((row) => port.wrote(log, row) && erasesSalt(recordOfLeaf(row.body), row.erased));
  return new Set(proved.map(({ erased }) => erased));
}
