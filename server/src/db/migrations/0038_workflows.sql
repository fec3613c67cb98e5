-- A step of a workflow is a task like any other: the run that it belongs to is woken when it ends.
alter table tasks
  add column run_id text collate "C",
  add column run_step text collate "C",
  -- The run's workflow: a run never changes it.
  add column run_workflow text collate "C",
  -- The approval of an earlier step of the run that covers this very call.
  add column covered_by text collate "C";
create index tasks_of_run on tasks (organization, environment, run_id) where run_id is not null;

-- What an organization has designed.
create table workflows (
  organization text collate "C" not null references organizations (organization),
  name text collate "C" not null,
  description text not null default '',
  owner text collate "C" not null,
  -- The definition that is worked on, and its text where it came as a file: comments and order stay.
  draft jsonb not null,
  source text,
  -- Agents that the draft names: who has a key that is narrowed to agents sees what is done by these alone.
  agents text[] not null default '{}',
  -- Made by the service for itself, such as for a mission: not listed, and nobody changes it.
  hidden boolean not null default false,
  revision integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  updated_by text collate "C" not null,
  archived_at timestamptz,
  archived_by text collate "C",
  archived_for text,
  primary key (organization, name)
);

-- Frozen: never changed, never deleted while a run of it is kept.
create table workflow_versions (
  organization text collate "C" not null,
  workflow text collate "C" not null,
  number integer not null,
  id text collate "C" not null,
  definition jsonb not null,
  source text,
  -- SHA-256 of the canonical JSON of the definition.
  digest text not null,
  note text not null default '',
  -- Versions of the workflows that its steps start, by name: fixed when it was frozen.
  pinned jsonb not null default '{}',
  -- Agents that it names, those of pinned workflows included.
  agents text[] not null default '{}',
  author text collate "C" not null,
  created_at timestamptz not null,
  primary key (organization, workflow, number),
  foreign key (organization, workflow) references workflows (organization, name)
);
create unique index workflow_versions_by_id on workflow_versions (organization, id);

-- Which version is live in an environment, one row per change.
create table workflow_releases (
  organization text collate "C" not null,
  environment text collate "C" not null,
  id text collate "C" not null,
  workflow text collate "C" not null,
  version_number integer not null,
  kind text not null check (kind in ('publish', 'rollback')),
  note text not null default '',
  author text collate "C" not null,
  created_at timestamptz not null,
  -- Null: it is live.
  ended_at timestamptz,
  primary key (organization, environment, id),
  foreign key (organization, workflow, version_number) references workflow_versions (organization, workflow, number)
);
create unique index workflow_releases_live on workflow_releases (organization, environment, workflow) where ended_at is null;

-- Workflows whose triggers are off in an environment; runs go on.
create table workflow_pauses (
  organization text collate "C" not null,
  environment text collate "C" not null,
  workflow text collate "C" not null,
  reason text not null default '',
  author text collate "C" not null,
  created_at timestamptz not null,
  primary key (organization, environment, workflow)
);

create table workflow_triggers (
  organization text collate "C" not null,
  environment text collate "C" not null,
  id text collate "C" not null,
  workflow text collate "C" not null,
  kind text not null check (kind in ('schedule', 'event', 'hook')),
  -- As in a file.
  definition jsonb not null,
  -- Whether it comes with the version that is live, or was added by itself.
  origin text not null check (origin in ('version', 'added')),
  -- What an event is called that it waits for, and a hook.
  event_type text collate "C",
  hook text collate "C",
  next_at timestamptz,
  last_at timestamptz,
  last_run text collate "C",
  -- Why it last failed to start a run; JSON. Null: it did not, or has succeeded since.
  last_error text,
  last_error_at timestamptz,
  -- Whose permissions its runs have.
  principal text collate "C" not null,
  created_at timestamptz not null,
  primary key (organization, environment, id)
);
create index workflow_triggers_of on workflow_triggers (organization, environment, workflow);
create index workflow_triggers_due on workflow_triggers (next_at) where next_at is not null;
create index workflow_triggers_by_event on workflow_triggers (organization, environment, event_type) where event_type is not null;

-- What triggers have to start a run for: once per trigger and occasion, which is a time of its schedule or the sequence of an event. Gone once it was tried.
create table workflow_firings (
  organization text collate "C" not null,
  environment text collate "C" not null,
  trigger_id text collate "C" not null,
  occasion text collate "C" not null,
  workflow text collate "C" not null,
  at timestamptz not null,
  -- The body of the event, JSON; null: a schedule.
  event text,
  not_before timestamptz not null,
  primary key (organization, environment, trigger_id, occasion)
);
create index workflow_firings_due on workflow_firings (not_before);

-- Inbound hooks: who has the secret may publish events.
create table workflow_hooks (
  organization text collate "C" not null,
  environment text collate "C" not null,
  name text collate "C" not null,
  description text not null default '',
  -- Sealed under the credential key; earlier ones count until their times.
  secret bytea not null,
  previous_secrets bytea[] not null default '{}',
  previous_untils timestamptz[] not null default '{}',
  author text collate "C" not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (organization, environment, name)
);
-- Ids of calls that were taken, for as long as a sender repeats them.
create table workflow_hook_calls (
  organization text collate "C" not null,
  environment text collate "C" not null,
  hook text collate "C" not null,
  webhook_id text collate "C" not null,
  audit_ref text collate "C" not null,
  at timestamptz not null,
  primary key (organization, environment, hook, webhook_id)
);
create index workflow_hook_calls_old on workflow_hook_calls (at);

create table workflow_runs (
  organization text collate "C" not null,
  environment text collate "C" not null,
  id text collate "C" not null,
  workflow text collate "C" not null,
  version_number integer not null,
  version_id text collate "C" not null,
  status text not null check (status in
    ('queued', 'running', 'waiting', 'paused', 'compensating', 'compensated', 'compensation_failed', 'completed', 'failed', 'cancelled')),
  input text not null,
  output text,
  failure text,
  -- What began it: the body of the event, JSON.
  event text,
  trigger text not null check (trigger in ('manual', 'schedule', 'event', 'hook', 'workflow', 'mission', 'retry')),
  trigger_id text collate "C",
  -- The business key: one open run per key; and what counts together for `concurrency`.
  business_key text collate "C",
  concurrency_key text collate "C",
  parent_run text collate "C",
  parent_step text collate "C",
  -- How many runs it stands under.
  depth integer not null default 0,
  -- What the run above lets it cost, besides its own limit.
  cost_limit_usd double precision,
  mission text collate "C",
  principal text collate "C" not null,
  key_id text collate "C",
  audit_ref text collate "C" not null,
  labels text[] not null default '{}',
  -- What `advance` keeps of the run as a whole: begun, completed, asked, ending; JSON.
  journal text not null default '{}',
  -- What somebody did with it last: action, by, at, reason; JSON.
  intervention text,
  -- Counts its changes; who has read an earlier one writes nothing.
  revision integer not null default 1,
  cost_usd double precision not null default 0,
  tokens bigint not null default 0,
  -- When it is to be looked at again.
  wake_at timestamptz,
  created_at timestamptz not null,
  started_at timestamptz,
  updated_at timestamptz not null,
  finished_at timestamptz,
  idempotency_hash text collate "C",
  traceparent text,
  primary key (organization, environment, id)
);
create index workflow_runs_due on workflow_runs (wake_at) where wake_at is not null;
create index workflow_runs_unbegun on workflow_runs (updated_at) where status = 'queued';
create index workflow_runs_of on workflow_runs (organization, environment, workflow, id);
create index workflow_runs_by_status on workflow_runs (organization, environment, status, id);
create index workflow_runs_open_of_trigger on workflow_runs (organization, environment, trigger_id)
  where trigger_id is not null and status not in ('compensated', 'compensation_failed', 'completed', 'failed', 'cancelled');
create index workflow_runs_of_parent on workflow_runs (organization, environment, parent_run) where parent_run is not null;
create unique index workflow_runs_open_key on workflow_runs (organization, environment, workflow, business_key)
  where business_key is not null and status not in ('compensated', 'compensation_failed', 'completed', 'failed', 'cancelled');
create index workflow_runs_open_concurrency on workflow_runs (organization, environment, workflow, concurrency_key, id)
  where concurrency_key is not null and status not in ('compensated', 'compensation_failed', 'completed', 'failed', 'cancelled');

-- The journal: where each step of a run stands. Its present attempt; earlier ones are in workflow_attempts.
create table workflow_steps (
  organization text collate "C" not null,
  environment text collate "C" not null,
  run_id text collate "C" not null,
  step text collate "C" not null,
  kind text not null,
  status text not null,
  attempt integer not null,
  -- The order in which steps of the run changed.
  changed_as bigint not null,
  -- What it was called with, its expressions resolved: never evaluated again.
  action text,
  output text,
  failure text,
  task_id text collate "C",
  child_run text collate "C",
  trust_score double precision,
  trust_low double precision,
  cost_usd double precision,
  completed_as integer,
  tolerated boolean not null default false,
  timed_out boolean not null default false,
  undo text check (undo in ('running', 'done', 'failed')),
  undo_task text collate "C",
  -- What it is undone with, its expressions resolved; JSON.
  undo_action text,
  -- Why no task could be made for it; JSON.
  refusal text,
  -- Attempts before somebody had the run done again from here, and members of its input that they put in place of its own; JSON.
  attempts_before integer not null default 0,
  edited text,
  -- Why its start is put off, such as a closed gate; JSON.
  held text,
  -- It is no longer wanted: its task, run or items are to be cancelled.
  taken_back boolean not null default false,
  -- Of a loop: how many items it has, up to which they were begun, and what they have come to.
  items integer,
  items_begun integer not null default 0,
  items_completed integer not null default 0,
  items_failed integer not null default 0,
  items_cost_usd double precision not null default 0,
  -- What a loop came to, for the run's next look; JSON.
  result text,
  wake_at timestamptz,
  started_at timestamptz,
  finished_at timestamptz,
  primary key (organization, environment, run_id, step)
) with (fillfactor = 85);
create index workflow_steps_open on workflow_steps (organization, environment, run_id) where status in ('running', 'waiting') or undo = 'running';
-- For the sweep that finds what no wake-up reached.
create index workflow_steps_outside on workflow_steps (started_at)
  where (status in ('running', 'waiting') and kind in ('agent', 'tool', 'approval', 'workflow')) or undo = 'running';

create table workflow_attempts (
  organization text collate "C" not null,
  environment text collate "C" not null,
  run_id text collate "C" not null,
  step text collate "C" not null,
  attempt integer not null,
  status text not null,
  task_id text collate "C",
  child_run text collate "C",
  failure text,
  started_at timestamptz,
  finished_at timestamptz,
  primary key (organization, environment, run_id, step, attempt)
);

-- Items of loops.
create table workflow_items (
  organization text collate "C" not null,
  environment text collate "C" not null,
  run_id text collate "C" not null,
  step text collate "C" not null,
  attempt integer not null,
  number integer not null,
  item text not null,
  status text not null default 'pending',
  task_id text collate "C",
  child_run text collate "C",
  output text,
  failure text,
  cost_usd double precision,
  primary key (organization, environment, run_id, step, attempt, number)
);
create index workflow_items_running on workflow_items (organization, environment, run_id, step, attempt, number) where status = 'running';

-- Steps that wait for an event, by its type.
create table workflow_waits (
  organization text collate "C" not null,
  environment text collate "C" not null,
  event_type text collate "C" not null,
  run_id text collate "C" not null,
  step text collate "C" not null,
  attempt integer not null,
  -- Events from then on count.
  since timestamptz not null,
  -- Events up to this sequence were looked at, while the wait is behind the environment's head; later that head counts.
  looked bigint not null default 0,
  behind boolean not null default true,
  -- The event that ended it, and its body as JSON. The row stays for as long as the run: another attempt of the step takes later events only.
  matched bigint,
  body text,
  primary key (organization, environment, event_type, run_id, step)
);
create index workflow_waits_behind on workflow_waits (organization, environment, event_type) where behind;
create index workflow_waits_of_run on workflow_waits (organization, environment, run_id);

-- Up to which event of an environment triggers and waits have been looked at.
create table workflow_event_heads (
  organization text collate "C" not null,
  environment text collate "C" not null,
  sequence bigint not null,
  primary key (organization, environment)
);

-- Runs that gave up and wait for people.
create table workflow_dead_letters (
  organization text collate "C" not null,
  environment text collate "C" not null,
  run_id text collate "C" not null,
  workflow text collate "C" not null,
  reason text not null,
  at timestamptz not null,
  settled_at timestamptz,
  settled_by text collate "C",
  primary key (organization, environment, run_id)
);
create index workflow_dead_letters_open on workflow_dead_letters (organization, environment, at desc) where settled_at is null;
