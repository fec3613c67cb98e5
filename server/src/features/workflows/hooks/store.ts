import { first, insert, select } from "../../../db/scoped.ts";
import type { WriteContext } from "../../../kernel/context.ts";
import type { Statements } from "../../../kernel/machines.ts";

/** Senders of Standard Webhooks repeat a call for a few days (milliseconds). */
export const callsKeptFor = 7 * 86_400_000;

/** Records the id of a call; returns the record of the first call for a repetition. */
export async function noteCall(ctx: WriteContext, hook: string, webhookId: string): Promise<string | null> {
  const row = { hook, webhook_id: webhookId, audit_ref: ctx.auditRef, at: new Date(ctx.now) };
  const noted = insert(ctx, "workflow_hook_calls", row).onConflict((on) => on.doNothing());
  if (await first(ctx, noted.returning("hook"))) return null;
  const known = select(ctx, "workflow_hook_calls", "c").select("c.audit_ref").where("c.hook", "=", hook);
  return (await first(ctx, known.where("c.webhook_id", "=", webhookId)))?.audit_ref ?? "";
}

/** Deletes calls that no sender repeats any longer. */
export async function clearHookCalls(db: Statements, before: Date, most: number): Promise<void> {
  await db.query(
    `delete from workflow_hook_calls c using (select organization, environment, hook, webhook_id from workflow_hook_calls where at < $1 order by at limit $2) old
     where c.organization = old.organization and c.environment = old.environment and c.hook = old.hook and c.webhook_id = old.webhook_id`,
    [before, most],
  );
}
