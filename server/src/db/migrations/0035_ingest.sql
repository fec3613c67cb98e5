-- The contents that wait to be parsed and indexed; null: none do. What is served stays in the row until they are.
alter table documents add column pending jsonb;
-- Of a file with rows: how many records it has, and how many the last reading added, changed, removed and left out.
alter table documents add column row_counts jsonb;

-- The job that builds the next generation of a base and removes the former one: its lease, how far it is, and the last document that it took.
alter table knowledge_bases add column reindex_attempt integer not null default 0;
alter table knowledge_bases add column reindex_lease timestamptz;
-- Attempts in a row without progress; after five it is given up.
alter table knowledge_bases add column reindex_tries integer not null default 0;
alter table knowledge_bases add column reindex_done integer not null default 0;
alter table knowledge_bases add column reindex_total integer not null default 0;
alter table knowledge_bases add column reindex_after text collate "C" not null default '';
create index knowledge_bases_reindexing on knowledge_bases (reindex_lease)
  where next_generation is not null or reindex_lease is not null;
-- The generation that the figures above are of; null: what is left to do is to remove former ones.
alter table knowledge_bases add column reindex_generation integer;
