-- Teams of people: queues of conversations that wait for a person, and readers of documents.
create table teams (
  organization text collate "C" not null references organizations (organization),
  environment text collate "C" not null,
  name text collate "C" not null,
  title text not null,
  -- Members by id (`mbr_…`).
  members text[] not null default '{}',
  -- Opening hours, what is said outside of them, how conversations are assigned, service levels, saved replies.
  settings jsonb not null,
  revision integer not null default 1,
  created_by text collate "C" not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (organization, environment, name)
);
create index teams_members on teams using gin (members);
