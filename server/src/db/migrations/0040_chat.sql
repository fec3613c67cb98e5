alter table tasks add column conversation text collate "C";
create index tasks_of_conversation on tasks (organization, environment, conversation, id) where conversation is not null;

create table chat_conversations (
  organization text collate "C" not null references organizations (organization),
  environment text collate "C" not null,
  id text collate "C" not null,
  agent text collate "C" not null,
  -- The pinned version, from the first turn until the conversation was idle for `repin_seconds` or was handed on.
  version_id text collate "C",
  version_number integer,
  repin_seconds integer not null default 86400,
  state text not null default 'open' check (state in ('open', 'closed')),
  -- Who answers: the agent, or a person (`mbr_…`).
  handler text collate "C",
  handler_since timestamptz,
  -- What a person was asked for and nobody took yet, or why a person handles it.
  handoff jsonb,
  -- The caller's name of the person who writes; null: not told.
  end_user text collate "C",
  channel text collate "C" not null default 'api',
  -- The thread's name in its channel, or the caller's own.
  external_key text collate "C",
  title text,
  labels text[] not null default '{}',
  language text,
  context text not null default '{}',
  -- Whoever started it: turns are theirs.
  principal text collate "C" not null,
  key_id text collate "C",
  forked_from jsonb,
  disclosure text,
  disclosed_at timestamptz,
  -- Sequence of the latest event, and number of the latest message.
  sequence integer not null default 0,
  messages integer not null default 0,
  revision integer not null default 1,
  audit_ref text collate "C" not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  last_message_at timestamptz,
  closed_at timestamptz,
  -- When a closed one is erased; null: it is kept.
  erase_at timestamptz,
  primary key (organization, environment, id)
) with (fillfactor = 80);
create index chat_conversations_latest on chat_conversations (organization, environment, updated_at desc, id desc);
create index chat_conversations_of_user on chat_conversations (organization, environment, end_user, id) where end_user is not null;
create unique index chat_conversations_by_key on chat_conversations (organization, environment, channel, external_key) where external_key is not null;
create index chat_conversations_handed_on on chat_conversations ((handoff ->> 'requested_at')) where handoff is not null and handler is null;
create index chat_conversations_to_erase on chat_conversations (erase_at) where erase_at is not null;

create table chat_messages (
  organization text collate "C" not null,
  environment text collate "C" not null,
  conversation text collate "C" not null,
  id text collate "C" not null,
  number integer not null,
  role text not null check (role in ('user', 'agent', 'person', 'system')),
  -- The user's key, the agent's name, or a member (`mbr_…`).
  author text collate "C",
  author_name text,
  turn text collate "C",
  task text collate "C",
  status text not null check (status in ('queued', 'streaming', 'waiting', 'complete', 'stopped', 'failed', 'retracted')),
  parts text not null default '[]',
  -- Of a reply: the number of the step of its run that each part was told of, in their order; null: of none.
  part_steps integer[],
  -- Its text alone, for search; empty while it is streamed.
  body text not null default '',
  -- Made by a model: summaries and what people sent from a suggestion.
  generated boolean not null default false,
  -- Brought along by the caller, not written here.
  imported boolean not null default false,
  -- Of a summary: the numbers of the messages that it stands for.
  covers_from integer,
  covers_to integer,
  replaces text collate "C",
  replaced_by text collate "C",
  trust_score double precision,
  audit_ref text collate "C" not null,
  created_at timestamptz not null,
  completed_at timestamptz,
  primary key (organization, environment, conversation, number),
  foreign key (organization, environment, conversation) references chat_conversations (organization, environment, id) on delete cascade
);
create unique index chat_messages_by_id on chat_messages (organization, environment, id);
create index chat_messages_words on chat_messages using gin (to_tsvector('simple', body));

-- A message of the user and what becomes of it. At most one turn of a conversation is `running`.
create table chat_turns (
  organization text collate "C" not null,
  environment text collate "C" not null,
  conversation text collate "C" not null,
  id text collate "C" not null,
  number integer not null,
  message text collate "C" not null,
  reply text collate "C",
  task text collate "C",
  state text not null check (state in
    ('queued', 'running', 'awaiting_approval', 'input_required', 'completed', 'failed', 'blocked', 'stopped')),
  principal text collate "C" not null,
  key_id text collate "C",
  failure text,
  created_at timestamptz not null,
  started_at timestamptz,
  finished_at timestamptz,
  primary key (organization, environment, conversation, number),
  foreign key (organization, environment, conversation) references chat_conversations (organization, environment, id) on delete cascade
);
create unique index chat_turns_by_id on chat_turns (organization, environment, id);
create unique index chat_turns_running on chat_turns (organization, environment, conversation) where state = 'running';
create index chat_turns_open on chat_turns (created_at) where state in ('queued', 'running', 'awaiting_approval', 'input_required');
create index chat_turns_by_task on chat_turns (organization, environment, task) where task is not null;

-- What streams tell, stored before it is sent.
create table chat_events (
  organization text collate "C" not null,
  environment text collate "C" not null,
  conversation text collate "C" not null,
  sequence integer not null,
  type text not null,
  data text not null,
  created_at timestamptz not null default now(),
  primary key (organization, environment, conversation, sequence),
  foreign key (organization, environment, conversation) references chat_conversations (organization, environment, id) on delete cascade
);

create table chat_memories (
  organization text collate "C" not null references organizations (organization),
  environment text collate "C" not null,
  id text collate "C" not null,
  -- About whom; null: only within its conversation.
  end_user text collate "C",
  conversation text collate "C",
  text text not null,
  -- The message that it was taken from; null: somebody entered it.
  source_message text collate "C",
  generated boolean not null default false,
  author text collate "C" not null,
  audit_ref text collate "C" not null,
  created_at timestamptz not null,
  primary key (organization, environment, id),
  check (end_user is not null or conversation is not null)
);
create index chat_memories_of_user on chat_memories (organization, environment, end_user, id) where end_user is not null;
create index chat_memories_of_conversation on chat_memories (organization, environment, conversation, id) where conversation is not null;

create table chat_files (
  organization text collate "C" not null,
  environment text collate "C" not null,
  conversation text collate "C" not null,
  id text collate "C" not null,
  name text not null,
  media_type text not null,
  size integer not null,
  sha256 text not null,
  content bytea not null,
  -- What a model reads of it; null: nothing.
  text text,
  author text collate "C",
  audit_ref text collate "C" not null,
  created_at timestamptz not null,
  primary key (organization, environment, id),
  foreign key (organization, environment, conversation) references chat_conversations (organization, environment, id) on delete cascade
);
create index chat_files_of on chat_files (organization, environment, conversation, id);

create table chat_channels (
  organization text collate "C" not null references organizations (organization),
  environment text collate "C" not null,
  name text collate "C" not null,
  kind text not null check (kind in ('web', 'email', 'slack')),
  agent text collate "C" not null,
  enabled boolean not null default true,
  -- Settings of its kind, without secrets.
  config jsonb not null,
  -- Sealed as connections' secrets are; null: it needs none.
  secret bytea,
  -- Where its reader is (a mailbox' UIDs).
  reader jsonb not null default '{}',
  last_error text,
  last_read_at timestamptz,
  -- When its mailbox is looked through next; null: it has none.
  next_read_at timestamptz,
  revision integer not null default 1,
  created_by text collate "C" not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (organization, environment, name)
);
create index chat_channels_to_read on chat_channels (next_read_at) where next_read_at is not null;

-- Replies that go out by a channel, each sent once.
create table chat_deliveries (
  organization text collate "C" not null,
  environment text collate "C" not null,
  conversation text collate "C" not null,
  message text collate "C" not null,
  channel text collate "C" not null,
  state text not null default 'waiting' check (state in ('waiting', 'sent', 'failed')),
  attempts integer not null default 0,
  next_at timestamptz not null,
  last_error text,
  sent_at timestamptz,
  -- Digests of what was sent of it: a question goes out before what follows its answer.
  told text[] not null default '{}',
  created_at timestamptz not null default now(),
  primary key (organization, environment, message),
  foreign key (organization, environment, conversation) references chat_conversations (organization, environment, id) on delete cascade
);
create index chat_deliveries_due on chat_deliveries (next_at) where state = 'waiting';
create index chat_deliveries_open on chat_deliveries (organization, environment, channel) where state <> 'sent';

-- Where a conversation is answered in its channel, and the thread's name there.
create table chat_threads (
  organization text collate "C" not null,
  environment text collate "C" not null,
  conversation text collate "C" not null,
  channel text collate "C" not null,
  key text collate "C" not null,
  address jsonb not null,
  primary key (organization, environment, conversation),
  foreign key (organization, environment, conversation) references chat_conversations (organization, environment, id) on delete cascade
);
create index chat_threads_by_key on chat_threads (organization, environment, channel, key);

-- Messages by the names that they have in their channel: each is taken once, and replies name what they answer.
create table chat_channel_messages (
  organization text collate "C" not null,
  environment text collate "C" not null,
  channel text collate "C" not null,
  external_id text collate "C" not null,
  conversation text collate "C" not null,
  message text collate "C" not null,
  created_at timestamptz not null default now(),
  primary key (organization, environment, channel, external_id),
  foreign key (organization, environment, conversation) references chat_conversations (organization, environment, id) on delete cascade
);
create index chat_channel_messages_of on chat_channel_messages (organization, environment, conversation);
create index chat_channel_messages_latest on chat_channel_messages (organization, environment, channel, created_at);
