import { saltErased, saltErasures } from "@aos/proof";
import { all, insert, remove } from "../../db/scoped.ts";
import type { WriteContext } from "../../kernel/context.ts";
import type { Statements } from "../../kernel/machines.ts";
import type { Scope } from "../../kernel/principal.ts";

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

/** Who made calls, by the ids of their records. */
export async function recordedCallers(
  { scope, db }: { readonly scope: Scope; readonly db: Statements },
  records: readonly string[],
): Promise<ReadonlyMap<string, RecordedCaller>> {
  if (records.length === 0) return new Map();
  const rows = await db.query<{ id: string; body: string }>(
    "select id, body from audit_records where organization = $1 and environment = $2 and id = any($3)",
    [scope.organization, scope.environment, records],
  );
  return new Map(
    rows.map(({ id, body }) => {
      const { principal, key_id: keyId } = JSON.parse(body) as { principal: string; key_id: string | null };
      return [id, { principal, keyId }];
    }),
  );
}
