-- Recurring dispatches of agents.
create table agent_schedules (
  organization text collate "C" not null,
  environment text collate "C" not null,
  id text collate "C" not null,
  agent text collate "C" not null,
  -- What is dispatched, and when: JSON as the API takes it, without `as` and `paused`.
  definition jsonb not null,
  -- Whose permissions its tasks have.
  principal text collate "C" not null,
  author text collate "C" not null,
  revision integer not null default 1,
  paused_at timestamptz,
  paused_by text collate "C",
  pause_reason text,
  -- The next time by the clock; null: paused, or it never comes again.
  next_at timestamptz,
  -- The time for which a task has to be dispatched: not yet, because the one before is not over or the dispatch was refused for now.
  due_at timestamptz,
  -- When that is tried next.
  try_at timestamptz,
  last_at timestamptz,
  last_task text collate "C",
  -- The last time that was left out, and why (`overlap`, `missed`).
  skipped_at timestamptz,
  skip_reason text,
  -- Why it last dispatched nothing; JSON. Null: it did not fail, or has dispatched since.
  last_error text,
  last_error_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint agent_schedules_pkey primary key (organization, environment, id)
);
create index agent_schedules_of on agent_schedules (organization, environment, agent, id);
create index agent_schedules_due on agent_schedules (least(next_at, try_at)) where next_at is not null or try_at is not null;

-- For which times schedules have dispatched tasks: each time once. Kept for two months, for budgets.
create table agent_schedule_runs (
  organization text collate "C" not null,
  environment text collate "C" not null,
  schedule text collate "C" not null,
  at timestamptz not null,
  task text collate "C" not null,
  -- What the task has cost in US dollars; null: it is not over.
  cost_usd double precision,
  constraint agent_schedule_runs_pkey primary key (organization, environment, schedule, at)
);
