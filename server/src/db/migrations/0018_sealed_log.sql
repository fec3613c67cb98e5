-- The database alone must not suffice to rewrite the audit log: records and heads are authenticated under a key that is not in the database, and heads are
-- pinned outside it (AOS_DATA_DIR/audit). The process that applies this migration to an existing database authenticates what it finds, once.

alter table audit_records add column writer text collate "C", add column number bigint, add column mac bytea;
comment on column audit_records.writer is 'Random id of the committer or process that wrote the record. Null: sequenced before records were authenticated.';
comment on column audit_records.number is 'Counter of the writer, from 1; with gaps, where calls lost or were rolled back.';
comment on column audit_records.mac is 'HMAC-SHA-256 over scope, writer, number, id, salt_id and body, under a key derived from AOS_SECRET_KEY.';

alter table audit_logs add column epoch int not null default 0, add column first_leaf bigint not null default 0,
  add column closes text, add column opening text collate "C", add column mac bytea;
comment on column audit_logs.epoch is 'How many origins of this log `aos audit adopt` has closed.';
comment on column audit_logs.first_leaf is 'audit_leaves.leaf_index of the first leaf of this origin: leaf indexes go on over origins, those of a tree begin at 0.';
comment on column audit_logs.closes is 'The origin that this one took over from; null for the first.';
comment on column audit_logs.opening is 'Record of the adoption, the first leaf of this origin; null for the first origin.';
comment on column audit_logs.mac is 'HMAC-SHA-256 over all but the columns of events and updated_at.';

alter table audit_tiles add column epoch int not null default 0;
alter table audit_tiles drop constraint audit_tiles_pkey, add primary key (organization, environment, epoch, level, index);
comment on column audit_tiles.epoch is 'Which origin of the log; see audit_logs.epoch.';

create table audit_closed_logs (
  organization text collate "C" not null,
  environment text collate "C" not null,
  epoch int not null,
  origin text not null,
  first_leaf bigint not null,
  tree_size bigint not null,
  checkpoint text not null,
  verifier_key text not null,
  adoption text collate "C" not null,
  closed_at timestamptz not null,
  mac bytea not null,
  primary key (organization, environment, epoch)
);
comment on column audit_closed_logs.mac is 'HMAC-SHA-256 over all but closed_at.';
comment on table audit_closed_logs is 'Origins that `aos audit adopt` closed, with the head under which their records are still proved. Their leaves, tiles and records stay.';

create table audit_stops (
  organization text collate "C" not null,
  environment text collate "C" not null,
  reason text not null,
  detail text not null,
  since timestamptz not null,
  primary key (organization, environment)
);
comment on table audit_stops is 'Logs whose signing is stopped. Only tells other processes: what stops a log is found anew by whoever would sign it.';

create table audit_refused_records (
  organization text collate "C" not null,
  environment text collate "C" not null,
  record_id text collate "C" not null,
  adoption text collate "C" not null,
  mac bytea not null,
  primary key (organization, environment, record_id)
);
comment on table audit_refused_records is 'Rows of audit_records that did not verify when the log was adopted. They stay where they are and never become leaves.';
