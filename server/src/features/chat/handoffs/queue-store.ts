import { all, rowsOf, select, sql } from "../../../db/scoped.ts";
import type { ReadContext } from "../../../kernel/context.ts";
import { isOpenAt, type KnownTeam, opensAt } from "../../admin/public.ts";
import { memberRows } from "../../admin/shared-rows.ts";
import type { Queue, QueueTeam } from "../schemas.ts";
import type { StoredHandoff } from "./rules.ts";

const mostShown = 200;

/** Conversations that a team has, as far as a narrowed key may see them. */
function conversationsOf(ctx: ReadContext) {
  const { agents } = ctx.principal;
  return select(ctx, "chat_conversations", "c")
    .leftJoin(rowsOf(ctx, "chat_handovers", "h"), (on) =>
      on.onRef("h.conversation", "=", "c.id").on("h.ended_at", "is", null),
    )
    .where("c.state", "=", "open")
    .where(sql<boolean>`c.handoff ->> 'team' is not null`)
    .$if(agents !== null, (query) => query.where(sql<boolean>`c.agent = any(${agents}::text[])`));
}

const breached = sql<boolean>`(h.waiting_breached_at is not null or h.answer_breached_at is not null)`;

interface Counted {
  readonly team: string;
  readonly waiting: number;
  readonly answering: number;
  readonly breached: number;
  readonly oldest: string | null;
}

export async function countQueues(ctx: ReadContext): Promise<ReadonlyMap<string, Counted>> {
  const query = conversationsOf(ctx)
    .select([
      sql<string>`c.handoff ->> 'team'`.as("team"),
      sql<number>`(count(*) filter (where c.handler is null))::int`.as("waiting"),
      sql<number>`(count(*) filter (where c.handler is not null))::int`.as("answering"),
      sql<number>`(count(*) filter (where ${breached}))::int`.as("breached"),
      sql<string | null>`min(c.handoff ->> 'requested_at') filter (where c.handler is null)`.as("oldest"),
    ])
    .groupBy(sql`c.handoff ->> 'team'`);
  return new Map((await all(ctx, query)).map((row) => [row.team, row]));
}

export function queueView(ctx: ReadContext, team: KnownTeam, counted: Counted | undefined): QueueTeam {
  const opens = opensAt(team.hours, ctx.now);
  return {
    team: team.name,
    title: team.title,
    mine: team.members.includes(ctx.principal.id),
    open: isOpenAt(team.hours, ctx.now),
    opens_at: opens === null ? null : new Date(opens).toISOString(),
    waiting: counted?.waiting ?? 0,
    answering: counted?.answering ?? 0,
    breached: counted?.breached ?? 0,
    oldest_at: counted?.oldest ?? null,
  };
}

export async function listQueue(ctx: ReadContext, team: string): Promise<Queue["conversations"]> {
  const query = conversationsOf(ctx)
    .leftJoin(rowsOf(ctx, memberRows, "m"), (on) =>
      on.on("m.id", "=", sql<string>`coalesce(c.handler, c.handoff ->> 'member')`),
    )
    .select(["c.id", "c.agent", "c.channel", "c.title", "c.end_user", "c.handoff", "c.handler"])
    .select([
      "m.name",
      breached.as("breached"),
      sql<Date | null>`case when h.answered_at is not null then null when h.taken_at is not null then h.answer_due_at
        else least(h.waiting_due_at, h.answer_due_at) end`.as("due"),
    ])
    .where(sql<boolean>`c.handoff ->> 'team' = ${team}`)
    .orderBy(sql`c.handler is not null`)
    .orderBy(sql`c.handoff ->> 'requested_at'`)
    .limit(mostShown);
  return (await all(ctx, query)).map((row) => {
    const handoff = row.handoff as StoredHandoff;
    const member = row.handler ?? handoff.member;
    return {
      conversation_id: row.id,
      agent: row.agent,
      channel: row.channel,
      title: row.title,
      user: row.end_user,
      cause: handoff.cause ?? "caller",
      reason: handoff.reason,
      member: member === null ? null : { id: member, name: row.name ?? member },
      state: row.handler === null ? "waiting" : "answering",
      since: handoff.requested_at,
      due_at: row.due?.toISOString() ?? null,
      breached: row.breached ?? false,
    };
  });
}
