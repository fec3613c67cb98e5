-- What is known of each write outside of the service. One row from before its first attempt to after its last, over resends, retries and crashes.
create table effects (
  organization text collate "C" not null,
  environment text collate "C" not null,
  -- What its receiver may know it by.
  key text collate "C" not null,
  -- The task, or the step of a workflow's run with all that carries it out.
  origin text collate "C" not null,
  -- Name the call within its origin, as it is made and, where people changed it, as it was asked for.
  action text not null,
  asked text,
  tool text not null,
  -- Names what is sent and where, with or without a key: it changes with the version of the tool. Null: a release that did not store it.
  target text,
  outcome text not null check (outcome in ('none', 'unknown', 'done', 'refused')),
  -- What was known before the attempt that is under way, or was the last.
  before text not null check (before in ('none', 'unknown', 'done', 'refused')),
  -- It was undone, or people asked for another one in its place: it answers no call any more.
  closed boolean not null default false,
  -- The step that made it last, or in which people were asked.
  task_id text collate "C" not null,
  step_id text collate "C" not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (organization, environment, key)
);
create index effects_of_origin on effects (organization, environment, origin);

alter table steps add column effect text collate "C";
-- An earlier attempt of its step may have left writes.
alter table tasks add column run_again boolean not null default false;
-- Of a run within a run: the step of its parent, the same for each attempt of that. Null: the run itself.
alter table workflow_runs add column origin text collate "C";

-- What undoes a step has an origin that no step and no item can have.
update tasks set run_key = regexp_replace(run_key, ' undo$', ' !undo') where run_key is not null and status <> 'completed';
-- An attempt of a step that has ended left its writes to the step; one that is under way keeps its own.
update tasks t set run_key = t.run_id || ' ' || t.run_step || coalesce(' ' || (select min(i.number) from workflow_items i
  where i.organization = t.organization and i.environment = t.environment and i.run_id = t.run_id and i.step = t.run_step and i.task_id = t.id), '')
where t.run_id is not null and t.run_step is not null and t.run_key is null and t.status in ('failed', 'rejected', 'expired', 'blocked', 'cancelled');

-- Writes of tasks that may still go on. Keys were not stored: one that begins with "step " is computed as it was before.
insert into effects (organization, environment, key, origin, action, asked, tool, outcome, before, task_id, step_id, created_at, updated_at)
select s.organization, s.environment, 'step ' || s.id, coalesce(t.run_key, t.id), s.action, s.asked, s.name,
  case s.state when 'finished' then 'done' when 'failed' then 'refused' else 'unknown' end,
  case s.state when 'started' then 'unknown' when 'unknown' then 'unknown' else 'none' end, s.task_id, s.id, s.started_at, coalesce(s.finished_at, s.started_at)
from (select distinct on (organization, environment, task_id, number) * from steps where action is not null and reused_from is null
  order by organization, environment, task_id, number, id desc) s
join tasks t on s.organization = t.organization and s.environment = t.environment and s.task_id = t.id
where t.status <> 'completed';

update steps s set effect = 'step ' || coalesce(s.reused_from, s.id) from tasks t
where t.organization = s.organization and t.environment = s.environment and t.id = s.task_id and t.status <> 'completed' and s.action is not null;
