import type { ReadContext } from "../../../kernel/context.ts";
import { isId } from "../../../kernel/ids.ts";
import { summedUsd } from "../../../kernel/ledger.ts";
import { madeAt } from "../../../kernel/moment.ts";
import type { BatchState, TaskState } from "../schemas.ts";
import { isFinal } from "../tasks/row.ts";

export interface BatchRow {
  readonly id: string;
  /** Those of its tasks, by which narrowed keys are held. */
  readonly agents: readonly string[];
  readonly groups: readonly StatusRow[];
}

interface StatusRow extends Record<string, unknown> {
  readonly status: TaskState;
  readonly agents: readonly string[];
  readonly tasks: number;
  readonly cost_usd: number;
  readonly tokens: number;
  readonly first: string;
  readonly finished_at: Date | null;
}

/** A batch by what became of its tasks; undefined where no task names it. */
export async function findBatch({ scope, db }: ReadContext, id: string): Promise<BatchRow | undefined> {
  if (!isId(id, "bat")) return undefined;
  const groups = await db.query<StatusRow>(
    `select status, array_agg(distinct agent) as agents, count(*)::int as tasks, sum(cost_usd) as cost_usd, sum(tokens)::float8 as tokens, min(id) as first,
       max(finished_at) as finished_at
     from tasks where organization = $1 and environment = $2 and batch_id = $3 group by status order by status`,
    [scope.organization, scope.environment, id],
  );
  if (groups.length === 0) return undefined;
  return { id, groups, agents: [...new Set(groups.flatMap(({ agents }) => agents))] };
}

/** Ids of tasks of a batch that have not ended, oldest first. */
export async function listOpenOfBatch({ scope, db }: ReadContext, batch: string): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `select id from tasks where organization = $1 and environment = $2 and batch_id = $3
       and status in ('queued', 'awaiting_approval', 'running', 'input_required') order by id`,
    [scope.organization, scope.environment, batch],
  );
  return rows.map(({ id }) => id);
}

const sum = (groups: readonly StatusRow[], of: (group: StatusRow) => number): number =>
  groups.reduce((total, group) => total + of(group), 0);

export function batchState({ id, groups }: BatchRow): BatchState {
  const over = groups.filter(({ status }) => isFinal(status));
  const finished = over.length === groups.length;
  const ends = groups.map(({ finished_at }) => finished_at?.getTime() ?? 0);
  const first = groups.map((group) => group.first).sort()[0] as string;
  return {
    batch_id: id,
    tasks: sum(groups, ({ tasks }) => tasks),
    ended: sum(over, ({ tasks }) => tasks),
    finished,
    by_status: Object.fromEntries(groups.map(({ status, tasks }) => [status, tasks])),
    cost_usd: summedUsd(sum(groups, ({ cost_usd }) => cost_usd)),
    tokens: sum(groups, ({ tokens }) => tokens),
    created_at: madeAt(first),
    finished_at: finished ? new Date(Math.max(...ends)).toISOString() : null,
  };
}
