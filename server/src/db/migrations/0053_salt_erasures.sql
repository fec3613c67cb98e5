-- Which call destroyed a salt. Finds the record; that record's own text has to say so, since anyone with the database can insert a row here.
create table audit_erasures (
  organization text collate "C" not null,
  environment text collate "C" not null,
  salt_id text collate "C" not null,
  audit_ref text collate "C" not null,
  constraint audit_erasures_pkey primary key (organization, environment, salt_id)
);
create trigger refuse_change before update or delete on audit_erasures for each row execute function refuse_log_change();
create trigger refuse_truncate before truncate on audit_erasures for each statement execute function refuse_log_change();

create or replace function refuse_salt_change() returns trigger
language plpgsql as $$
begin
  raise exception '% on audit_salts is refused: with another salt no commitment made under this one could be opened.', tg_op
    using errcode = 'restrict_violation', hint = 'A salt is deleted by the calls that erase data, which leave a record: docs/operations/audit-log.md.';
end
$$;
comment on table audit_salts is 'Deleting a subject''s row makes every commitment to its values unopenable, for ever. Without the record of a call that erased it, that counts as tampering.';
