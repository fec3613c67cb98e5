-- Connections: accounts at providers of models and at the services that tools call. The secret is sealed under the installation's credential key and bound to
-- its row (`connection <organization> <environment> <name>`): moved elsewhere it does not open.
create table connections (
  organization text collate "C" not null,
  environment text collate "C" not null check (environment in ('development', 'staging', 'production')),
  name text collate "C" not null,
  kind text not null check (kind in ('anthropic', 'openai', 'openai-compatible', 'http')),
  base_url text, -- where the secret may be sent; null: the provider's own address
  scheme text check (scheme in ('bearer', 'basic', 'header')), -- how an http connection carries its secret
  header text, -- the header of scheme `header`
  secret bytea, -- sealed; null: the server asks for none
  last_four text,
  created_by text collate "C" not null,
  created_at timestamptz not null,
  changed_at timestamptz not null, -- when it was added or last replaced
  test text, -- JSON: what the last test came to
  primary key (organization, environment, name),
  check ((kind = 'http') = (scheme is not null)),
  check ((scheme = 'header') = (header is not null))
);
create index connections_newest on connections (organization, environment, created_at, name);
