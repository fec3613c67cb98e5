-- Webhooks: endpoints, what is to be delivered to them, and every attempt. Events themselves are those of 0002; their sequence is made by the sequencer.

create table webhooks (
  organization text collate "C" not null,
  environment text collate "C" not null check (environment in ('development', 'staging', 'production')),
  id text collate "C" not null,
  url text not null,
  description text not null default '',
  events text[] not null, -- names, or `task.*`
  agents text[], -- null: of every agent, and of none
  risks text[], -- null: of every level, and of none
  format text not null check (format in ('flat', 'standard', 'cloudevents')),
  rate_per_second integer,
  withheld text[] not null default '{}', -- beginnings of the names of events that whoever chose url and events may not read
  state text not null default 'enabled' check (state in ('enabled', 'paused', 'disabled')),
  state_since timestamptz not null,
  disabled_reason text check (disabled_reason in ('gone', 'failing')),
  missed_since timestamptz, -- since when events may not have been sent: it was paused or disabled then, and nothing was recovered since
  secret bytea not null, -- sealed under the credential key, bound to its row
  previous_secret bytea, -- signs as well until previous_until
  previous_until timestamptz,
  starts_after bigint not null, -- the sequence of the last event before it was made
  recover_after bigint, -- events above this and up to recover_to are looked through once more; null: none
  recover_to bigint,
  created_by text collate "C" not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  removed_at timestamptz,
  primary key (organization, environment, id),
  check ((state = 'disabled') = (disabled_reason is not null)),
  check ((previous_secret is null) = (previous_until is null)),
  check ((recover_after is null) = (recover_to is null))
);

-- How deliveries to an endpoint go. Written with every outcome, and so apart from what people set.
create table webhook_health (
  organization text collate "C" not null,
  environment text collate "C" not null,
  webhook_id text collate "C" not null,
  last_success_at timestamptz,
  failing_since timestamptz, -- the first failure since the last success
  last_failure_at timestamptz,
  last_status int,
  last_error text,
  paced_until timestamptz, -- when the next delivery of an endpoint with a rate may go out
  primary key (organization, environment, webhook_id)
) with (fillfactor = 50);

-- Up to where events were fanned out. Locked by the process that does so.
create table webhook_cursors (
  organization text collate "C" not null,
  environment text collate "C" not null,
  sequence bigint not null,
  primary key (organization, environment)
) with (fillfactor = 50);

-- What exists already was told to nobody and is not told now.
insert into webhook_cursors (organization, environment, sequence) select organization, environment, event_sequence from audit_logs;

create table deliveries (
  organization text collate "C" not null,
  environment text collate "C" not null,
  webhook_id text collate "C" not null,
  id text collate "C" not null,
  event_id text collate "C" not null,
  sequence bigint, -- null: a test, whose event is in no log
  type text not null,
  audit_id text collate "C",
  body text, -- of a test; null: that of the event
  state text not null default 'pending' check (state in ('pending', 'delivered', 'failed', 'cancelled')),
  attempts int not null default 0, -- begun
  step smallint not null default 0, -- failures of the present series: where on the schedule it is
  next_at timestamptz not null, -- of one that is pending: when it is attempted, or, while an attempt runs, when that counts as lost
  claimed_by text, -- the machine whose attempt runs
  last_status int,
  last_error text,
  created_at timestamptz not null,
  finished_at timestamptz,
  primary key (organization, environment, webhook_id, id)
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05);
create index deliveries_due on deliveries (organization, environment, webhook_id, next_at) where state = 'pending';
create index deliveries_of_event on deliveries (organization, environment, webhook_id, event_id);

create table delivery_attempts (
  organization text collate "C" not null,
  environment text collate "C" not null,
  delivery_id text collate "C" not null,
  number int not null,
  started_at timestamptz not null,
  latency_ms int, -- null: nobody knows, the process ended in the middle
  url text not null,
  format text not null,
  signature text not null, -- as it stood in the header
  status int, -- null: no answer began
  error text, -- null: taken
  detail text, -- one sentence for people; null: taken
  excerpt text, -- the beginning of the answer's body
  primary key (organization, environment, delivery_id, number)
);

-- Events by id: the event log reads one, and finds the first of a time.
create index event_positions_by_event on event_positions (organization, environment, event_id);

-- People are told once that a key ends soon.
alter table keys add column expiry_told_at timestamptz;
create index keys_expiring on keys (expires_at) where expires_at is not null and revoked_at is null and expiry_told_at is null;
