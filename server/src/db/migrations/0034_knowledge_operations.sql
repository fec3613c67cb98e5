-- The language of the generation that a reindex is building; null: the same.
alter table knowledge_bases add column next_language text;
-- A chunk that was disabled comes back disabled with its version.
alter table former_chunks add column disabled boolean not null default false;
-- What a chunk said as it was cut, where its text was corrected by hand; null: it was not.
alter table chunks add column corrected_from text;
alter table former_chunks add column corrected_from text;
create index former_chunks_replaced on former_chunks (organization, environment, base, replaced_at);
create index document_versions_replaced on document_versions (organization, environment, replaced_at);

-- When somebody last confirmed that a document still holds, and who.
alter table documents add column reviewed_at timestamptz;
alter table documents add column reviewed_by text collate "C";

-- Who could read a deleted document: the same may know that it is deleted.
alter table deleted_documents add column base_name text collate "C" not null default '';
alter table deleted_documents add column readers text[];
alter table deleted_documents add column base_readers text[];

-- Bases that were deleted. What was in them is removed in steps.
create table deleted_bases (
  organization text collate "C" not null,
  environment text collate "C" not null,
  id text collate "C" not null,
  name text collate "C" not null,
  readers text[],
  documents integer not null,
  chunks integer not null,
  deleted_by text collate "C" not null,
  deleted_at timestamptz not null,
  -- When the last of its documents was removed; null: some are left.
  emptied_at timestamptz,
  primary key (organization, environment, id)
);
create index deleted_bases_left on deleted_bases (deleted_at) where emptied_at is null;

-- How often passages of a document were retrieved.
create table document_usage (
  organization text collate "C" not null,
  environment text collate "C" not null,
  document text collate "C" not null,
  retrievals bigint not null,
  last_retrieved_at timestamptz not null,
  primary key (organization, environment, document)
);
