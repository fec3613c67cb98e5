import { all, first, insert, type NewRow, type Row, select, sql, update } from "../../../db/scoped.ts";
import type { WriteContext } from "../../../kernel/context.ts";
import type { QueryContext } from "../../../kernel/db.ts";
import { momentOf } from "../../../kernel/moment.ts";

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

export const handoverKinds = ["any", "taken", "answered", "waiting", "breached"] as const;
export interface HandoverFilter {
  readonly handover?: (typeof handoverKinds)[number];
  /** `-`: without a team. */
  readonly handover_team?: readonly string[];
  readonly handover_after?: string;
  readonly handover_before?: string;
}

const ofKind = {
  any: sql<boolean>`true`,
  taken: sql<boolean>`h.taken_at is not null`,
  answered: sql<boolean>`h.answered_at is not null`,
  waiting: sql<boolean>`h.taken_at is null and h.ended_at is null`,
  breached: sql<boolean>`(h.waiting_breached_at is not null or h.answer_breached_at is not null)`,
};

/** SQL: whether conversation `c` has a hand-over that fits all that is asked; undefined: nothing is asked. */
export function isHandedOver(ctx: QueryContext, filter: HandoverFilter) {
  const { handover, handover_team: teams, handover_after: after, handover_before: before } = filter;
  if ((handover ?? teams ?? after ?? before) === undefined) return undefined;
  let query = select(ctx, "chat_handovers", "h").select("h.conversation").where("h.conversation", "is not", null);
  query = query.where(ofKind[handover ?? "any"]);
  if (teams) query = query.where(sql<boolean>`coalesce(h.team, '-') = any(${[...teams]}::text[])`);
  if (after !== undefined) query = query.where("h.requested_at", ">=", new Date(momentOf(after)));
  if (before !== undefined) query = query.where("h.requested_at", "<", new Date(momentOf(before)));
  return sql<boolean>`c.id in (${query})`;
}
