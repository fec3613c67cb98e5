-- The log's tables refuse what would make signed checkpoints and proofs false. A role that owns a table can remove its triggers: with one database role for
-- everything they stop accidents only, with a runtime role of its own (docs/operations/audit-log.md) they hold against whoever has that role.

-- The maintenance that the table's owner announced for this transaction (set local aos.log_maintenance = '…'); empty for any other role.
create function log_maintenance(relation oid) returns text
language sql stable as $$
  select case when pg_has_role(current_user, relowner, 'usage') then coalesce(current_setting('aos.log_maintenance', true), '') else '' end
  from pg_class where oid = relation
$$;

-- Arguments: 'erasable': the row's context, which is no part of the leaf and may hold personal data, can be set to null. 'restampable': its place in commit
-- order can change after a restore into another PostgreSQL. 'sealable': a row without a MAC, of a release that wrote none, can be given one.
create function refuse_log_change() returns trigger
language plpgsql as $$
declare
  maintenance text := log_maintenance(tg_relid);
  same record;
begin
  if tg_op = 'DELETE' and maintenance in ('move_partition', 'retention') then
    return old;
  end if;
  if tg_op = 'UPDATE' then
    same := new;
    if 'erasable' = any (tg_argv) then
      same.context := case when new.context is null then old.context else new.context end;
    end if;
    if maintenance = 'restamp' and 'restampable' = any (tg_argv) then
      same.xid := old.xid;
      same.n := old.n;
    end if;
    if maintenance = 'seal' and 'sealable' = any (tg_argv) then
      if old.mac is null then -- apart, since other tables have no such column
        same.writer := old.writer;
        same.number := old.number;
        same.mac := old.mac;
      end if;
    end if;
    if same is not distinct from old then
      return new;
    end if;
  end if;
  raise exception '% on % is refused: the table is part of the audit log and append-only, because signed checkpoints and proofs commit to its rows.', tg_op, tg_table_name
    using errcode = 'restrict_violation', hint = 'To remove old rows, drop whole month partitions as the owner: docs/operations/audit-log.md.';
end
$$;

create function refuse_head_change() returns trigger
language plpgsql as $$
begin
  if tg_op = 'UPDATE' and new.organization = old.organization and new.environment = old.environment
    and (new.origin <> old.origin or (new.tree_size >= old.tree_size and new.event_sequence >= old.event_sequence)) then
    return new;
  end if;
  raise exception '% on audit_logs is refused: the head of a log is never removed and never goes back, because whoever kept a newer checkpoint would see a rollback.', tg_op
    using errcode = 'restrict_violation', hint = 'After restoring a backup, follow docs/operations/backup-and-restore.md.';
end
$$;

create function refuse_tile_change() returns trigger
language plpgsql as $$
declare
  same record := new;
begin
  if tg_op = 'UPDATE' then
    same.data := old.data;
    if same is not distinct from old and substr(new.data, 1, length(old.data)) = old.data then
      return new;
    end if;
  end if;
  raise exception '% on audit_tiles is refused: the hashes of the audit log are never removed or changed; the tile at the right edge may only grow.', tg_op
    using errcode = 'restrict_violation';
end
$$;

create function refuse_counter_change() returns trigger
language plpgsql as $$
declare
  same record := new;
begin
  if tg_op = 'UPDATE' then
    same.seq := old.seq;
    if same is not distinct from old and new.seq >= old.seq then
      return new;
    end if;
  end if;
  raise exception '% on audit_key_counters is refused: a key''s counter is never removed and only grows, so that its records are numbered without gaps.', tg_op
    using errcode = 'restrict_violation';
end
$$;

create function refuse_salt_change() returns trigger
language plpgsql as $$
begin
  raise exception '% on audit_salts is refused: with another salt no commitment made under this one could be opened. To erase a subject, delete its row.', tg_op
    using errcode = 'restrict_violation';
end
$$;

-- PostgreSQL clones row triggers of a partitioned table to its partitions, and not those of TRUNCATE: this does. Answers nothing.
create function copy_truncate_triggers(parent regclass, partition regclass) returns void
language plpgsql as $$
declare
  missing record;
begin
  for missing in
    select t.tgname, p.proname from pg_trigger t join pg_proc p on p.oid = t.tgfoid
    where t.tgrelid = parent and not t.tgisinternal and t.tgtype & 32 <> 0
      and not exists (select from pg_trigger o where o.tgrelid = partition and o.tgname = t.tgname)
  loop
    execute format('create trigger %I before truncate on %s for each statement execute function %I()', missing.tgname, partition, missing.proname);
  end loop;
end
$$;

create trigger refuse_change before update or delete on audit_records for each row execute function refuse_log_change('erasable', 'restampable', 'sealable');
create trigger refuse_truncate before truncate on audit_records for each statement execute function refuse_log_change();

create trigger refuse_change before update or delete on audit_closed_logs for each row execute function refuse_log_change();
create trigger refuse_truncate before truncate on audit_closed_logs for each statement execute function refuse_log_change();
create trigger refuse_change before update or delete on audit_refused_records for each row execute function refuse_log_change();
create trigger refuse_truncate before truncate on audit_refused_records for each statement execute function refuse_log_change();
create trigger refuse_change before update or delete on audit_leaves for each row execute function refuse_log_change();
create trigger refuse_truncate before truncate on audit_leaves for each statement execute function refuse_log_change();
create trigger refuse_change before update or delete on events for each row execute function refuse_log_change('restampable');
create trigger refuse_truncate before truncate on events for each statement execute function refuse_log_change();
create trigger refuse_change before update or delete on event_positions for each row execute function refuse_log_change();
create trigger refuse_truncate before truncate on event_positions for each statement execute function refuse_log_change();

create trigger refuse_change before update or delete on audit_logs for each row execute function refuse_head_change();
create trigger refuse_truncate before truncate on audit_logs for each statement execute function refuse_head_change();
create trigger refuse_change before update or delete on audit_tiles for each row execute function refuse_tile_change();
create trigger refuse_truncate before truncate on audit_tiles for each statement execute function refuse_tile_change();
create trigger refuse_change before update or delete on audit_key_counters for each row execute function refuse_counter_change();
create trigger refuse_truncate before truncate on audit_key_counters for each statement execute function refuse_counter_change();
-- Deleting one subject's salt is how the subject is erased.
create trigger refuse_change before update on audit_salts for each row execute function refuse_salt_change();
create trigger refuse_truncate before truncate on audit_salts for each statement execute function refuse_salt_change();

select copy_truncate_triggers(inhparent::regclass, inhrelid::regclass) from pg_inherits
where inhparent in ('audit_records'::regclass, 'audit_leaves'::regclass, 'events'::regclass, 'event_positions'::regclass);

-- As before, and: runs as the owner of the tables, so that a runtime role needs no right to make tables; new partitions refuse TRUNCATE like their parent.
create or replace function ensure_partitions(since timestamptz, until timestamptz) returns int
language plpgsql security definer as $$
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
          perform set_config('aos.log_maintenance', 'move_partition', true);
          execute format('with moved as (delete from %1$I where %2$I >= %3$L and %2$I < %4$L returning *) insert into %5$I select * from moved',
            default_partition, id_column, lower_bound, upper_bound, partition);
          perform set_config('aos.log_maintenance', '', true);
        end if;
        execute format('alter table %I attach partition %I for values from (%L) to (%L)', target.parent, partition, lower_bound, upper_bound);
        perform copy_truncate_triggers(quote_ident(target.parent)::regclass, quote_ident(partition)::regclass);
        made := made + 1;
      end if;
      month := month + interval '1 month';
    end loop;
  end loop;
  return made;
end
$$;
-- It runs with the owner's rights: the names in it mean this schema's, whatever the caller's search path or temporary tables are.
do $$ begin
  execute format('alter function ensure_partitions(timestamptz, timestamptz) set search_path = %I, pg_temp', current_schema());
end $$;
revoke execute on function ensure_partitions(timestamptz, timestamptz) from public;

-- What each witness (C2SP tlog-witness) last said of each log.
create table audit_witnesses (
  organization text collate "C" not null,
  environment text collate "C" not null,
  witness text collate "C" not null,
  origin text not null,
  checkpoint text,
  cosignatures text,
  tree_size bigint,
  cosigned_at timestamptz,
  conflict text check (conflict in ('rollback', 'fork')),
  conflict_detail text,
  conflict_at timestamptz,
  primary key (organization, environment, witness)
);
comment on column audit_witnesses.witness is 'Its name and key id: the verifier key without the public key.';
comment on column audit_witnesses.checkpoint is 'The newest checkpoint that it cosigned, as we signed it, with the size of that tree; null before the first.';
comment on column audit_witnesses.cosignatures is 'Its signature lines for that checkpoint. They prove themselves: a changed row fails verification.';
comment on column audit_witnesses.conflict is 'Why it refuses the newest head: the log went back behind one that it cosigned, or is not an extension of it. Null once it cosigns again.';

-- A signed checkpoint with the signature lines of the witnesses that cosigned this very one.
create function cosigned_checkpoint(organization text, environment text, checkpoint text) returns text
language sql stable as $$
  select $3 || coalesce(string_agg(w.cosignatures, '' order by w.witness), '')
  from audit_witnesses w where w.organization = $1 and w.environment = $2 and w.checkpoint = $3
$$;
