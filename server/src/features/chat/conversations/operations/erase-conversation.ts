import type { Sweep } from "../../../../kernel/machines.ts";
import { defineInside, exempt, type InsideOperation } from "../../../../kernel/operation.ts";
import type { Scope } from "../../../../kernel/principal.ts";
import { erase } from "../erase.ts";
import { lockConversation } from "../store.ts";

export const eraseConversation: InsideOperation<{ readonly conversation: string }, { readonly erased: boolean }> =
  defineInside({
    id: "chat.eraseConversation",
    summary: "Erase a closed conversation",
    permission: exempt("the service's own look at what is due"),
    load: exempt("looks again under its lock"),
    gate: exempt("makes no agent act"),
    compliance: exempt("carries out the retention that the environment's settings say"),
    audit: ({ params }) => `conversation:${params.conversation}`,
    async handle(ctx, { params }: { params: { readonly conversation: string } }) {
      const row = await lockConversation(ctx, params.conversation);
      if (!row?.erase_at || row.erase_at.getTime() > ctx.now || row.state !== "closed") return { erased: false };
      await erase(ctx, row.id);
      return { erased: true };
    },
  });

const mostDue = 20;

export const eraseSweep: Sweep = {
  name: "chat.erase",
  async run({ db, inside, now }) {
    const due = await db.query<Scope & { id: string }>(
      `select organization, environment, id from chat_conversations where erase_at <= $1 order by erase_at limit ${mostDue}`,
      [new Date(now)],
    );
    for (const { organization, environment, id } of due)
      await inside(eraseConversation, { organization, environment }, { conversation: id });
  },
};
