import { saltErased, saltErasures } from "@aos/proof";
import { auditRecordRows } from "../../audit-log/shared-rows.ts";
import { all, insert, remove } from "../../db/scoped.ts";
import type { WriteContext } from "../../kernel/context.ts";
import type { QueryContext } from "../../kernel/db.ts";
import { storedRecord } from "./log/stored-record.ts";

export { standingSink } from "./sinks/kind.ts";

/**
 * Destroys the salt of a subject, so that no commitment to its values can be opened again. The record of the call names it: without that a missing salt counts as
 * tampering.
 */
export async function destroySalt(ctx: WriteContext, subject: string): Promise<void> {
  if (!saltErasures.includes(ctx.operation))
    throw new Error(
      `${ctx.operation} is not in saltErasures of @aos/proof: its record would not explain the missing salt`,
    );
  const destroyed = await all(ctx, remove(ctx, "audit_salts").where("subject", "=", subject).returning("id"));
  for (const { id } of destroyed) {
    await all(ctx, insert(ctx, "audit_erasures", { salt_id: id, audit_ref: ctx.auditRef }));
    ctx.note(saltErased(id));
  }
}

export interface RecordedCaller {
  /** `mbr_…`, `system:…` or `hook:…`. */
  readonly principal: string;
  readonly keyId: string | null;
}

export async function recordedCallers(
  { scope, db }: QueryContext,
  records: readonly string[],
): Promise<ReadonlyMap<string, RecordedCaller>> {
  if (records.length === 0) return new Map();
  const rows = await db.query<{ id: string; body: string }>(
    `select id, body from ${auditRecordRows} audit_records where organization = $1 and environment = $2 and id = any($3)`,
    [scope.organization, scope.environment, records],
  );
  return new Map(
    rows.map((row) => {
      const { principal, key_id: keyId } = storedRecord(row);
      return [row.id, { principal, keyId }];
    }),
  );
}
