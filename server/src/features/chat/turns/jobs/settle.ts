import { addressIn } from "../../../../jobs/payload.ts";
import { wake } from "../../../../jobs/queue.ts";
import { Refusal } from "../../../../kernel/errors.ts";
import type { JobHandler, JobParts, Statements, Sweep } from "../../../../kernel/machines.ts";
import type { Environment, Scope } from "../../../../kernel/principal.ts";
import { budgetExhausted, conflict, notFound } from "../../../../kernel/problems.ts";
import { wakeConversation } from "../../../tasks/public.ts";
import { taskRows } from "../../../tasks/shared-rows.ts";
import { handOverTurn } from "../operations/hand-over-turn.ts";
import { type SettleTurn, settleTurn } from "../operations/settle-turn.ts";
import { startTurn } from "../operations/start-turn.ts";

type Parts = Pick<JobParts, "inside">;

export function createTurnJob(parts: Parts): JobHandler {
  return async (payload) => {
    const address = addressIn(payload, "conversation");
    if (!address) return;
    const { id: conversation, ...scope } = address;
    const { task } = payload as { task?: unknown };
    await settle(parts, scope, { conversation, task: typeof task === "string" ? task : null, refused: null });
  };
}

async function settle(parts: Parts, scope: Scope, first: SettleTurn): Promise<void> {
  let asked: SettleTurn | null = first;
  while (asked) {
    const settled: { next: string | null } | undefined = await unlessGone(parts.inside(settleTurn, scope, asked));
    if (!settled?.next) return;
    asked = await begin(parts, scope, first.conversation, settled.next);
  }
}

/** Null: somebody else was faster. */
async function begin(parts: Parts, scope: Scope, conversation: string, turn: string): Promise<SettleTurn | null> {
  try {
    const { task } = await parts.inside(startTurn, scope, { turn });
    return { conversation, task, refused: null };
  } catch (error) {
    if (!(error instanceof Refusal) || error.type.status >= 500) throw error;
    const { code } = error.type;
    if (code === conflict.code || code === notFound.code) return null;
    if (code === budgetExhausted.code && (await handedOver(parts, scope, turn))) return null;
    return { conversation, task: null, refused: { turn, code, detail: "It was not allowed when its turn came." } };
  }
}

/** Whether people got the message that no budget pays for: the agent's file says so, and no policy denies it. */
async function handedOver(parts: Parts, scope: Scope, turn: string): Promise<boolean> {
  try {
    await parts.inside(handOverTurn, scope, { turn });
    return true;
  } catch (error) {
    if (!(error instanceof Refusal) || error.type.status >= 500) throw error;
    return error.type.code === conflict.code;
  }
}

async function unlessGone<T>(done: Promise<T>): Promise<T | undefined> {
  try {
    return await done;
  } catch (error) {
    if (error instanceof Refusal && error.type.code === notFound.code) return undefined;
    throw error;
  }
}

/** How long a turn may differ from its task before it is looked after (milliseconds). */
const forgottenAfterMs = 5_000;
/** One in so many runs of the sweep looks for forgotten turns. */
const every = 5;
const most = 500;

interface Forgotten {
  readonly organization: string;
  readonly environment: Environment;
  readonly conversation: string;
  readonly task: string | null;
}

/** Turns that differ from their task, and the first waiting turn of conversations where none is running. */
const findForgotten = (db: Statements, before: Date): Promise<Forgotten[]> =>
  db.query<Forgotten>(
    `select t.organization, t.environment, t.conversation, t.task
     from chat_turns t left join ${taskRows} k on k.organization = t.organization and k.environment = t.environment and k.id = t.task
     where t.state in ('queued', 'running', 'awaiting_approval', 'input_required') and case
       when t.task is not null then k.updated_at < $1 and t.state <> case when k.status in ('awaiting_approval', 'input_required') then k.status
         when k.status in ('queued', 'running') then case t.state when 'queued' then 'queued' else 'running' end else 'over' end
       else t.created_at < $1 and not exists (select from chat_turns r
         where r.organization = t.organization and r.environment = t.environment and r.conversation = t.conversation
           and (r.state = 'running' or r.state = 'queued' and r.task is null and r.number < t.number)) end
     order by t.created_at limit $2`,
    [before, most],
  );

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

export async function lookAfterTurns(db: Statements, now: number): Promise<void> {
  const found = await findForgotten(db, new Date(now - forgottenAfterMs));
  const jobs = found.map(({ conversation, task, ...scope }) =>
    wakeConversation(scope, conversation, task ?? conversation),
  );
  if (jobs.length > 0) await wake(db, jobs);
}
