import type { ReadContext } from "../../kernel/context.ts";
import { steeredReason } from "../tasks/public.ts";
import { agentsIn, labelIn, scopeOf, skillIn } from "./quality-scope.ts";
import type { FigureWindow } from "./window.ts";

// What can go wrong now, by indexes of open rows.

export interface HeldRow {
  readonly id: string;
  readonly what: string;
  readonly since: Date;
}

const open = "array['queued', 'awaiting_approval', 'running', 'input_required']";
/** Open tasks that are looked at. */
const mostOpen = 10_000;

const openTasks = (columns: string): string => `
  select ${columns} from unnest(${open}) as s(status) cross join lateral (
    select t.* from tasks t where t.organization = $1 and t.environment = $2 and t.status = s.status
      and ($3::text[] is null or t.agent = any($3)) and ($4::text is null or t.skill = $4) and ($5::text is null or $5 = any(t.labels))
    order by t.id desc limit ${mostOpen}) t`;

const narrowed = (ctx: ReadContext, window: FigureWindow): unknown[] => [
  ...scopeOf(ctx),
  agentsIn(ctx, window),
  skillIn(window),
  labelIn(window),
];

/** Open tasks of high or critical risk by agent. */
export const countRisky = (ctx: ReadContext, window: FigureWindow): Promise<{ name: string; n: number }[]> =>
  ctx.db.query(
    `select agent as name, count(*)::int as n from (${openTasks("t.agent, t.risk_level")}) t
     where risk_level in ('high', 'critical') group by 1 order by 2 desc, 1`,
    narrowed(ctx, window),
  );

/** Calls of open tasks whose outcome is not known. */
export const listUnknownOutcomes = (ctx: ReadContext, window: FigureWindow): Promise<HeldRow[]> =>
  ctx.db.query(
    `select p.task_id as id, p.name || ' of ' || t.agent as what, p.started_at as since
     from (${openTasks("t.id, t.agent")} where t.attempt > 0) t
     join steps p on p.organization = $1 and p.environment = $2 and p.task_id = t.id and p.state = 'unknown' and p.kind = 'tool'
     order by p.started_at limit 1000`,
    narrowed(ctx, window),
  );

/** Writes that wait for an approval because the run had read text that could have steered it. */
export const listSteered = (ctx: ReadContext, window: FigureWindow): Promise<HeldRow[]> =>
  ctx.db.query(
    `select a.task_id as id, coalesce(a.tool, a.skill) || ' of ' || a.agent as what, a.created_at as since from approvals a
     where a.organization = $1 and a.environment = $2 and a.status = 'pending' and position($6 in a.reasons) > 0
       and ($3::text[] is null or a.agent = any($3)) and ($4::text is null or a.skill = $4)
       and ($5::text is null or exists (select from tasks t where t.organization = $1 and t.environment = $2 and t.id = a.task_id and $5 = any(t.labels)))
     order by a.id limit 1000`,
    [...narrowed(ctx, window), steeredReason],
  );

/** Kill switches that act here. Of one that is of an agent, a skill or a version, a narrowed key sees its own. */
export const listKillSwitches = (ctx: ReadContext, window: FigureWindow): Promise<HeldRow[]> =>
  ctx.db.query(
    `select id, concat_ws(' ', kind, target) || ': ' || reason as what, engaged_at as since from (
       select s.*, case s.kind when 'agent' then s.target when 'skill' then split_part(s.target, '.', 1)
         when 'version' then (select v.agent from agent_versions v where v.organization = s.organization and v.id = s.target) end as agent
       from kill_switches s where s.organization = $1 and (s.environment = $2 or s.kind = 'all') and s.released_at is null) s
     where $3::text[] is null or agent is null or agent = any($3) order by id desc limit 1000`,
    [...scopeOf(ctx), agentsIn(ctx, window)],
  );

export const listPauses = (ctx: ReadContext, window: FigureWindow): Promise<HeldRow[]> =>
  ctx.db.query(
    `select agent as id, agent || ': ' || reason as what, created_at as since from agent_pauses
     where organization = $1 and environment = $2 and ($3::text[] is null or agent = any($3)) order by created_at desc limit 1000`,
    [...scopeOf(ctx), agentsIn(ctx, window)],
  );
