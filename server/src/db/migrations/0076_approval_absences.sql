-- A person stands in for another while that one is away.
create table approval_absences (
  organization text collate "C" not null,
  environment text collate "C" not null,
  id text collate "C" not null,
  from_member text collate "C" not null,
  to_member text collate "C" not null,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  reason text,
  author text collate "C" not null,
  -- Everybody accountable for the credential it was made with, and whether its person had taken it up personally.
  accountable text[] not null,
  personal boolean not null,
  created_at timestamptz not null,
  constraint approval_absences_check check (ends_at > starts_at),
  constraint approval_absences_pkey primary key (organization, environment, id)
);

create index approval_absences_to on approval_absences (organization, environment, to_member, ends_at);
create index approval_absences_from on approval_absences (organization, environment, from_member, ends_at);

-- The delegation by which a vote was cast for `on_behalf_of`; null: none.
alter table approval_votes add column delegation_id text collate "C";
