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

-- Writes of tasks that may still go on. Keys were not stored: one that begins with "step " is computed as it was before.
insert into effects (organization, environment, key, origin, action, asked, tool, outcome, before, task_id, step_id, created_at, updated_at)
select s.organization, s.environment, 'step ' || s.id, coalesce(t.run_key, t.id), s.action, s.asked, s.name,
  case s.state when 'finished' then 'done' when 'failed' then 'refused' else 'unknown' end,
  case s.state when 'started' then 'unknown' when 'unknown' then 'unknown' else 'none' end, s.task_id, s.id, s.started_at, coalesce(s.finished_at, s.started_at)
from tasks t join steps s on s.organization = t.organization and s.environment = t.environment and s.task_id = t.id
where t.status <> 'completed' and s.action is not null and s.reused_from is null;

update steps s set effect = 'step ' || coalesce(s.reused_from, s.id) from tasks t
where t.organization = s.organization and t.environment = s.environment and t.id = s.task_id and t.status <> 'completed' and s.action is not null;
