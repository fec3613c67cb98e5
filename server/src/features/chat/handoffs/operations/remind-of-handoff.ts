import type { Statements, Sweep } from "../../../../kernel/machines.ts";
import { defineInside, exempt, type InsideOperation } from "../../../../kernel/operation.ts";
import type { Scope } from "../../../../kernel/principal.ts";
import { findConversation, lockConversation } from "../../conversations/store.ts";
import { handoffWaiting } from "../../events.ts";
import type { Handoff } from "../../schemas.ts";
import { changeConversation, eventSubject } from "../effects.ts";

type OfConversation = { readonly conversation: string };

export const remindOfHandoff: InsideOperation<OfConversation, { readonly reminded: boolean }> = defineInside({
  id: "chat.remindOfHandoff",
  summary: "Remind of a conversation that waits for a person",
  permission: exempt("the service's own look at what is due"),
  load: (ctx, { conversation }: OfConversation) => findConversation(ctx, conversation),
  gate: exempt("makes no agent act"),
  compliance: exempt("tells of what was asked for"),
  audit: ({ params }) => `conversation:${params.conversation}`,
  emits: [handoffWaiting],
  async handle(ctx, { params: { conversation } }) {
    const row = await lockConversation(ctx, conversation);
    const handoff = row?.handoff as (Handoff & { readonly reminded_at?: string }) | null | undefined;
    if (!row || !handoff || row.handler !== null || handoff.reminded_at !== undefined) return { reminded: false };
    const reminded_at = new Date(ctx.now).toISOString();
    await changeConversation(ctx, conversation, { handoff: JSON.stringify({ ...handoff, reminded_at }) });
    ctx.emit(handoffWaiting, { ...eventSubject(row), since: handoff.requested_at });
    return { reminded: true };
  },
});

/** A reminder goes out after this time. */
const patienceMinutes = 10;
const mostDue = 100;

export const handoffSweep: Sweep = {
  name: "chat.handoffs",
  async run({ db, inside, now }) {
    for (const { organization, environment, id } of await listForgotten(db, now))
      await inside(remindOfHandoff, { organization, environment }, { conversation: id });
  },
};

const listForgotten = (db: Statements, now: number): Promise<(Scope & { id: string })[]> =>
  db.query(
    `select organization, environment, id from chat_conversations
     where handoff is not null and handler is null and handoff ->> 'requested_at' < $1 and not handoff ? 'reminded_at' and state = 'open'
     order by handoff ->> 'requested_at' limit ${mostDue}`,
    [new Date(now - patienceMinutes * 60_000).toISOString()],
  );
