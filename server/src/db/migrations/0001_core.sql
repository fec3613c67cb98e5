-- The tables of the house. Every primary key begins with the organization; run-time tables carry the environment next, so that the
-- schema spreads over a distributed PostgreSQL by organization. Ids sort by time and compare byte by byte (collate "C").

create table installation (
  id text collate "C" primary key,
  created_at timestamptz not null default now()
);

create table organizations (
  organization text collate "C" primary key,
  created_at timestamptz not null default now()
);

-- One row per set of facts that processes keep in memory. Raised in the transaction that changes the facts.
create table fact_epochs (
  topic text collate "C" primary key,
  epoch bigint not null default 0
);

create table members (
  organization text collate "C" not null references organizations,
  id text collate "C" not null,
  kind text not null check (kind in ('person', 'service_account')),
  name text not null,
  email text,
  roles jsonb not null, -- {"development": "admin", …}: a role per environment
  created_at timestamptz not null default now(),
  removed_at timestamptz,
  primary key (organization, id)
);
create unique index members_service_account_name on members (organization, name) where kind = 'service_account' and removed_at is null;

create table keys (
  organization text collate "C" not null,
  environment text collate "C" not null check (environment in ('development', 'staging', 'production')),
  id text collate "C" not null,
  secret_hash bytea not null,
  secret_start text not null,
  secret_last_four text not null,
  name text not null,
  member_id text collate "C" not null,
  role text not null,
  scopes text[],
  agents text[],
  addresses text[],
  rate_per_second integer,
  created_by text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  primary key (organization, environment, id),
  foreign key (organization, member_id) references members (organization, id)
);
create unique index keys_secret_hash on keys (secret_hash);

create table agents (
  organization text collate "C" not null references organizations,
  name text collate "C" not null,
  description text not null default '',
  owner text collate "C" not null,
  labels text[] not null default '{}',
  draft jsonb not null,
  revision integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  archived_at timestamptz,
  primary key (organization, name)
);

create table agent_versions (
  organization text collate "C" not null,
  agent text collate "C" not null,
  number integer not null,
  id text collate "C" not null,
  definition jsonb not null,
  note text not null default '',
  author text not null,
  created_at timestamptz not null default now(),
  primary key (organization, agent, number),
  foreign key (organization, agent) references agents (organization, name)
);
create unique index agent_versions_id on agent_versions (organization, id);

create table deployments (
  organization text collate "C" not null,
  environment text collate "C" not null,
  id text collate "C" not null,
  agent text collate "C" not null,
  version_number integer not null,
  state text not null check (state in ('live', 'replaced')),
  author text not null,
  created_at timestamptz not null default now(),
  primary key (organization, environment, id),
  foreign key (organization, agent, version_number) references agent_versions (organization, agent, number)
);
create unique index deployments_live on deployments (organization, environment, agent) where state = 'live';

create table gate_verdicts (
  organization text collate "C" not null,
  environment text collate "C" not null,
  version_id text collate "C" not null,
  verdict text not null check (verdict in ('open', 'failed', 'inconclusive')),
  reasons text[] not null default '{}',
  run_id text collate "C",
  decided_at timestamptz not null default now(),
  expires_at timestamptz not null,
  primary key (organization, environment, version_id)
);

create table policies (
  organization text collate "C" not null,
  environment text collate "C" not null,
  id text collate "C" not null,
  version integer not null,
  state text not null check (state in ('draft', 'shadow', 'active', 'retired')),
  definition jsonb not null, -- scope, when, effect, params, reason_code, message, controls
  effective_from timestamptz,
  effective_until timestamptz,
  author text not null,
  created_at timestamptz not null default now(),
  primary key (organization, environment, id, version)
);
create unique index policies_in_force on policies (organization, environment, id) where state in ('shadow', 'active');

create table knowledge_bases (
  organization text collate "C" not null,
  environment text collate "C" not null,
  id text collate "C" not null,
  name text collate "C" not null,
  created_at timestamptz not null default now(),
  primary key (organization, environment, id)
);
create unique index knowledge_bases_name on knowledge_bases (organization, environment, name);

create table documents (
  organization text collate "C" not null,
  environment text collate "C" not null,
  id text collate "C" not null,
  base text collate "C" not null,
  external_id text collate "C",
  fields jsonb,
  created_at timestamptz not null default now(),
  primary key (organization, environment, id)
);
create unique index documents_external_id on documents (organization, environment, base, external_id) where external_id is not null;

-- Text columns hold JSON that is only stored and handed out again: cheaper to write than jsonb.
create table tasks (
  organization text collate "C" not null,
  environment text collate "C" not null,
  id text collate "C" not null,
  agent text collate "C" not null,
  version_id text collate "C" not null,
  version_number integer not null,
  skill text not null,
  status text not null default 'queued' check (status in
    ('queued', 'awaiting_approval', 'running', 'input_required', 'completed', 'failed', 'rejected', 'expired', 'blocked', 'cancelled')),
  input text not null,
  require_approval boolean not null default false,
  priority smallint not null default 0,
  deadline timestamptz,
  labels text[] not null default '{}',
  tags text[] not null default '{}',
  trust_score double precision not null,
  trust text not null, -- score, interval, parts and the digest of what they were computed from
  risk_level text not null,
  risk text not null,
  audit_ref text collate "C" not null,
  approval_id text collate "C", -- the latest approval of the task; at most one is open
  principal text not null,
  key_id text collate "C",
  subject text not null, -- whose data the task carries: the key of the salts that open its audit commitments
  attempt smallint not null default 0,
  event_count integer not null,
  lease_owner text,
  lease_until timestamptz,
  cancel_requested_at timestamptz,
  output text,
  failure text,
  cost_usd double precision not null default 0,
  idempotency_hash text collate "C",
  request_digest text,
  answer text, -- what the dispatch answered, kept for repetition with its idempotency key
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  started_at timestamptz,
  finished_at timestamptz,
  primary key (organization, environment, id)
) with (fillfactor = 90);
create unique index tasks_idempotency on tasks (organization, environment, idempotency_hash) where idempotency_hash is not null;
create index tasks_repeatable on tasks (id) where idempotency_hash is not null; -- what is to be cleared after a day, over all scopes
create index tasks_by_agent_and_status on tasks (organization, environment, agent, status, id);
create index tasks_forgotten on tasks (updated_at) where status = 'queued';
create index tasks_leased on tasks (lease_until) where status = 'running';
create index tasks_deadline on tasks (deadline) where deadline is not null and status in ('queued', 'awaiting_approval', 'input_required');

create table approvals (
  organization text collate "C" not null,
  environment text collate "C" not null,
  id text collate "C" not null,
  task_id text collate "C" not null,
  agent text collate "C" not null,
  version_id text collate "C" not null,
  version_number integer not null,
  skill text not null,
  tool text, -- null: the task as a whole; else one call of this tool
  arguments text, -- of the tool call; null: the task's input
  status text not null default 'pending' check (status in
    ('pending', 'approved', 'rejected', 'changes_requested', 'expired', 'cancelled', 'superseded', 'consumed', 'stale')),
  action_digest text not null,
  nonce text not null,
  risk_level text not null,
  summary text not null,
  reasons text not null, -- JSON: why people are asked
  approvers smallint not null,
  requester_allowed boolean not null,
  requester text not null,
  revision integer not null default 1,
  expires_at timestamptz,
  decided_at timestamptz,
  decided_by text,
  reason text,
  consumed_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (organization, environment, id)
);
create index approvals_pending on approvals (organization, environment, id) where status = 'pending';

create table approval_votes (
  organization text collate "C" not null,
  environment text collate "C" not null,
  approval_id text collate "C" not null,
  voter text not null,
  vote text not null check (vote in ('approve', 'reject')),
  action_digest text not null,
  reason text,
  created_at timestamptz not null default now(),
  primary key (organization, environment, approval_id, voter)
);

-- What an agent did, step by step: written before and after each step, so that a finished one never runs again.
create table steps (
  organization text collate "C" not null,
  environment text collate "C" not null,
  id text collate "C" not null,
  task_id text collate "C" not null,
  attempt smallint not null,
  number integer not null,
  kind text not null check (kind in ('model', 'tool')),
  name text not null,
  state text not null check (state in ('started', 'finished', 'failed', 'unknown')),
  input text not null,
  output text,
  failure text,
  verdict text,
  cost_usd double precision not null default 0,
  started_at timestamptz not null default now(),
  finished_at timestamptz,
  primary key (organization, environment, id)
) partition by range (id);
create table steps_default partition of steps default;
create index steps_of_task on steps (organization, environment, task_id, attempt, number);

-- Answers of changes that carried an Idempotency-Key and committed on their own. An advisory lock on `hash` keeps twins apart.
create table idempotency_keys (
  organization text collate "C" not null,
  environment text collate "C" not null,
  id text collate "C" not null, -- of the call's audit record: sorts by time
  hash text collate "C" not null,
  body_digest text not null,
  status smallint not null,
  answer bytea not null,
  headers text not null,
  encrypted boolean not null default false,
  primary key (organization, environment, id)
) partition by range (id);
create table idempotency_keys_default partition of idempotency_keys default;
create index idempotency_keys_hash on idempotency_keys (organization, environment, hash, id);

-- What trust scores are computed from, one row per observed outcome.
create table trust_evidence (
  organization text collate "C" not null,
  environment text collate "C" not null,
  version_id text collate "C" not null,
  skill text not null,
  id text collate "C" not null, -- of the task, run item or approval it comes from
  channel text not null check (channel in ('evaluations', 'runs', 'approvals', 'groundedness')),
  outcome double precision not null check (outcome between 0 and 1),
  quality double precision not null default 1 check (quality between 0 and 1),
  observed_at timestamptz not null default now(),
  primary key (organization, environment, version_id, skill, channel, id)
);
