-- The governed surface: what setting an agent up and governing it needs. No row that calls share is written by a call's group commit:
-- budgets are handed out to processes in portions, each in a transaction of its own; violations, contexts and tasks are only appended.

-- Agents.

alter table agents add column archived_by text collate "C";

alter table agent_versions
  add column digest text, -- SHA-256, in hexadecimal, of the definition's canonical JSON (RFC 8785); null: frozen before digests were kept
  add column based_on integer; -- the version that the draft had been frozen as before; null: the first

alter table deployments drop constraint deployments_state_check;
alter table deployments
  add constraint deployments_state_check check (state in ('live', 'replaced', 'ended')),
  add column kind text not null default 'deploy' check (kind in ('deploy', 'rollback')),
  add column note text not null default '',
  add column gate text, -- JSON: the gate's verdict and reasons at that moment
  add column ended_at timestamptz,
  add column ended_by text collate "C",
  add column ended_for text collate "C", -- the deployment that took its place; null: none did
  add column abandoned boolean not null default false; -- a rollback left it: later rollbacks pass it over
create index deployments_of_agent on deployments (organization, environment, agent, id);

-- An agent that takes no work in an environment. The row goes when it is resumed; who did what stands in the audit log.
create table agent_pauses (
  organization text collate "C" not null,
  environment text collate "C" not null,
  agent text collate "C" not null,
  mode text not null check (mode in ('drain', 'cancel')), -- cancel: open tasks are ended as well, by workers and the sweeper
  reason text not null,
  author text collate "C" not null,
  created_at timestamptz not null default now(),
  primary key (organization, environment, agent),
  foreign key (organization, agent) references agents (organization, name)
);

-- Tasks.

alter table tasks
  add column not_before timestamptz, -- is not started earlier
  add column batch_id text collate "C",
  add column run_limits text, -- JSON: limits of this run that policies set; the strictest of them and the skill's own count
  add column stop_id text collate "C", -- the stop that ended it
  add column tokens bigint not null default 0;
create index tasks_by_status on tasks (organization, environment, status, id);
create index tasks_of_batch on tasks (organization, environment, batch_id, id) where batch_id is not null;
create index tasks_stopped on tasks (organization, environment, stop_id) where stop_id is not null;

alter table steps add column tokens bigint not null default 0;

-- What stands behind the placeholders that tools, models and the journal were given instead of personal data. Encrypted; goes with its task.
create table task_redactions (
  organization text collate "C" not null,
  environment text collate "C" not null,
  task_id text collate "C" not null,
  placeholder text collate "C" not null, -- the same value of a task has the same placeholder, so that a resumed run goes on with it
  value bytea not null,
  primary key (organization, environment, task_id, placeholder)
) partition by range (task_id);
create table task_redactions_default partition of task_redactions default;

-- Approvals. One that is edited or resubmitted is superseded by a new row of the next round; `previous_id` leads back.

alter table approvals
  add column round integer not null default 1,
  add column previous_id text collate "C",
  add column edited_by text collate "C", -- who changed the arguments of this round; null: nobody
  add column trust text, -- JSON: the trust that people saw when it ended; null: it is open, and its task's counts
  add column on_expiry text check (on_expiry in ('reject', 'escalate')), -- null: `expires_at` is null too, and the approval holds
  add column reminded_at timestamptz, -- approval.expiring was sent
  add column escalated_at timestamptz, -- from then on only admins decide
  add column escalated_by text collate "C";
comment on column approvals.arguments is 'JSON: of the tool call. Null: the task''s input as it stands; a superseded row of a whole task keeps the input that it was asked for.';
comment on column approvals.reason is 'What was said with the decision; of changes_requested the note.';
create index approvals_expiring on approvals (expires_at) where status = 'pending' and expires_at is not null;

alter table approval_votes
  add column on_behalf_of text collate "C", -- who had handed the decision to the voter
  add column key_id text collate "C"; -- the key that voted: who issued it counts for four eyes

-- Who handed a decision on no longer votes on it; the one it was handed to votes, for both names.
create table approval_delegations (
  organization text collate "C" not null,
  environment text collate "C" not null,
  approval_id text collate "C" not null,
  from_member text collate "C" not null,
  to_member text collate "C" not null,
  reason text not null,
  created_at timestamptz not null default now(),
  primary key (organization, environment, approval_id, from_member)
);
create index approval_delegations_to on approval_delegations (organization, environment, to_member, approval_id);

-- Policies. An active version and the shadow version that may follow it are in force at the same time.

drop index policies_in_force;
create unique index policies_in_force on policies (organization, environment, id, state) where state in ('shadow', 'active');
alter table policies
  add column name text not null default '',
  add column note text not null default '',
  add column report text, -- JSON: the replay that preceded its activation
  add column report_digest text, -- SHA-256, in hexadecimal, of the report's canonical JSON; stands in the activation's audit record
  add column activated_at timestamptz,
  add column retired_at timestamptz,
  add column retired_by text collate "C";

-- What policies saw of a call, so that later ones can be replayed over it. Not part of the leaf: it may hold personal data, and goes when a subject is erased.
alter table audit_records add column context text;
comment on column audit_records.context is 'JSON, beginning with {"action":"…"; "input_of" names the task whose input it is. Null: the call was not governed, or its context was erased.';

-- What was blocked, and what would have been. One row for each reason of a call; only calls that have one write here.
create table violations (
  organization text collate "C" not null,
  environment text collate "C" not null,
  id text collate "C" not null, -- of the call's audit record
  source text collate "C" not null, -- `pol_…`, `ksw_…`, `budget:<scope>/<unit>/<period>`, `gate` or `pause`
  source_version integer,
  kind text not null check (kind in ('blocked', 'would_block', 'would_wait', 'warned')),
  reason_code text not null,
  message text not null,
  operation text not null,
  action text not null,
  agent text collate "C",
  task_id text collate "C",
  principal text collate "C" not null,
  key_id text collate "C",
  status text not null default 'open' check (status in ('open', 'resolved')),
  owner text collate "C", -- null: the author of the policy
  primary key (organization, environment, id, source)
) partition by range (id);
create index violations_of_source on violations (organization, environment, source, id);
create table violations_default partition of violations default;

-- Budgets. Amounts are whole: money in millionths of a US dollar, else pieces.

create table budgets (
  organization text collate "C" not null,
  environment text collate "C" not null,
  scope text collate "C" not null, -- `environment`, `agent:<name>`, `key:<key_…>` or `member:<mbr_…>`
  unit text not null check (unit in ('usd', 'tokens', 'tasks', 'steps')),
  period text not null check (period in ('hour', 'day', 'month', 'total')), -- of UTC
  hard bigint check (hard >= 0),
  warn bigint check (warn >= 0),
  author text collate "C" not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (organization, environment, scope, unit, period),
  check (hard is not null or warn is not null)
);

-- One row per budget and window. Written by the processes that take portions, each in a short transaction of its own, never by a call's.
create table budget_use (
  organization text collate "C" not null,
  environment text collate "C" not null,
  scope text collate "C" not null,
  unit text not null,
  period text not null,
  starts_at timestamptz not null,
  used bigint not null default 0, -- settled
  granted bigint not null default 0, -- in the hands of processes: the sum of budget_grants.amount; used + granted never exceeds the hard limit
  recalled_at timestamptz, -- a process found too little left: the others give back what they do not need
  warned_at timestamptz, -- budget.warning was sent
  exhausted_at timestamptz, -- budget.exhausted was sent
  primary key (organization, environment, scope, unit, period, starts_at)
) with (fillfactor = 50);

-- What one process holds of a window, and has not yet reported as used or given back. One that is not renewed counts as used.
create table budget_grants (
  organization text collate "C" not null,
  environment text collate "C" not null,
  scope text collate "C" not null,
  unit text not null,
  period text not null,
  starts_at timestamptz not null,
  holder text collate "C" not null, -- the process
  amount bigint not null check (amount >= 0),
  expires_at timestamptz not null,
  primary key (organization, environment, scope, unit, period, starts_at, holder)
) with (fillfactor = 50);
create index budget_grants_lapsed on budget_grants (expires_at);

-- Kill switches. A row is never deleted: in force while released_at is null.
create table stops (
  organization text collate "C" not null,
  environment text collate "C" not null, -- in which it was engaged, and is released
  id text collate "C" not null,
  kind text not null check (kind in ('all', 'environment', 'agent', 'version', 'skill', 'tool', 'model')), -- all: every environment
  target text collate "C", -- agent, version id, `<agent>.<skill>`, tool name or model name
  mode text not null check (mode in ('pause', 'drain', 'stop')),
  critical boolean not null, -- takes two persons to loosen or release
  reason text not null,
  engaged_by text collate "C" not null,
  engaged_at timestamptz not null default now(),
  release_asked_by text collate "C", -- the first of two persons
  release_asked_at timestamptz,
  release_asked_to text check (release_asked_to in ('pause', 'released')),
  release_reason text,
  released_by text collate "C",
  released_at timestamptz,
  primary key (organization, environment, id),
  check ((target is null) = (kind in ('all', 'environment')))
);
create index stops_in_force on stops (organization, environment, id) where released_at is null;

-- Administration.

alter table members
  add column invited_by text collate "C",
  add column invited_at timestamptz;
create unique index members_email on members (organization, lower(email)) where email is not null and removed_at is null;

-- What differs from the installation's standards, one row per environment.
create table settings (
  organization text collate "C" not null,
  environment text collate "C" not null,
  settings jsonb not null default '{}',
  revision integer not null default 1,
  author text collate "C" not null,
  updated_at timestamptz not null default now(),
  primary key (organization, environment)
);

-- Exports of the audit log.

create table audit_exports (
  organization text collate "C" not null,
  environment text collate "C" not null,
  id text collate "C" not null,
  format text not null check (format in ('jsonl', 'csv', 'ocsf')),
  filter jsonb not null,
  tree_size bigint not null, -- of the log when it was asked for: later records are not in it
  state text not null default 'queued' check (state in ('queued', 'running', 'completed', 'failed')),
  lease_until timestamptz,
  attempt smallint not null default 0,
  rows bigint,
  bytes bigint,
  digest text, -- SHA-256 of the whole file, in hexadecimal
  manifest text, -- signed note (C2SP) of the log's key over format, filter, rows, digest and checkpoint
  failure text,
  principal text collate "C" not null,
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  primary key (organization, environment, id)
);
create index audit_exports_open on audit_exports (created_at) where state in ('queued', 'running');

-- The file of an export, in pieces of about a megabyte.
create table audit_export_parts (
  organization text collate "C" not null,
  environment text collate "C" not null,
  export_id text collate "C" not null,
  n integer not null,
  rows integer not null,
  data bytea not null,
  primary key (organization, environment, export_id, n)
) partition by range (export_id);
create table audit_export_parts_default partition of audit_export_parts default;

insert into partitioned_tables (parent, id_prefix) values
  ('task_redactions', 'tsk'), ('violations', 'aud'), ('audit_export_parts', 'exp');

-- Approvals that keep the input of a round that another one followed: a replay leaves the calls of such tasks out.
create index approvals_with_arguments on approvals (organization, environment, task_id) where tool is null and arguments is not null;
