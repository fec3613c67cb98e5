import type { CallContext } from "../../kernel/context.ts";
import { lowestId } from "../../kernel/ids.ts";
import type { Statements } from "../../kernel/machines.ts";
import type { CostEvidence } from "./validate-draft-model.ts";

const windowMs = 90 * 86_400_000;
const mostTasks = 200;

/** What the latest completed tasks of each skill cost in the call's environment. */
export function readCosts(
  { scope, db, now }: Pick<CallContext, "scope" | "now"> & { readonly db: Statements },
  agent: string,
  skills: readonly string[],
): Promise<CostEvidence[]> {
  return db.query<CostEvidence>(
    `select s.skill, count(t.cost_usd)::int as tasks, coalesce(avg(t.cost_usd), 0)::float8 as "meanUsd",
       coalesce(stddev_samp(t.cost_usd), 0)::float8 as "spreadUsd",
       coalesce(percentile_cont(0.9) within group (order by t.cost_usd), 0)::float8 as "p90Usd", coalesce(avg(t.ran_ms), 0)::float8 / 1000 as "meanSeconds"
     from unnest($4::text[]) as s(skill)
     left join lateral (
       select t.cost_usd, t.ran_ms + coalesce(greatest(0, extract(epoch from t.finished_at - t.claimed_at) * 1000), 0) as ran_ms
       from tasks t where t.organization = $1 and t.environment = $2 and t.agent = $3 and t.skill = s.skill
         and t.status = 'completed' and t.id >= $5 order by t.id desc limit ${mostTasks}) t on true
     group by s.skill`,
    [scope.organization, scope.environment, agent, skills, lowestId("tsk", now - windowMs)],
  );
}
