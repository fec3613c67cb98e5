-- Who works on an approval, and for how much longer than at first it waits.
alter table approvals
  add column claimed_by text collate "C",
  add column claimed_at timestamptz,
  add column claimed_until timestamptz,
  add column extended_seconds integer not null default 0;

-- What people did with an approval besides voting, commenting and handing it on, for its history.
create table approval_activity (
  organization text collate "C" not null,
  environment text collate "C" not null,
  approval_id text collate "C" not null,
  id text collate "C" not null,
  kind text not null,
  member text collate "C" not null,
  -- Until when it is claimed, or waits by now; null: neither.
  until timestamptz,
  reason text,
  created_at timestamptz not null,
  constraint approval_activity_kind_check check (kind in ('claimed', 'released', 'extended', 'withdrawn')),
  constraint approval_activity_pkey primary key (organization, environment, approval_id, id)
);

create table approval_comments (
  organization text collate "C" not null,
  environment text collate "C" not null,
  id text collate "C" not null,
  approval_id text collate "C" not null,
  task_id text collate "C" not null,
  author text collate "C" not null,
  text text not null,
  mentions text[] not null,
  created_at timestamptz not null,
  constraint approval_comments_pkey primary key (organization, environment, id)
);

create index approval_comments_of_task on approval_comments (organization, environment, task_id, id);
create index approval_comments_mentions on approval_comments using gin (mentions);
