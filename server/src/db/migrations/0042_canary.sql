alter table deployments
  drop constraint deployments_state_check,
  add constraint deployments_state_check check (state in ('live', 'canary', 'shadow', 'replaced', 'ended')),
  add column mode text not null default 'whole' check (mode in ('whole', 'canary', 'shadow')),
  -- Of a canary or a shadow: percent of new tasks.
  add column share smallint check (share between 1 and 100),
  -- Of a canary: JSON of its rule, and what it is compared with (the deployment that was live).
  add column rule text,
  add column stable text collate "C",
  -- Of a canary: JSON of its shares, each with the id from which tasks were drawn by it.
  add column stages text,
  -- Why and how a canary or a shadow ended.
  add column outcome text check (outcome in ('promoted', 'aborted', 'ended')),
  add column reason text,
  add column revision integer not null default 1;
create unique index deployments_canary on deployments (organization, environment, agent) where state = 'canary';
create unique index deployments_shadow on deployments (organization, environment, agent) where state = 'shadow';
create index deployments_experiments on deployments (organization, environment, id) where state in ('canary', 'shadow');

-- What a canary was found to be at each look, in the order of looks. Judgements may change later; what a look saw does not.
create table deployment_looks (
  organization text collate "C" not null,
  environment text collate "C" not null,
  deployment text collate "C" not null,
  look integer not null,
  -- Judged tasks of the canary that it saw.
  judged integer not null,
  body text not null,
  created_at timestamptz not null,
  constraint deployment_looks_pkey primary key (organization, environment, deployment, look),
  foreign key (organization, environment, deployment) references deployments (organization, environment, id) on delete cascade
);

-- The canary whose comparison a task takes part in, on whichever arm: `version_id` tells which. `sticky`: what the caller's sticky key is known by.
alter table tasks add column experiment text collate "C", add column sticky text collate "C";
create index tasks_of_experiment on tasks (organization, environment, experiment, version_id, status, id) include (sticky) where experiment is not null;
alter table trust_judgements add column experiment text collate "C", add column sticky text collate "C";
create index trust_judgements_of_experiment on trust_judgements (organization, environment, experiment, id) where experiment is not null;
