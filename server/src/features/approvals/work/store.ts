import { all, first, insert, type Row, select, sql, update } from "../../../db/scoped.ts";
import type { ReadContext, WriteContext } from "../../../kernel/context.ts";
import { memberRows } from "../../admin/shared-rows.ts";

type Activity = Row<"approval_activity">;

/** What somebody did, for the history. `approval`: locked by the caller. */
export async function noteActivity(
  ctx: WriteContext,
  approval: string,
  { kind, until = null, reason = null }: { kind: Activity["kind"]; until?: Date | null; reason?: string | null },
): Promise<void> {
  const at = new Date(ctx.now);
  const row = { approval_id: approval, id: ctx.newId("apc"), kind, member: ctx.principal.id, created_at: at };
  await all(ctx, insert(ctx, "approval_activity", { ...row, until, reason }));
}

const revised = { revision: sql<number>`revision + 1` };
const pending = (ctx: WriteContext, id: string) =>
  update(ctx, "approvals").set(revised).where("id", "=", id).where("status", "=", "pending");

export async function setClaim(ctx: WriteContext, id: string, until: Date | null): Promise<void> {
  const claim = {
    claimed_by: until && ctx.principal.id,
    claimed_at: until && new Date(ctx.now),
    claimed_until: until,
  };
  await all(ctx, pending(ctx, id).set(claim));
}

/** People are reminded again before the new end. */
export async function setExtended(ctx: WriteContext, id: string, seconds: number): Promise<Date> {
  const longer = pending(ctx, id)
    .set({ expires_at: sql<Date>`expires_at + make_interval(secs => ${seconds}::int)` })
    .set({ extended_seconds: sql<number>`extended_seconds + ${seconds}::int`, reminded_at: null });
  return (await first(ctx, longer.returning("expires_at")))?.expires_at as Date;
}

/** Which of these are persons of the organization with a role in the environment. */
export async function readersAmong(ctx: WriteContext, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const { environment } = ctx.scope;
  const rows = await all(
    ctx,
    select(ctx, memberRows, "m")
      .select("m.id")
      .where("m.id", "in", [...ids])
      .where("m.kind", "=", "person")
      .where("m.removed_at", "is", null)
      .where(sql<boolean>`m.roles ->> ${environment}::text is not null`),
  );
  return new Set(rows.map(({ id }) => id));
}

export async function countComments(ctx: ReadContext | WriteContext, task: string): Promise<number> {
  const counted = select(ctx, "approval_comments", "c").where("c.task_id", "=", task);
  return (await first(ctx, counted.select(sql<number>`count(*)::int`.as("count"))))?.count ?? 0;
}
