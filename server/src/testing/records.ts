import type { TestApp } from "./app.ts";

/** The audit record of a call, by its `Audit-Ref`, as it stands in the database. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into it
export async function recordOf(app: TestApp, auditRef: string | null): Promise<any> {
  const { rows } = await app.pool.query<{ body: string }>("select body from audit_records where id = $1", [auditRef]);
  if (!rows[0]) throw new Error(`there is no record ${auditRef}`);
  return JSON.parse(rows[0].body);
}
