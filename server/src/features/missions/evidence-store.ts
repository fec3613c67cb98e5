import { lowestId } from "../../kernel/ids.ts";
import type { Here } from "./store.ts";

/** What past tasks of a skill say of the next one. */
export interface Evidence {
  readonly tasks: number;
  readonly succeeded: number;
  /** Those that ran: one that people rejected before cost nothing, which says nothing of one that runs. */
  readonly ran: number;
  /** Mean cost of those that ran; 0 without any. */
  readonly meanUsd: number;
  /** Standard deviation of their cost; 0 with fewer than two. */
  readonly spreadUsd: number;
}

export const noEvidence: Evidence = { tasks: 0, succeeded: 0, ran: 0, meanUsd: 0, spreadUsd: 0 };
export const evidenceKey = (agent: string, skill: string): string => `${agent} ${skill}`;

const windowMs = 90 * 86_400_000;
const mostTasks = 1_000;

/** Of each agent's skill, its latest tasks of the last 90 days in the environment: how many ended well, and what they cost. People's verdict counts where there is one. */
export async function readEvidence(
  { scope, db, now }: Here & { readonly now: number },
  skills: readonly { readonly agent: string; readonly skill: string }[],
): Promise<ReadonlyMap<string, Evidence>> {
  const rows = await db.query<Evidence & { agent: string; skill: string }>(
    `select w.agent, w.skill, count(t.id)::int as tasks,
       count(*) filter (where t.status = 'completed' and coalesce(t.outcome, 1) >= 0.5)::int as succeeded,
       count(t.started_at)::int as ran, coalesce(avg(t.cost_usd) filter (where t.started_at is not null), 0)::float8 as "meanUsd",
       coalesce(stddev_samp(t.cost_usd) filter (where t.started_at is not null), 0)::float8 as "spreadUsd"
     from unnest($3::text[], $4::text[]) as w(agent, skill)
     left join lateral (
       select t.id, t.status, t.cost_usd, t.started_at, f.outcome from tasks t
       left join lateral (
         select f.outcome from task_feedback f
         where f.organization = t.organization and f.environment = t.environment and f.task_id = t.id order by f.id desc limit 1) f on true
       where t.organization = $1 and t.environment = $2 and t.agent = w.agent and t.skill = w.skill and t.id >= $5
         and t.status in ('completed', 'failed', 'rejected', 'expired', 'blocked')
       order by t.id desc limit ${mostTasks}) t on true
     group by w.agent, w.skill`,
    [
      ...[scope.organization, scope.environment],
      skills.map(({ agent }) => agent),
      skills.map(({ skill }) => skill),
      lowestId("tsk", now - windowMs),
    ],
  );
  return new Map(rows.map(({ agent, skill, ...evidence }) => [evidenceKey(agent, skill), evidence]));
}
