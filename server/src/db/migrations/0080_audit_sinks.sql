-- Receivers outside the service that the audit log is sent to, in its order.
create table audit_sinks (
  organization text collate "C" not null,
  environment text collate "C" not null,
  id text collate "C" not null,
  name text not null,
  kind text not null,
  target jsonb not null,
  filter jsonb not null,
  format text not null,
  -- Sealed under the credential key; null: the receiver asks for none.
  credentials bytea,
  -- What was replaced signs too until its overlap ends.
  previous_credentials bytea,
  previous_until timestamptz,
  state text not null default 'active',
  created_by text collate "C" not null,
  actor jsonb not null,
  stopped_reason text,
  stopped_at timestamptz,
  -- The log that the places below are counted in: an adoption closes it and opens another.
  epoch integer not null,
  -- The first record that it was asked for, and the first that the receiver has not acknowledged or that does not fit the filter.
  since_leaf bigint not null,
  next_leaf bigint not null,
  -- Where the range of the next batch begins: behind the last batch, however many records since do not fit the filter.
  range_from bigint not null,
  -- The end of a range that was sent and is not acknowledged: it is sent again as it was.
  sending_to bigint,
  -- Records of closed logs that were not sent.
  not_sent jsonb not null default '[]',
  sent_records bigint not null default 0,
  last_sent_at timestamptz,
  -- The signed head that was sent with the last batch.
  checkpoint text,
  attempt integer not null default 0,
  faults integer not null default 0,
  failing_since timestamptz,
  told_at timestamptz,
  last_error jsonb,
  next_at timestamptz not null,
  lease_until timestamptz,
  revision integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint audit_sinks_kind_check check (kind in ('webhook', 'splunk_hec', 'syslog', 'otlp', 's3')),
  constraint audit_sinks_format_check check (format in ('json', 'ocsf')),
  constraint audit_sinks_state_check check (state in ('active', 'paused')),
  constraint audit_sinks_range_check check (range_from <= next_leaf and sending_to > next_leaf),
  constraint audit_sinks_pkey primary key (organization, environment, id)
);

create index audit_sinks_due on audit_sinks (next_at) where state = 'active' and stopped_at is null;
