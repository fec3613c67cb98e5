import { createHash, createPublicKey } from "node:crypto";
import { type VerifierKey, verifierKey } from "@aos/proof";
import { createExportPort } from "../../audit-log/export-port.ts";
import { createLogMac, createSigner, type LogMac } from "../../audit-log/index.ts";
import { openSecrets } from "../../db/secrets.ts";
import type { TestApp } from "../../testing/app.ts";
import { asDatabaseOwner } from "../../testing/owner.ts";
import { eventually } from "../../testing/tasks.ts";
import type { ExportPort } from "./ports.ts";
import type { AuditExport } from "./schemas.ts";

const secretsOf = ({ pool }: TestApp) =>
  openSecrets({ pool, keySource: { secretKey: Buffer.alloc(32, 7).toString("base64"), dataDir: "" } });
const signingKey = async (app: TestApp) => (await secretsOf(app)).auditSigningKey();

export const logMac = async (app: TestApp): Promise<LogMac> => createLogMac((await secretsOf(app)).auditMacKey());

export async function trustedKey(app: TestApp, environment = "development"): Promise<VerifierKey> {
  const { x } = createPublicKey(await signingKey(app)).export({ format: "jwk" });
  const { rows } = await app.pool.query<{ id: string }>("select id from installation");
  return verifierKey(`${rows[0]?.id}/default/${environment}`, Buffer.from(x as string, "base64url"));
}

/** Waits until the record is in the log: a proof is answered no earlier. */
export async function untilSequenced(
  app: TestApp,
  auditRef: string,
  environment: "development" | "staging" = "development",
): Promise<string> {
  const ask = () => app.call("GET", `/v1/audit/events/${auditRef}/proof`, { environment });
  let { status, text } = await ask();
  while (status === 503) ({ status, text } = await ask()); // each call waits two seconds for the log
  if (status !== 200) throw new Error(`the proof of ${auditRef} answered ${status}: ${text}`);
  return text;
}

/** A body as a record commits to it: SHA-256 of its bytes, in hexadecimal. */
export function bodyDigest(body: string): string {
  return createHash("sha256").update(body).digest("hex");
}

export async function exportPort(app: TestApp): Promise<ExportPort> {
  return createExportPort({ pool: app.pool, installation: "test", signer: createSigner(await signingKey(app)) });
}

/** Ends the lease of an export's worker, or the pause after its fault: the next may begin at once. */
export async function endLease(app: TestApp, { export_id }: AuditExport): Promise<void> {
  await app.pool.query("update audit_exports set lease_until = now() where id = $1", [export_id]);
}

/** Asks for an export of everything that was answered before; answers it as it is queued. */
export async function startExport(
  app: TestApp,
  body: { format: string; filter?: object },
  options: { key?: string } = {},
): Promise<AuditExport> {
  await eventually(async () => {
    const { rows } = await app.pool.query<{ left: number }>(
      `select count(*)::int as left from audit_records r where environment = 'development'
         and not exists (select from audit_leaves l where l.environment = 'development' and l.record_id = r.id)`,
    );
    if (rows[0]?.left !== 0) throw new Error(`${rows[0]?.left} records are not in the log yet`);
  });
  const answered = await app.call("POST", "/v1/audit/exports", { body, ...options });
  if (answered.status !== 202) throw new Error(`the export answered ${answered.status}: ${answered.text}`);
  return answered.body;
}

export async function readExport(app: TestApp, id: string): Promise<AuditExport> {
  return (await app.call("GET", `/v1/audit/exports/${id}`)).body;
}

export async function fileOf(app: TestApp, { export_id, format }: AuditExport): Promise<string> {
  const accept = format === "csv" ? "text/csv" : "application/x-ndjson";
  const headers = { accept, authorization: `Bearer ${app.key("admin")}` };
  const answered = await fetch(`${app.url}/v1/audit/exports/${export_id}`, { headers });
  const text = await answered.text();
  if (answered.status !== 200 || answered.headers.get("content-type") !== accept)
    throw new Error(`the file answered ${answered.status}: ${text}`);
  return text;
}

/** Runs a statement on the log's tables, as somebody could who has the database and not the process. */
export async function editLog(app: TestApp, statement: string, values: readonly unknown[] = []): Promise<void> {
  await asDatabaseOwner(app.pool, (owner) => owner.query(statement, [...values]));
}

type LogTable = "audit_records" | "audit_leaves" | "audit_tiles" | "audit_logs";

/** Edits the log of `development` while `work` runs, and then puts back the rows of these tables that the edit may have changed: those that fit `where`. */
export async function whileEdited<T>(
  app: TestApp,
  rows: Partial<Record<LogTable, string>>,
  statement: string,
  work: () => Promise<T>,
): Promise<T> {
  const kept = new Map<string, { where: string; before: string }>();
  for (const [table, condition] of Object.entries(rows)) {
    const where = `environment = 'development' and (${condition})`;
    const { rows: found } = await app.pool.query(
      `select coalesce(jsonb_agg(t), '[]')::text as before from ${table} t where ${where}`,
    );
    kept.set(table, { where, before: found[0].before });
  }
  try {
    await editLog(app, statement);
    return await work();
  } finally {
    for (const [table, { where, before }] of kept) {
      await editLog(app, `delete from ${table} where ${where}`);
      await editLog(app, `insert into ${table} select * from jsonb_populate_recordset(null::${table}, $1)`, [before]);
    }
  }
}
