import { all, select, sql, update } from "../../../../db/scoped.ts";
import type { Statements, Sweep } from "../../../../kernel/machines.ts";
import { defineInside, exempt, type InsideOperation } from "../../../../kernel/operation.ts";
import type { Scope } from "../../../../kernel/principal.ts";
import { serviceLevelBreached } from "../../events.ts";
import type { HandoverRow } from "../store.ts";

interface OfHandover {
  readonly handover: string;
}

/** A hand-over that is over a due time that nobody has noted. */
export const noteBreach: InsideOperation<OfHandover, { readonly levels: readonly string[] }> = defineInside({
  id: "chat.noteBreach",
  summary: "Note that a conversation exceeded a service level",
  permission: exempt("the service's own look at what is due"),
  load: async (ctx, { handover }: OfHandover): Promise<HandoverRow | undefined> =>
    (await all(ctx, select(ctx, "chat_handovers", "h").selectAll("h").where("h.id", "=", handover)))[0],
  gate: exempt("makes no agent act"),
  compliance: exempt("tells of what was asked for"),
  audit: ({ params, loaded }) =>
    loaded?.conversation ? `conversation:${loaded.conversation}` : `handover:${params.handover}`,
  emits: [serviceLevelBreached],
  async handle(ctx, { params, loaded }) {
    const at = new Date(ctx.now);
    const noted = await all(
      ctx,
      update(ctx, "chat_handovers")
        .set({
          waiting_breached_at: sql<Date>`case when waiting_breached_at is null and taken_at is null and waiting_due_at < ${at} then ${at}::timestamptz else waiting_breached_at end`,
          answer_breached_at: sql<Date>`case when answer_breached_at is null and answered_at is null and answer_due_at < ${at} then ${at}::timestamptz else answer_breached_at end`,
        })
        .where("id", "=", params.handover)
        .where("ended_at", "is", null)
        .returning(["waiting_breached_at", "answer_breached_at", "waiting_due_at", "answer_due_at"]),
    );
    const [row] = noted;
    const { conversation, agent, channel, team } = loaded;
    if (!row || conversation === null) return { levels: [] };
    const isNow = (time: Date | null): boolean => time?.getTime() === at.getTime();
    const levels = [
      ...(isNow(row.waiting_breached_at) ? [["waiting", row.waiting_due_at] as const] : []),
      ...(isNow(row.answer_breached_at) ? [["first_answer", row.answer_due_at] as const] : []),
    ];
    for (const [level, due] of levels)
      ctx.emit(serviceLevelBreached, {
        conversation_id: conversation,
        agent,
        channel,
        team,
        level,
        due_at: (due as Date).toISOString(),
      });
    return { levels: levels.map(([level]) => level) };
  },
});

const mostDue = 100;

export const breachSweep: Sweep = {
  name: "chat.breaches",
  async run({ db, inside, now }) {
    for (const { organization, environment, id } of await listDue(db, new Date(now)))
      await inside(noteBreach, { organization, environment }, { handover: id });
  },
};

const listDue = (db: Statements, now: Date): Promise<(Scope & { id: string })[]> =>
  db.query(
    `select organization, environment, id from chat_handovers
       where waiting_due_at < $1 and taken_at is null and ended_at is null and waiting_breached_at is null
     union
     select organization, environment, id from chat_handovers
       where answer_due_at < $1 and answered_at is null and ended_at is null and answer_breached_at is null
     limit ${mostDue}`,
    [now],
  );
