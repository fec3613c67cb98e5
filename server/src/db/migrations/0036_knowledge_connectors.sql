-- Where a knowledge base takes documents from by itself.
create table knowledge_connectors (
  organization text collate "C" not null,
  environment text collate "C" not null,
  id text collate "C" not null,
  base text collate "C" not null,
  name text collate "C" not null,
  kind text not null check (kind in ('folder', 'website', 's3', 'postgres', 'feed')),
  -- Where it looks and what it takes, by kind: ConnectorSource in features/knowledge/connectors.
  source jsonb not null,
  -- The name of the stored connection whose secret its requests carry.
  connection text collate "C",
  -- Its own credentials, sealed under the credential key; JSON.
  credentials bytea,
  -- A cron expression of five fields and the time zone it is meant in; null: it runs when it is started.
  schedule text,
  time_zone text,
  next_run_at timestamptz,
  -- Who may read what it brings; null: whoever may read the base.
  readers text[],
  -- Whether documents that vanish from the source are deleted.
  keep_removed boolean not null default false,
  -- `removing`: it is detached, and its documents are being deleted.
  state text not null default 'active' check (state in ('active', 'paused', 'removing')),
  -- Syncs that failed since the last one that completed.
  failures integer not null default 0,
  -- What its next look needs besides items: the validators of a feed.
  memory jsonb,
  revision integer not null default 1,
  author text collate "C" not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (organization, environment, id)
);
create unique index knowledge_connectors_named on knowledge_connectors (organization, environment, base, name) where state <> 'removing';
create index knowledge_connectors_due on knowledge_connectors (next_run_at) where state = 'active' and next_run_at is not null;
create index knowledge_connectors_removing on knowledge_connectors (updated_at) where state = 'removing';

-- One look at a source.
create table knowledge_syncs (
  organization text collate "C" not null,
  environment text collate "C" not null,
  id text collate "C" not null,
  base text collate "C" not null,
  connector text collate "C" not null,
  -- As it was called then: the connector may be gone.
  connector_name text collate "C" not null,
  trigger text not null check (trigger in ('manual', 'schedule')),
  author text collate "C" not null,
  -- Whether a person said that it may delete most of what the connector brought.
  confirm_removals boolean not null default false,
  state text not null default 'queued' check (state in ('queued', 'running', 'completed', 'failed')),
  attempt integer not null default 0,
  tries integer not null default 0,
  lease_until timestamptz,
  added integer not null default 0,
  changed integer not null default 0,
  removed integer not null default 0,
  unchanged integer not null default 0,
  -- Why it saw only part of the source, so that it removed nothing; null: it saw all of it.
  partial text,
  -- Why it failed: { code, detail }.
  error jsonb,
  created_at timestamptz not null,
  started_at timestamptz,
  finished_at timestamptz,
  primary key (organization, environment, id)
);
create index knowledge_syncs_of_base on knowledge_syncs (organization, environment, base, id);
-- One at a time for each connector.
create unique index knowledge_syncs_open on knowledge_syncs (organization, environment, connector) where state in ('queued', 'running');
create index knowledge_syncs_waiting on knowledge_syncs (created_at) where state in ('queued', 'running');

-- What a connector brought: the source's items as they were when they were last read.
create table knowledge_items (
  organization text collate "C" not null,
  environment text collate "C" not null,
  connector text collate "C" not null,
  -- Its name; a digest of it where its document was deleted by hand: so it does not come back, and nothing names it.
  item text collate "C" not null,
  -- What tells whether it changed: ETag, time and size, or a digest of its contents.
  fingerprint text collate "C" not null,
  -- What the next look needs besides: validators of HTTP, the links of a page.
  detail jsonb,
  document text collate "C" not null,
  -- The sync that saw it last.
  seen_in text collate "C" not null,
  primary key (organization, environment, connector, item)
);
create index knowledge_items_of_document on knowledge_items (organization, environment, document);

-- Items that a sync could not take.
create table knowledge_sync_failures (
  organization text collate "C" not null,
  environment text collate "C" not null,
  sync text collate "C" not null,
  item text collate "C" not null,
  code text not null,
  detail text not null,
  primary key (organization, environment, sync, item)
);
