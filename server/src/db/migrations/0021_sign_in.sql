-- Signing in in person: accounts at an identity provider, passkeys, and the invitations that lead to the first one. Of a secret only the SHA-256 is kept.

alter table sessions drop constraint sessions_method_check;
alter table sessions add constraint sessions_method_check check (method in ('key', 'link', 'oidc', 'passkey'));
alter table sessions add column passkey_id text collate "C";
alter table sessions add column address text;
alter table sessions add column user_agent text;
alter table sessions add column last_used_at timestamptz;
comment on column sessions.passkey_id is 'The passkey that opened it: removing that one ends the session.';
comment on column sessions.address is 'Where it was opened from.';
comment on column sessions.last_used_at is 'Written at most once an hour. Null: not since it was opened.';

create table provider_accounts (
  organization text collate "C" not null,
  issuer text collate "C" not null,
  subject text collate "C" not null,
  member_id text collate "C" not null,
  created_at timestamptz not null,
  voided_at timestamptz,
  primary key (organization, issuer, subject),
  foreign key (organization, member_id) references members (organization, id)
);
create unique index provider_accounts_by_member on provider_accounts (organization, member_id, issuer) where voided_at is null;
comment on table provider_accounts is 'Which account at an OpenID Connect provider is which person. Never deleted: an account is the member that it was first bound to, or nobody.';
comment on column provider_accounts.voided_at is 'Since when it signs nobody in: the person''s e-mail address was changed. Null: it signs them in.';

create table passkeys (
  organization text collate "C" not null,
  id text collate "C" not null,
  member_id text collate "C" not null,
  credential_id text collate "C" not null,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  name text not null,
  created_at timestamptz not null,
  last_used_at timestamptz,
  voided_at timestamptz,
  primary key (organization, id),
  foreign key (organization, member_id) references members (organization, id)
);
create unique index passkeys_by_credential on passkeys (credential_id);
create index passkeys_by_member on passkeys (organization, member_id);
comment on table passkeys is 'Never deleted: one that is void must not become somebody else''s.';
comment on column passkeys.credential_id is 'As the browser names it, in base64url.';
comment on column passkeys.counter is 'Uses that the authenticator has counted. It only grows; authenticators that do not count stay at 0.';

create table invitations (
  organization text collate "C" not null,
  environment text collate "C" not null check (environment in ('development', 'staging', 'production')),
  id text collate "C" not null,
  token_hash bytea not null,
  member_id text collate "C" not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  primary key (organization, environment, id),
  foreign key (organization, member_id) references members (organization, id)
);
create unique index invitations_by_token on invitations (token_hash);
create index invitations_by_member on invitations (organization, member_id);

-- The e-mail addresses under which people voted, in lower case: with another one somebody else may be that member.
alter table approval_votes add column voter_email text;
alter table stops add column release_asked_email text;
update approval_votes v set voter_email = (select lower(m.email) from members m where m.organization = v.organization and m.id = v.voter);
update stops s set release_asked_email = (select lower(m.email) from members m where m.organization = s.organization and m.id = s.release_asked_by);

create table used_challenges (
  hash bytea primary key,
  expires_at timestamptz not null
);
comment on table used_challenges is 'Challenges of passkeys that were answered: each counts once.';
