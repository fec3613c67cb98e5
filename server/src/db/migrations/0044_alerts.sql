-- Measures that are watched. A sweep looks at those that are due about once a minute.
create table analytics_alerts (
  organization text collate "C" not null references organizations (organization),
  environment text collate "C" not null,
  id text collate "C" not null,
  name text not null,
  measure text not null,
  filters jsonb not null,
  window_minutes integer not null,
  condition jsonb not null,
  for_minutes integer not null,
  least_n integer not null,
  -- Members who get an e-mail.
  members text[] collate "C" not null,
  -- The agents that the key of whoever made it was narrowed to: it sees theirs only. Null: all.
  agents text[] collate "C",
  paused boolean not null default false,
  state text not null default 'waiting' check (state in ('waiting', 'ok', 'pending', 'firing', 'recovering', 'no_data')),
  state_since timestamptz not null,
  -- Whether it has fired and not cleared.
  fired boolean not null default false,
  -- Since when every look saw it beyond its threshold, or back within; null: the last one did not.
  beyond_since timestamptz,
  within_since timestamptz,
  value double precision,
  n bigint not null default 0,
  looked_at timestamptz,
  due_at timestamptz not null,
  -- Why the last look could not measure.
  error text,
  revision integer not null default 1,
  created_by text collate "C" not null,
  created_at timestamptz not null,
  constraint analytics_alerts_pkey primary key (organization, environment, id)
);
create index analytics_alerts_due on analytics_alerts (due_at) where not paused;

-- What became of alerts: every change of their state.
create table analytics_alert_changes (
  organization text collate "C" not null,
  environment text collate "C" not null,
  alert text collate "C" not null,
  number bigint generated always as identity,
  at timestamptz not null,
  state text not null,
  event text check (event in ('fired', 'cleared')),
  value double precision,
  n bigint not null,
  constraint analytics_alert_changes_pkey primary key (organization, environment, alert, number),
  constraint analytics_alert_changes_alert_fkey foreign key (organization, environment, alert)
    references analytics_alerts (organization, environment, id) on delete cascade
);
