create index workflow_runs_of_mission on workflow_runs (organization, environment, mission, id) where mission is not null;

create table missions (
  organization text collate "C" not null references organizations (organization),
  environment text collate "C" not null,
  id text collate "C" not null,
  goal text not null,
  measure jsonb not null,
  agents text[] not null,
  budget_usd double precision not null,
  budget_tasks integer not null,
  deadline timestamptz,
  autonomy text not null check (autonomy in ('propose', 'approve_writes', 'within_limits')),
  inputs text not null default '{}',
  labels text[] not null default '{}',
  status text not null default 'draft' check (status in
    ('draft', 'ready', 'running', 'paused', 'blocked', 'finished', 'completed', 'cancelled')),
  -- The plan version that is accepted.
  plan_number integer,
  -- The run that carries the accepted plan out.
  run_id text collate "C",
  -- Plans that the service accepted by itself since people last accepted one.
  replans integer not null default 0,
  outcome jsonb,
  cloned_from text collate "C",
  revision integer not null default 1,
  created_by text collate "C" not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  started_at timestamptz,
  finished_at timestamptz,
  primary key (organization, environment, id)
);
create index missions_by_status on missions (organization, environment, status, id);
create index missions_due on missions (deadline) where deadline is not null and status = 'running';

create table mission_plans (
  organization text collate "C" not null,
  environment text collate "C" not null,
  mission text collate "C" not null,
  number integer not null,
  -- As it was proposed, estimates included: what people accepted stays what they saw.
  plan jsonb not null,
  origin text not null check (origin in ('template', 'model', 'person', 'replan')),
  note text not null default '',
  author text collate "C" not null,
  created_at timestamptz not null,
  accepted_at timestamptz,
  accepted_by text collate "C",
  primary key (organization, environment, mission, number),
  foreign key (organization, environment, mission) references missions (organization, environment, id)
);

create table mission_decisions (
  organization text collate "C" not null,
  environment text collate "C" not null,
  id text collate "C" not null,
  mission text collate "C" not null,
  kind text not null check (kind in ('question', 'failure', 'budget', 'deadline')),
  question text not null,
  options jsonb not null default '[]',
  context jsonb not null default '{}',
  blocks boolean not null default false,
  -- Null: the service itself.
  asked_by text collate "C",
  asked_at timestamptz not null,
  answer text,
  comment text,
  answered_by text collate "C",
  answered_at timestamptz,
  withdrawn_at timestamptz,
  primary key (organization, environment, id),
  foreign key (organization, environment, mission) references missions (organization, environment, id)
);
create index mission_decisions_of on mission_decisions (organization, environment, mission, id);

-- What people and the service did with a mission; what its tasks did stands with them.
create table mission_events (
  organization text collate "C" not null,
  environment text collate "C" not null,
  id text collate "C" not null,
  mission text collate "C" not null,
  kind text not null,
  text text not null,
  actor text collate "C",
  step text collate "C",
  run_id text collate "C",
  at timestamptz not null,
  primary key (organization, environment, id)
);
create index mission_events_of on mission_events (organization, environment, mission, id);

create table mission_templates (
  organization text collate "C" not null references organizations (organization),
  name text collate "C" not null,
  description text not null default '',
  mission jsonb not null,
  steps jsonb not null,
  author text collate "C" not null,
  created_at timestamptz not null,
  primary key (organization, name)
);
