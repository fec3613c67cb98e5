import type { QueryContext } from "../../../kernel/db.ts";
import { taskRows } from "../../tasks/shared-rows.ts";
import { workflowRunRows } from "../../workflows/shared-rows.ts";

export interface StepSpend {
  readonly mission: string;
  readonly step: string;
  readonly begun: number;
  readonly open: number;
  readonly waiting: number;
  readonly completed: number;
  readonly failed: number;
  readonly cancelled: number;
  readonly spent: number;
  /** Reserved for open tasks: the limit of each, less its cost. */
  readonly reserved: number;
}

/** Rounds the error of floating-point sums off. */
export const dollars = (value: number): number => Math.round(value * 1e6) / 1e6;

/** Tasks and money of missions, by step. */
export async function listSpend({ scope, db }: QueryContext, missions: readonly string[]): Promise<StepSpend[]> {
  if (missions.length === 0) return [];
  return db.query<StepSpend>(
    `select r.mission, coalesce(t.run_step, '') as step, count(*)::int as begun,
       count(*) filter (where t.status in ('queued', 'running'))::int as open,
       count(*) filter (where t.status in ('awaiting_approval', 'input_required'))::int as waiting,
       count(*) filter (where t.status = 'completed')::int as completed,
       count(*) filter (where t.status in ('failed', 'rejected', 'expired', 'blocked'))::int as failed,
       count(*) filter (where t.status = 'cancelled')::int as cancelled,
       coalesce(sum(t.cost_usd), 0)::float8 as spent,
       coalesce(sum(greatest(0, (t.run_limits::json ->> 'cost_usd')::float8 - (t.cost_usd - t.cost_before_usd)))
         filter (where t.finished_at is null), 0)::float8 as reserved
     from ${workflowRunRows} r
     join ${taskRows} t on t.organization = r.organization and t.environment = r.environment and t.run_id = r.id
     where r.organization = $1 and r.environment = $2 and r.mission = any($3::text[])
     group by r.mission, t.run_step`,
    [scope.organization, scope.environment, missions],
  );
}

export function totalSpend(spends: readonly StepSpend[]): Omit<StepSpend, "mission" | "step"> {
  const sum = (of: (one: StepSpend) => number): number => spends.reduce((total, one) => total + of(one), 0);
  return {
    begun: sum(({ begun }) => begun),
    open: sum(({ open }) => open),
    waiting: sum(({ waiting }) => waiting),
    completed: sum(({ completed }) => completed),
    failed: sum(({ failed }) => failed),
    cancelled: sum(({ cancelled }) => cancelled),
    spent: dollars(sum(({ spent }) => spent)),
    reserved: dollars(sum(({ reserved }) => reserved)),
  };
}
