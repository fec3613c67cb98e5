-- Who signs bundles. The key that is trusted is the pinned one, or what its rotations lead to.
create table marketplace_publishers (
  organization text collate "C" not null,
  id text collate "C" not null,
  name text not null,
  own boolean not null default false,
  -- JSON: id, name, keys and rotations, as they travel.
  publisher text not null,
  -- The last key of the newest bundle that was accepted.
  key_id text collate "C" not null,
  -- The key that was consented to with an install: what it vouches for is trusted, nothing else.
  pinned_key text collate "C",
  -- Only of the organization's own: its private key, sealed.
  sealed_key bytea,
  pinned_at timestamptz,
  pinned_by text collate "C",
  created_at timestamptz not null,
  constraint marketplace_publishers_pkey primary key (organization, id)
);
create unique index marketplace_publishers_own on marketplace_publishers (organization) where own;

create table marketplace_listings (
  organization text collate "C" not null,
  id text collate "C" not null,
  publisher_id text collate "C" not null,
  name text collate "C" not null,
  kind text not null check (kind in ('agent', 'workflow', 'tool_set', 'policy_pack', 'dataset', 'scorer')),
  origin text not null check (origin in ('own', 'imported', 'starter')),
  visibility text not null check (visibility in ('private', 'public')),
  business_function text,
  -- Follows from its versions: approved while one is.
  state text not null check (state in ('submitted', 'approved', 'rejected', 'quarantined', 'recalled', 'withdrawn')),
  -- The version that the catalogue shows: the newest approved, or the newest while none is.
  shown text collate "C" not null,
  withdrawn_at timestamptz,
  reviewed_at timestamptz,
  revision integer not null default 1,
  created_by text collate "C" not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint marketplace_listings_pkey primary key (organization, id),
  constraint marketplace_listings_name_key unique (organization, publisher_id, name),
  foreign key (organization, publisher_id) references marketplace_publishers (organization, id)
);

create table marketplace_versions (
  organization text collate "C" not null,
  listing_id text collate "C" not null,
  version text collate "C" not null,
  -- Its place among the versions by number: major, minor, patch.
  numbers integer[] not null,
  digest text collate "C" not null,
  state text not null check (state in ('submitted', 'approved', 'rejected', 'quarantined', 'recalled', 'withdrawn')),
  reason text,
  changes text,
  note text,
  -- JSON: bundle.json; what it asks for; scorecard.json; paths, sizes and digests of its files.
  manifest text not null,
  permissions text not null,
  permissions_digest text collate "C" not null,
  scorecard text,
  files text not null,
  readme text,
  -- Of the scan: how many findings of each level, and the SARIF log.
  scan_counts text not null,
  scan text not null,
  scanned_at timestamptz not null,
  -- The travelling file, whole.
  file text not null,
  bytes integer not null,
  key_id text collate "C" not null,
  signed_at timestamptz not null,
  submitted_by text collate "C" not null,
  -- JSON: who was accountable for the credential that submitted it (decision 0032).
  submitters text not null,
  reviewed_by text collate "C",
  reviewed_at timestamptz,
  review_strict boolean not null default false,
  created_at timestamptz not null,
  constraint marketplace_versions_pkey primary key (organization, listing_id, version),
  constraint marketplace_versions_digest_key unique (organization, digest),
  foreign key (organization, listing_id) references marketplace_listings (organization, id)
);

create table marketplace_installs (
  organization text collate "C" not null,
  environment text collate "C" not null,
  id text collate "C" not null,
  listing_id text collate "C" not null,
  version text collate "C" not null,
  digest text collate "C" not null,
  suffix text not null,
  agent text collate "C",
  state text not null check (state in ('installing', 'installed', 'incomplete', 'removed')),
  -- JSON: kind, name, id, file, state, digest of what was made, problem, audit reference of each part.
  parts text not null,
  -- JSON: what was consented to, by whom, when.
  consent text not null,
  -- The batch that changed it last; while the state is `installing`, no other one changes it.
  batch text collate "C",
  revision integer not null default 1,
  installed_by text collate "C" not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint marketplace_installs_pkey primary key (organization, environment, id),
  foreign key (organization, listing_id, version) references marketplace_versions (organization, listing_id, version)
);
create index marketplace_installs_of_listing on marketplace_installs (organization, listing_id, version);

-- Quarantines and recalls.
create table marketplace_recalls (
  organization text collate "C" not null,
  id text collate "C" not null,
  kind text not null check (kind in ('quarantine', 'recall')),
  listing_id text collate "C" not null,
  versions text[] collate "C" not null,
  reason text not null,
  by text collate "C" not null,
  at timestamptz not null,
  lifted_at timestamptz,
  -- When every install was reached; null: the sweep still looks after it.
  done_at timestamptz,
  constraint marketplace_recalls_pkey primary key (organization, id),
  foreign key (organization, listing_id) references marketplace_listings (organization, id)
);
create index marketplace_recalls_open on marketplace_recalls (organization) where done_at is null;
create index marketplace_recalls_of_listing on marketplace_recalls (organization, listing_id);

-- What a recall stopped, by the kill switch that holds it.
create table marketplace_stops (
  organization text collate "C" not null,
  environment text collate "C" not null,
  recall_id text collate "C" not null,
  install_id text collate "C" not null,
  kind text not null check (kind in ('agent', 'workflow', 'tool')),
  target text collate "C" not null,
  kill_switch_id text collate "C" not null,
  at timestamptz not null,
  constraint marketplace_stops_pkey primary key (organization, environment, recall_id, kind, target),
  foreign key (organization, recall_id) references marketplace_recalls (organization, id)
);

create table marketplace_ratings (
  organization text collate "C" not null,
  listing_id text collate "C" not null,
  member text collate "C" not null,
  stars smallint not null check (stars between 1 and 5),
  body text,
  version text collate "C" not null,
  installed boolean not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint marketplace_ratings_pkey primary key (organization, listing_id, member),
  foreign key (organization, listing_id) references marketplace_listings (organization, id)
);

create table marketplace_reports (
  organization text collate "C" not null,
  id text collate "C" not null,
  listing_id text collate "C" not null,
  version text collate "C" not null,
  kind text not null check (kind in ('malicious', 'misleading', 'personal_data', 'copyright', 'broken', 'other')),
  detail text not null,
  reported_by text collate "C" not null,
  created_at timestamptz not null,
  constraint marketplace_reports_pkey primary key (organization, id),
  foreign key (organization, listing_id) references marketplace_listings (organization, id)
);
create index marketplace_reports_of_listing on marketplace_reports (organization, listing_id, id);
