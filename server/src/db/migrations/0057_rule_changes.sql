-- Who changed rules of an environment by which calls are judged: policies, gates, budgets and settings. Approvals show those of the last day.
create table rule_changes (
  organization text collate "C" not null,
  environment text collate "C" not null,
  id text collate "C" not null,
  -- Such as `policy:pol_…` and `settings`.
  object text collate "C" not null,
  text text not null,
  changed_by text collate "C" not null,
  -- Everybody accountable for the credential: its owner and issuers.
  accountable text[] not null,
  constraint rule_changes_pkey primary key (organization, environment, id)
);
