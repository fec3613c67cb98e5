-- What people write about a task: for each other, and for its agent, which reads it as data at its next turn.
create table task_comments (
  organization text collate "C" not null,
  environment text collate "C" not null,
  task_id text collate "C" not null,
  id text collate "C" not null,
  text text not null,
  -- Whether the agent reads it.
  for_agent boolean not null,
  author text collate "C" not null,
  -- Who is accountable for what the agent reads; null: it does not read it.
  deciders jsonb,
  audit_ref text collate "C" not null,
  created_at timestamptz not null,
  primary key (organization, environment, task_id, id)
);

-- The task whose event started a run; null: something else did.
alter table workflow_runs add column cause_task text collate "C";
update workflow_runs r set cause_task = substring(r.event from '"task_id":"(tsk_[0-9a-z]+)"')
  from workflow_triggers g
  where g.organization = r.organization and g.environment = r.environment and g.id = r.trigger_id and g.event_type like 'task.%' and r.event is not null;
create index workflow_runs_of_cause on workflow_runs (organization, environment, cause_task, id) where cause_task is not null;
