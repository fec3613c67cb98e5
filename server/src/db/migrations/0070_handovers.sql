-- One row for each time that people are asked to take a conversation: what service levels are measured by.
create table chat_handovers (
  organization text collate "C" not null references organizations (organization),
  environment text collate "C" not null,
  id text collate "C" not null,
  -- Null once the conversation is erased.
  conversation text collate "C",
  agent text collate "C" not null,
  channel text collate "C" not null,
  -- Null: no team was named.
  team text collate "C",
  cause text not null,
  requested_at timestamptz not null,
  -- By the team's service levels, in its opening hours; null: it has none.
  waiting_due_at timestamptz,
  answer_due_at timestamptz,
  -- To whom it is assigned, or who took it.
  member text collate "C",
  assigned_at timestamptz,
  taken_at timestamptz,
  answered_at timestamptz,
  ended_at timestamptz,
  waiting_breached_at timestamptz,
  answer_breached_at timestamptz,
  primary key (organization, environment, id)
);
create index chat_handovers_of on chat_handovers (organization, environment, conversation) where ended_at is null;
create index chat_handovers_unassigned on chat_handovers (requested_at)
  where ended_at is null and team is not null and assigned_at is null and member is null;
create index chat_handovers_waiting on chat_handovers (requested_at) where taken_at is null and ended_at is null;
create index chat_handovers_of_team on chat_handovers (organization, environment, team, requested_at);
create index chat_handovers_waiting_due on chat_handovers (waiting_due_at) where taken_at is null and ended_at is null and waiting_breached_at is null;
create index chat_handovers_answer_due on chat_handovers (answer_due_at) where answered_at is null and ended_at is null and answer_breached_at is null;

-- What people who answer write for each other. Users and models never see them.
create table chat_notes (
  organization text collate "C" not null,
  environment text collate "C" not null,
  id text collate "C" not null,
  conversation text collate "C" not null,
  author text collate "C" not null,
  text text not null,
  audit_ref text collate "C" not null,
  created_at timestamptz not null,
  primary key (organization, environment, id),
  foreign key (organization, environment, conversation) references chat_conversations (organization, environment, id) on delete cascade
);
create index chat_notes_of on chat_notes (organization, environment, conversation, id);
