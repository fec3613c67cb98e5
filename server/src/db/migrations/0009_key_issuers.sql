-- Who has held a key's secret beside its owner: who issued it, and who had held the key with which it was issued.
alter table keys add column issuers text[] not null default '{}';
update keys set issuers = array[created_by] where created_by <> member_id;

-- With which key the first of two persons asked for the release.
alter table stops add column release_asked_key text collate "C";
