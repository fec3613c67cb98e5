-- Sessions of the portal, and the one-time links that open them. Of either only the SHA-256 of its secret is kept.

create table sessions (
  organization text collate "C" not null,
  environment text collate "C" not null check (environment in ('development', 'staging', 'production')),
  id text collate "C" not null,
  secret_hash bytea not null,
  -- What the portal's own pages send with each change. Opens nothing without the secret.
  csrf text not null,
  member_id text collate "C" not null,
  -- The key by which the member signed in: the session has its rights and ends with it. Null: signed in by another way, with the member's own role.
  key_id text collate "C",
  method text not null check (method in ('key', 'link')),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  ended_at timestamptz,
  primary key (organization, environment, id),
  foreign key (organization, member_id) references members (organization, id),
  foreign key (organization, environment, key_id) references keys (organization, environment, id)
);
create unique index sessions_by_secret on sessions (secret_hash);
create index sessions_by_member on sessions (organization, environment, member_id, created_at);

create table sign_in_links (
  organization text collate "C" not null,
  environment text collate "C" not null check (environment in ('development', 'staging', 'production')),
  id text collate "C" not null,
  token_hash bytea not null,
  member_id text collate "C" not null,
  created_by text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz,
  primary key (organization, environment, id),
  foreign key (organization, member_id) references members (organization, id)
);
create unique index sign_in_links_by_token on sign_in_links (token_hash);
