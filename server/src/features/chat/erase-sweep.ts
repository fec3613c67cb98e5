import type { Sweep } from "../../kernel/machines.ts";
import type { Scope } from "../../kernel/principal.ts";
import { eraseConversation } from "./operations/erase-conversation.ts";

const mostDue = 20;

/** Erases closed conversations whose time of retention is over. */
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
