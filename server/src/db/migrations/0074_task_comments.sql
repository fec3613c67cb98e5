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
