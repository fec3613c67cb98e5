import { all, first, insert, type NewRow, type Row, select, sql, update } from "../../../db/scoped.ts";
import type { WriteContext } from "../../../kernel/context.ts";
import type { QueryContext } from "../../../kernel/db.ts";

export type HandoverRow = Row<"chat_handovers">;
type Changes = Partial<
  Pick<
    HandoverRow,
    | "member"
    | "assigned_at"
    | "taken_at"
    | "answered_at"
    | "ended_at"
    | "conversation"
    | "waiting_breached_at"
    | "answer_breached_at"
  >
>;

export const insertHandover = (ctx: WriteContext, row: NewRow<"chat_handovers">) =>
  all(ctx, insert(ctx, "chat_handovers", row));

/** The latest one that has not ended. */
export const findOpenHandover = (ctx: QueryContext, conversation: string): Promise<HandoverRow | undefined> =>
  first(
    ctx,
    select(ctx, "chat_handovers", "h")
      .selectAll("h")
      .where("h.conversation", "=", conversation)
      .where("h.ended_at", "is", null)
      .orderBy("h.id", "desc")
      .limit(1),
  );

/** Changes those of a conversation that have not ended. */
export const changeHandovers = (ctx: WriteContext, conversation: string, changes: Changes) =>
  all(
    ctx,
    update(ctx, "chat_handovers").set(changes).where("conversation", "=", conversation).where("ended_at", "is", null),
  );

export const endHandovers = (ctx: WriteContext, conversation: string) =>
  changeHandovers(ctx, conversation, { ended_at: new Date(ctx.now) });

/** A person has written: only the first time counts. */
export const noteAnswer = (ctx: WriteContext, conversation: string) =>
  all(
    ctx,
    update(ctx, "chat_handovers")
      .set({ answered_at: new Date(ctx.now) })
      .where("conversation", "=", conversation)
      .where("ended_at", "is", null)
      .where("answered_at", "is", null),
  );

/** Those that stay name neither a conversation nor a person. */
export const forgetHandovers = (ctx: WriteContext, conversation: string) =>
  all(
    ctx,
    update(ctx, "chat_handovers")
      .set({
        conversation: null,
        member: null,
        ended_at: sql<Date>`coalesce(ended_at, ${new Date(ctx.now)}::timestamptz)`,
      })
      .where("conversation", "=", conversation),
  );

export interface Load {
  readonly member: string;
  readonly open: number;
  readonly last: Date | null;
}

/** How many open conversations members have, and when they were assigned one last. */
export async function loadsOf(ctx: QueryContext, members: readonly string[]): Promise<ReadonlyMap<string, Load>> {
  const query = select(ctx, "chat_handovers", "h")
    .select([
      "h.member",
      sql<number>`count(*) filter (where h.ended_at is null)::int`.as("open"),
      sql<Date | null>`max(h.assigned_at)`.as("last"),
    ])
    .where("h.member", "in", [...members])
    .groupBy("h.member");
  const rows = (await all(ctx, query)) as Load[];
  return new Map(rows.map((row) => [row.member, row]));
}
