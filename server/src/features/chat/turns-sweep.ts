import { wake } from "../../jobs/queue.ts";
import type { Statements, Sweep } from "../../kernel/machines.ts";
import type { Environment } from "../../kernel/principal.ts";
import { wakeConversation } from "../tasks/public.ts";

/** How long a turn stands otherwise than its task before it is looked after (milliseconds): who was woken may be gone. */
export const forgottenAfterMs = 5_000;
/** Looks between those for forgotten turns. */
const every = 5;
const most = 500;

interface Forgotten {
  readonly organization: string;
  readonly environment: Environment;
  readonly conversation: string;
  readonly task: string | null;
}

/** Turns that stand otherwise than their task, and of turns in line behind nobody the first of each conversation. */
const findForgotten = (db: Statements, before: Date): Promise<Forgotten[]> =>
  db.query<Forgotten>(
    `select t.organization, t.environment, t.conversation, t.task
     from chat_turns t left join tasks k on k.organization = t.organization and k.environment = t.environment and k.id = t.task
     where t.state in ('queued', 'running', 'awaiting_approval', 'input_required') and case
       when t.task is not null then k.updated_at < $1 and t.state <> case when k.status in ('awaiting_approval', 'input_required') then k.status
         when k.status in ('queued', 'running') then case t.state when 'queued' then 'queued' else 'running' end else 'over' end
       else t.created_at < $1 and not exists (select from chat_turns r
         where r.organization = t.organization and r.environment = t.environment and r.conversation = t.conversation
           and (r.state = 'running' or r.state = 'queued' and r.task is null and r.number < t.number)) end
     order by t.created_at limit $2`,
    [before, most],
  );

/** Wakes workers for turns that no wake-up reached. */
export function createTurnSweep(): Sweep {
  let looks = 0;
  return {
    name: "chat.turns",
    async run({ db, now }) {
      looks += 1;
      if (looks % every === 0) await lookAfterTurns(db, now);
    },
  };
}

/** One look. */
export async function lookAfterTurns(db: Statements, now: number): Promise<void> {
  const found = await findForgotten(db, new Date(now - forgottenAfterMs));
  const jobs = found.map(({ conversation, task, ...scope }) =>
    wakeConversation(scope, conversation, task ?? conversation),
  );
  if (jobs.length > 0) await wake(db, jobs);
}
