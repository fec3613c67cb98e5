import type { Statements, Sweep } from "../../kernel/machines.ts";
import type { Scope } from "../../kernel/principal.ts";
import { remindOfHandoff } from "./operations/remind-of-handoff.ts";

/** After so many minutes without a person those who listen are told once more. */
const patienceMinutes = 10;
const mostDue = 100;

/** Reminds of conversations that nobody took over. */
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
