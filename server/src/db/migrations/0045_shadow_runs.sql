-- Tasks that a shadow deployment carried out beside the live version, with what was the same and what was not.
create table shadow_runs (
  organization text collate "C" not null,
  environment text collate "C" not null,
  id text collate "C" not null,
  deployment_id text collate "C" not null,
  agent text collate "C" not null,
  task_id text collate "C" not null,
  skill text not null,
  version_id text collate "C" not null,
  state text not null default 'queued' check (state in ('queued', 'running', 'compared', 'skipped')),
  -- Why it was skipped.
  reason text,
  lease_until timestamptz,
  tries smallint not null default 0,
  -- JSON: how each side ended, and where they differ.
  live text,
  shadow text,
  comparison text,
  same boolean,
  live_cost_usd double precision not null default 0,
  cost_usd double precision not null default 0,
  live_ms bigint not null default 0,
  ms bigint not null default 0,
  created_at timestamptz not null,
  finished_at timestamptz,
  constraint shadow_runs_pkey primary key (organization, environment, id),
  constraint shadow_runs_task_key unique (organization, environment, deployment_id, task_id)
);
create index shadow_runs_of_deployment on shadow_runs (organization, environment, deployment_id, id);
create index shadow_runs_of_task on shadow_runs (organization, environment, task_id);
