import { isDeepStrictEqual } from "node:util";
import { listPlanRows } from "./plan-store.ts";
import type { Earlier } from "./plan-workflow.ts";
import type { PlanStepBody } from "./schemas.ts";
import type { Here } from "./store.ts";

interface DoneRow {
  readonly step: string;
  readonly output: string | null;
}

/** What earlier runs of a mission completed of these steps, by step: of those that say the same as they did then. */
export async function readEarlier(ctx: Here, mission: string, steps: readonly PlanStepBody[]): Promise<Earlier> {
  const { organization, environment } = ctx.scope;
  const rows = await ctx.db.query<DoneRow>(
    `select distinct on (s.step) s.step, s.output
     from workflow_runs r
     join workflow_steps s on s.organization = r.organization and s.environment = r.environment and s.run_id = r.id
     where r.organization = $1 and r.environment = $2 and r.mission = $3 and s.status = 'completed' and s.step = any($4::text[])
     order by s.step, r.id desc`,
    [organization, environment, mission, steps.map(({ id }) => id)],
  );
  if (rows.length === 0) return {};
  const before = (await listPlanRows(ctx, mission, 2 ** 31 - 1, 20)).flatMap(({ plan }) => plan.steps);
  const same = (id: string): boolean => {
    const [now, ...others] = [steps, before].flatMap((list) => list.filter((one) => one.id === id));
    return now !== undefined && others.every((other) => isDeepStrictEqual(callOf(now), callOf(other)));
  };
  return Object.fromEntries(
    rows.filter(({ step }) => same(step)).map(({ step, output }) => [step, JSON.parse(output ?? "{}")]),
  );
}

const callOf = ({ agent, skill, inputs }: PlanStepBody) => ({ agent, skill, inputs });
