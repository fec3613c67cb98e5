-- Test sets, scorers, runs and gates. Test sets and scorers belong to the organization; runs, gates and verdicts to an environment.

create table datasets (
  organization text collate "C" not null,
  id text collate "C" not null,
  name text collate "C" not null,
  agent text collate "C" not null,
  skill text not null,
  description text not null default '',
  tags text[] not null default '{}',
  version integer not null,
  coverage jsonb not null, -- of the present version: how many items, with which labels and expectations
  author text collate "C" not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (organization, id),
  foreign key (organization, agent) references agents (organization, name)
);
create unique index datasets_name on datasets (organization, name);

create table dataset_versions (
  organization text collate "C" not null,
  dataset_id text collate "C" not null,
  version integer not null,
  note text not null default '',
  added integer not null,
  replaced integer not null,
  author text collate "C" not null,
  created_at timestamptz not null default now(),
  primary key (organization, dataset_id, version)
);

-- An item stands in the versions from `since` on and before `until`. One that is replaced ends, and a new row of its name begins.
create table dataset_items (
  organization text collate "C" not null,
  dataset_id text collate "C" not null,
  name text collate "C" not null,
  since integer not null,
  until integer, -- null: it stands in the present version
  place integer not null, -- its order in the set
  input text not null, -- JSON, and so are the next ones
  expected text not null,
  must_pass boolean not null default false,
  cluster text, -- items of one name hang together; null: the item by itself
  labels text[] not null default '{}',
  source_environment text collate "C", -- of the task that it was taken from
  source_task text collate "C",
  subject text, -- whose data that task carried
  primary key (organization, dataset_id, name, since)
);
create index dataset_items_in_order on dataset_items (organization, dataset_id, place, name);

create table scorers (
  organization text collate "C" not null,
  name text collate "C" not null,
  version integer not null,
  definition jsonb not null, -- kind, pointer, parameters, pass_at
  description text not null default '',
  samples jsonb not null, -- by which it was tested when it was saved
  author text collate "C" not null,
  created_at timestamptz not null default now(),
  primary key (organization, name, version)
);

create table evaluation_runs (
  organization text collate "C" not null,
  environment text collate "C" not null,
  id text collate "C" not null,
  agent text collate "C" not null,
  skill text not null,
  version_id text collate "C" not null,
  version_number integer not null,
  dataset_id text collate "C" not null,
  dataset_name text collate "C" not null,
  dataset_version integer not null,
  scorers jsonb not null, -- names, versions and definitions, as they were when it was started
  repeats integer not null, -- of each item; grows where a gate asks for more
  seed bigint not null,
  total integer not null, -- item runs: items times repeats, or what the budget allows
  budget_items integer,
  budget_usd double precision,
  note text not null default '',
  state text not null default 'queued' check (state in ('queued', 'running', 'completed', 'failed')),
  look integer not null default 1, -- how often a gate has judged it, and will the next time
  attempt integer not null default 0, -- the hand that holds it; an earlier one can write nothing more
  tries smallint not null default 0, -- without coming to an end
  lease_until timestamptz,
  stopped_by text check (stopped_by in ('items', 'usd')), -- which budget ended it early
  whole boolean not null default false, -- every item was run as often as was asked for at first: a gate can judge by it
  quiet boolean not null default false, -- its present repeats were added for the comparison with another run: its own verdict is not drawn anew
  verdict text check (verdict in ('open', 'failed', 'inconclusive')), -- that the gate drew from it; null: none
  decision text, -- JSON: the figures behind the verdict, or of the run where no gate judged it
  waits_for text collate "C", -- the run of the deployed version without which it cannot be judged
  failure text, -- JSON: code and detail
  principal text collate "C" not null,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  finished_at timestamptz,
  primary key (organization, environment, id)
);
create index evaluation_runs_open on evaluation_runs (created_at) where state in ('queued', 'running');
create index evaluation_runs_of_version on evaluation_runs (organization, environment, version_id, dataset_id, id);
create index evaluation_runs_waiting on evaluation_runs (organization, environment, waits_for) where waits_for is not null;

-- What one run of one item came to. Written as soon as it is known: a run that is resumed repeats none of them.
create table evaluation_results (
  organization text collate "C" not null,
  environment text collate "C" not null,
  run_id text collate "C" not null,
  item text collate "C" not null,
  repeat integer not null, -- from 0
  output text, -- JSON; null: it failed
  failure text, -- JSON: code and detail
  scores text not null, -- JSON: by scorer, from 0 to 1; a scorer that has nothing to say of the item is left out
  steps integer not null,
  tokens bigint not null,
  cost_usd double precision not null,
  ms double precision not null,
  finished_at timestamptz not null default now(),
  primary key (organization, environment, run_id, item, repeat)
);

create table gates (
  organization text collate "C" not null,
  environment text collate "C" not null,
  agent text collate "C" not null,
  definition jsonb not null,
  revision integer not null default 1,
  author text collate "C" not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (organization, environment, agent),
  foreign key (organization, agent) references agents (organization, name)
);

alter table gate_verdicts
  add column agent text collate "C", -- null: decided before gates were kept
  add column gate_revision integer,
  add column run_ids text[] collate "C" not null default '{}', -- one for each of the gate's test sets
  add column decision text; -- JSON: the figures
