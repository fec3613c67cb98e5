import type { Plan } from "@aos/workflow";
import type { WriteContext } from "../../../kernel/context.ts";
import { directOf } from "../../../kernel/direct-skills.ts";
import { refuse } from "../../../kernel/errors.ts";
import { type Governed, strictest } from "../../../kernel/verdict.ts";
import type { Work } from "../../tasks/public.ts";
import { taskRows } from "../../tasks/shared-rows.ts";
import { costLimit, costReserved } from "../errors.ts";
import { endedRun, endedTask } from "../runs/outcome-store.ts";
import type { RunRow } from "../runs/rules.ts";

/** Less than a millionth of a dollar, the unit of money: sums of prices are not exact. */
const least = 5e-7;

/** Adds a cost bound if the run has a limit, so that all its steps together stay below it. */
export async function withinCost(
  ctx: WriteContext,
  run: RunRow,
  plan: Plan,
  work: Work,
  governed: Governed,
): Promise<Governed> {
  const most = mostOf(work);
  if (most === 0) return governed;
  const reserved = await reserveCost(ctx, run, plan, most);
  if (reserved === null) return governed;
  return { ...governed, limits: strictest(governed.limits, { cost_usd: reserved }) };
}

/** The most that a task may cost by its agent's definition, in US dollars; null: unknown. */
export function mostOf({ version: { definition }, skill }: Work): number | null {
  const direct = directOf(skill.definition.name);
  if (direct === "nothing") return 0;
  const prices = skill.tools.map((tool) => ("cost_usd" in tool ? (tool.cost_usd ?? 0) : 0));
  if (direct) return prices[0] ?? 0;
  if (definition.model.provider === "builtin" && prices.every((price) => price === 0)) return 0;
  return skill.definition.limits?.cost_usd ?? null;
}

/**
 * Reserves what a step or a run within the run may cost, at most `most`: what is left of the run's limit. Null: there is no limit. Holds the run's row, so that
 * steps that begin at the same moment do not reserve the same money.
 */
export async function reserveCost(
  ctx: WriteContext,
  run: RunRow,
  plan: Plan,
  most: number | null,
): Promise<number | null> {
  const limits = [plan.limits.costUsd, run.cost_limit_usd].filter((limit) => limit !== null);
  if (limits.length === 0) return null;
  const limit = Math.min(...limits);
  const { used, open } = await usedBy(ctx, run.id);
  const left = limit - used - open;
  if (left + least >= (most ?? Number.POSITIVE_INFINITY)) return most;
  const said = `The limit is $${limit}; $${amount(used)} is used and $${amount(open)} reserved`;
  if (open > least) throw refuse(costReserved, `${said} by steps that are under way.`);
  if (left < least) throw refuse(costLimit, `${said}.`);
  return left;
}

const amount = (usd: number): number => Number(usd.toFixed(6));

/** What a run has cost, and what its open steps may still cost. */
async function usedBy({ scope, db }: WriteContext, run: string): Promise<{ used: number; open: number }> {
  const values = [scope.organization, scope.environment, run];
  await db.query(
    "select id from workflow_runs where organization = $1 and environment = $2 and id = $3 for no key update",
    values,
  );
  const [row] = await db.query<{ used: number; open: number }>(
    `select coalesce(sum(cost) filter (where over), 0)::float8 as used, coalesce(sum(greatest(cost, bound)) filter (where not over), 0)::float8 as open
     from (
       select t.cost_usd as cost, (t.run_limits::json ->> 'cost_usd')::float8 as bound, t.status in ${endedTask} as over
       from ${taskRows} t where t.organization = $1 and t.environment = $2 and t.run_id = $3
       union all
       select c.cost_usd, c.cost_limit_usd, c.status in ${endedRun}
       from workflow_runs c where c.organization = $1 and c.environment = $2 and c.parent_run = $3) as spent`,
    values,
  );
  return row ?? { used: 0, open: 0 };
}
