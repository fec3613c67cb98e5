-- Which salt a record's commitments were made under. It cannot be told from the task: its subject changes when its input is edited, and not every call that names a
-- task is about its subject. An id rather than the subject itself, so that once the salt's row is destroyed nothing beside the record tells whose it was.
alter table audit_salts add column id text collate "C" not null default replace(gen_random_uuid()::text, '-', '');
alter table audit_salts alter column id drop default; -- from now on drawn with the salt
create unique index audit_salts_by_id on audit_salts (organization, environment, id);
comment on column audit_salts.id is 'What records refer to it by; begins with the time, except where this column came later than the salt.';

alter table audit_records add column salt_id text collate "C";
comment on column audit_records.salt_id is 'Id of the salt of its commitments, which may be destroyed by now. Null: written before this column was; the salt is then that of the task''s subject, else of who called.';
