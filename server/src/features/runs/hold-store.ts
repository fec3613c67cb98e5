import { all, update } from "../../db/scoped.ts";
import type { WriteContext } from "../../kernel/context.ts";
import type { Statements } from "../../kernel/machines.ts";
import type { TaskState } from "../tasks/schemas.ts";
import type { HeldWork } from "./holds.ts";
import type { TaskAddress } from "./jobs/sweep-store.ts";

// Ending tasks by stops and pauses.

/** How long a worker has to end a running task by itself, once a stop or pause is engaged; then the sweeper does it. */
const workersTurn = "interval '3 seconds'";

/** A task with what stops and pauses can name of it. */
export interface HeldTask extends TaskAddress, HeldWork {
  readonly status: TaskState;
}

const told = `t.organization, t.environment, t.id, t.agent, t.version_id as "versionId", t.skill, t.run_workflow as workflow, t.status`;
const withinKillSwitch = `t.organization = s.organization and (s.kind = 'all' or t.environment = s.environment)
  and case s.kind when 'agent' then t.agent = s.target when 'version' then t.version_id = s.target
    when 'skill' then t.agent || '.' || t.skill = s.target when 'workflow' then t.run_workflow = s.target else true end`;

/** Open tasks that a stop or an agent's pause ends, over all scopes: running ones only where their worker let its turn pass. */
export async function listTasksToEnd(db: Statements, most: number): Promise<HeldTask[]> {
  return db.query<HeldTask>(
    `select t.* from kill_switches s cross join lateral (
       (select ${told} from tasks t where t.status = 'queued' and ${withinKillSwitch} limit $1)
       union all
       (select ${told} from tasks t where t.status = 'running' and s.engaged_at < now() - ${workersTurn} and ${withinKillSwitch} limit $1)) t
     where s.released_at is null and s.mode = 'stop' and s.kind in ('all', 'environment', 'agent', 'version', 'skill', 'workflow')
     union
     select t.* from agent_pauses p cross join lateral (
       select ${told} from tasks t
       where t.organization = p.organization and t.environment = p.environment and t.agent = p.agent
         and t.status in ('queued', 'awaiting_approval', 'input_required', 'running')
         and (t.status <> 'running' or p.created_at < now() - ${workersTurn}) limit $1) t
     where p.mode = 'cancel'
     limit $1`,
    [most],
  );
}

/** Says in the task's row which stop ended it. */
export async function noteKillSwitch(ctx: WriteContext, task: string, killSwitch: string): Promise<void> {
  await all(ctx, update(ctx, "tasks").set({ kill_switch_id: killSwitch }).where("id", "=", task));
}
