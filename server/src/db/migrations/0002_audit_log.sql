-- The audit log, the event store with its gapless sequence, the installation's secrets, and month partitions.
-- Records and events are only ever appended, by calls; what calls share (positions, tiles, counters) only the sequencer writes.

create table partitioned_tables (
  parent text primary key,
  id_prefix text not null
);
comment on table partitioned_tables is 'Tables that are partitioned by range of their time-sortable id; ensure_partitions() keeps months ahead for each.';

-- The lowest id that can be made at or after a time: prefix, then 48 bits of milliseconds as ten digits of lower-case Crockford base 32.
create function id_floor(id_prefix text, at timestamptz) returns text
language plpgsql immutable strict as $$
declare
  digits constant text := '0123456789abcdefghjkmnpqrstvwxyz';
  rest bigint := floor(extract(epoch from at) * 1000)::bigint;
  body text := '';
begin
  for i in 1..10 loop
    body := substr(digits, (rest % 32)::int + 1, 1) || body;
    rest := rest / 32;
  end loop;
  return id_prefix || '_' || body;
end
$$;

-- The one column that a range-partitioned table is partitioned by.
create function partition_column(parent text) returns text
language sql stable strict as $$
  select a.attname::text
  from pg_partitioned_table p join pg_attribute a on a.attrelid = p.partrelid and a.attnum = p.partattrs[0]
  where p.partrelid = to_regclass(quote_ident(parent))
$$;

-- Makes the missing month partitions (months are UTC) of every table in partitioned_tables, from the month of `since` to that of `until`.
-- Rows of such a month that the default partition took meanwhile move over. Safe to call from several processes; answers how many it made.
create function ensure_partitions(since timestamptz, until timestamptz) returns int
language plpgsql as $$
declare
  target record;
  month timestamp;
  partition text;
  default_partition text;
  id_column text;
  lower_bound text;
  upper_bound text;
  made int := 0;
begin
  perform pg_advisory_xact_lock(hashtext('aos:ensure_partitions'));
  for target in select parent, id_prefix from partitioned_tables order by parent loop
    month := date_trunc('month', since at time zone 'UTC');
    while month <= until at time zone 'UTC' loop
      partition := target.parent || to_char(month, '"_y"YYYY"m"MM');
      if to_regclass(quote_ident(partition)) is null then
        lower_bound := id_floor(target.id_prefix, month at time zone 'UTC');
        upper_bound := id_floor(target.id_prefix, (month + interval '1 month') at time zone 'UTC');
        default_partition := target.parent || '_default';
        id_column := partition_column(target.parent);
        execute format('create table %I (like %I including defaults including constraints including storage)', partition, target.parent);
        if to_regclass(quote_ident(default_partition)) is not null then
          execute format('lock table %I in access exclusive mode', default_partition);
          execute format('with moved as (delete from %1$I where %2$I >= %3$L and %2$I < %4$L returning *) insert into %5$I select * from moved',
            default_partition, id_column, lower_bound, upper_bound, partition);
        end if;
        execute format('alter table %I attach partition %I for values from (%L) to (%L)', target.parent, partition, lower_bound, upper_bound);
        made := made + 1;
      end if;
      month := month + interval '1 month';
    end loop;
  end loop;
  return made;
end
$$;

create table audit_records (
  organization text collate "C" not null,
  environment text collate "C" not null,
  id text collate "C" not null,
  xid xid8 not null default pg_current_xact_id(),
  n int not null,
  body text not null,
  primary key (organization, environment, id)
) partition by range (id);
create index audit_records_commit_order on audit_records (organization, environment, xid, n);
create table audit_records_default partition of audit_records default;
comment on column audit_records.n is 'Position among the records that one transaction writes; (xid, n) is the commit order.';
comment on column audit_records.body is 'Canonical JSON (RFC 8785) with "key_seq":null; the sequencer''s number makes it the leaf data.';

create table audit_leaves (
  organization text collate "C" not null,
  environment text collate "C" not null,
  record_id text collate "C" not null,
  leaf_index bigint not null,
  key_id text collate "C",
  key_seq bigint,
  principal text collate "C" not null,
  operation text collate "C" not null,
  object text collate "C",
  task_id text collate "C",
  approval_id text collate "C",
  decision text not null,
  stage text,
  status int not null,
  primary key (organization, environment, record_id)
) partition by range (record_id);
create index audit_leaves_by_index on audit_leaves (organization, environment, leaf_index);
create index audit_leaves_by_principal on audit_leaves (organization, environment, principal, leaf_index);
create index audit_leaves_by_object on audit_leaves (organization, environment, object, leaf_index) where object is not null;
create index audit_leaves_by_task on audit_leaves (organization, environment, task_id, leaf_index) where task_id is not null;
create index audit_leaves_by_key on audit_leaves (organization, environment, key_id, key_seq) where key_id is not null;
create index audit_leaves_not_allowed on audit_leaves (organization, environment, leaf_index) where decision <> 'allowed';
create table audit_leaves_default partition of audit_leaves default;
comment on column audit_leaves.decision is 'The record''s outcome: allowed, refused or failed.';
comment on column audit_leaves.stage is 'The stage that refused; null where none did.';

create table audit_logs (
  organization text collate "C" not null,
  environment text collate "C" not null,
  origin text not null,
  tree_size bigint not null,
  root bytea not null,
  checkpoint text not null,
  last_xid xid8 not null,
  last_n int not null,
  event_sequence bigint not null,
  event_xid xid8 not null,
  event_n int not null,
  updated_at timestamptz not null,
  primary key (organization, environment)
);
comment on table audit_logs is 'One row per transparency log: its head, and up to where in commit order records and events are sequenced.';

create table audit_tiles (
  organization text collate "C" not null,
  environment text collate "C" not null,
  level int not null,
  index bigint not null,
  data bytea not null,
  primary key (organization, environment, level, index)
);
-- Hashes do not compress.
alter table audit_tiles alter column data set storage external;
comment on table audit_tiles is 'Hash tiles of C2SP tlog-tiles; a tile at the right edge is overwritten as it grows.';

create table audit_key_counters (
  organization text collate "C" not null,
  environment text collate "C" not null,
  key_id text collate "C" not null,
  seq bigint not null,
  primary key (organization, environment, key_id)
);

create table audit_salts (
  organization text collate "C" not null,
  environment text collate "C" not null,
  subject text collate "C" not null,
  salt bytea not null,
  primary key (organization, environment, subject)
);
comment on table audit_salts is 'Deleting a subject''s row makes every commitment to its values unopenable, for ever.';

create table events (
  organization text collate "C" not null,
  environment text collate "C" not null,
  id text collate "C" not null,
  xid xid8 not null default pg_current_xact_id(),
  n int not null,
  type text not null,
  task_id text collate "C",
  task_sequence int,
  audit_id text collate "C",
  body text not null,
  created_at timestamptz not null default now(),
  primary key (organization, environment, id)
) partition by range (id);
create index events_commit_order on events (organization, environment, xid, n);
create index events_by_task on events (organization, environment, task_id, task_sequence) where task_id is not null;
create table events_default partition of events default;

create table event_positions (
  organization text collate "C" not null,
  environment text collate "C" not null,
  event_id text collate "C" not null,
  sequence bigint not null,
  type text not null,
  task_id text collate "C",
  audit_id text collate "C",
  primary key (organization, environment, sequence, event_id)
) partition by range (event_id);
create table event_positions_default partition of event_positions default;
comment on table event_positions is 'The environment''s gapless event sequence, in commit order. An event stands here only after its audit record is in the log.';

create table secrets (
  name text primary key,
  ciphertext bytea not null,
  created_at timestamptz not null default now()
);
comment on table secrets is 'Keys of the installation, AES-256-GCM under AOS_SECRET_KEY or the key file.';

insert into partitioned_tables (parent, id_prefix) values
  ('audit_records', 'aud'), ('audit_leaves', 'aud'), ('events', 'evt'), ('event_positions', 'evt'), ('steps', 'stp'), ('idempotency_keys', 'aud');
