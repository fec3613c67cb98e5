-- Who must approve what: rules of an environment, beside its policies. One that was retired has no effect.
create table approval_rules (
  organization text collate "C" not null references organizations (organization),
  environment text collate "C" not null,
  name text collate "C" not null,
  version integer not null,
  title text not null,
  -- JSON: what it is about and what it asks for.
  definition text not null,
  -- Who wrote this version, and when.
  author text collate "C" not null,
  created_at timestamptz not null,
  retired_at timestamptz,
  retired_by text collate "C",
  constraint approval_rules_pkey primary key (organization, environment, name)
);

-- Every version that there was, the present one included.
create table approval_rule_versions (
  organization text collate "C" not null,
  environment text collate "C" not null,
  name text collate "C" not null,
  version integer not null,
  title text not null,
  definition text not null,
  author text collate "C" not null,
  created_at timestamptz not null,
  constraint approval_rule_versions_pkey primary key (organization, environment, name, version)
);

alter table approvals
  -- JSON: the policies and rules that ask, as they were when people were asked.
  add column demanded text not null default '[]',
  -- Whom rules ask now: `role:…`, `team:…`, `member:…`. Null: anybody who may decide.
  add column asks text[];
