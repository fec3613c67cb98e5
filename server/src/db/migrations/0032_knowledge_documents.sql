-- Who may read a base or a document: null is everybody with the permission, else tokens `role:approver`, `member:mbr_…` and `agent:sales`.
alter table knowledge_bases add column readers text[];
-- How texts are cut: { "chunk_length": 1200 }; what is left out is as usual.
alter table knowledge_bases add column settings jsonb not null default '{}';
-- Days after which a document has to be reviewed; null: never.
alter table knowledge_bases add column review_days integer check (review_days > 0);
-- Days for which former versions are kept; null: as long as the document.
alter table knowledge_bases add column version_days integer check (version_days >= 0);
alter table knowledge_bases add column revision integer not null default 1;
-- The generation of chunks that searches read, and the one that a reindex is building.
alter table knowledge_bases add column generation integer not null default 1;
alter table knowledge_bases add column next_generation integer check (next_generation > generation);

alter table documents add column state text not null default 'indexed'
  check (state in ('queued', 'parsing', 'indexing', 'indexed', 'failed'));
-- From 0 to 1, while it is parsed and indexed.
alter table documents add column progress real not null default 1;
-- Why it is `failed`: a code and a sentence.
alter table documents add column error jsonb;
-- The lease of the job that works on it.
alter table documents add column attempt integer not null default 0;
alter table documents add column lease_until timestamptz;
alter table documents add column version integer not null default 1;
-- Where the contents came from: text | file | url | connector, the file's name, media type, bytes and SHA-256, and its address.
alter table documents add column source text not null default 'text' check (source in ('text', 'file', 'url', 'connector'));
alter table documents add column file_name text;
alter table documents add column media_type text collate "C";
alter table documents add column size bigint;
alter table documents add column file_digest text collate "C";
alter table documents add column url text;
alter table documents add column pages integer;
alter table documents add column metadata jsonb not null default '{}';
alter table documents add column readers text[];
alter table documents add column data_classes text[] not null default '{}';
alter table documents add column review_at timestamptz;
-- The document, of a file with rows, whose row it is; the connector that brought it.
alter table documents add column parent text collate "C";
alter table documents add column connector text collate "C";
create index documents_parent on documents (organization, environment, parent) where parent is not null;
create index documents_connector on documents (organization, environment, connector) where connector is not null;
create index documents_of_base on documents (organization, environment, base, created_at desc, id desc);
create index documents_waiting on documents (lease_until) where state in ('queued', 'parsing', 'indexing');

-- The bytes of uploaded files, in parts of one megabyte, by the version of the document that they were.
create table document_files (
  organization text collate "C" not null,
  environment text collate "C" not null,
  document text collate "C" not null,
  version integer not null,
  part integer not null,
  data bytea not null,
  primary key (organization, environment, document, version, part)
);
alter table document_files alter column data set storage external;

-- What a document said before.
create table document_versions (
  organization text collate "C" not null,
  environment text collate "C" not null,
  document text collate "C" not null,
  version integer not null,
  title text not null,
  text text,
  fields jsonb,
  digest text collate "C",
  source text not null,
  file_name text,
  media_type text collate "C",
  size bigint,
  file_digest text collate "C",
  url text,
  pages integer,
  author text collate "C" not null,
  created_at timestamptz not null,
  replaced_at timestamptz not null,
  primary key (organization, environment, document, version)
);

-- What is left of a deleted document: enough to answer 410 and to prove that it is gone.
create table deleted_documents (
  organization text collate "C" not null,
  environment text collate "C" not null,
  id text collate "C" not null,
  base text collate "C" not null,
  digest text collate "C",
  chunks integer not null,
  deleted_by text collate "C" not null,
  deleted_at timestamptz not null,
  primary key (organization, environment, id)
);

-- `place` is a chunk's name in the index. A place is never used again.
alter table chunks add column place bigint generated always as identity;
alter table chunks add column generation integer not null default 1;
alter table chunks add column version integer not null default 1;
-- 1, and one more with each correction by hand.
alter table chunks add column revision integer not null default 1;
alter table chunks add column kind text not null default 'text' check (kind in ('text', 'table', 'code', 'record'));
-- The titles above it, outermost first.
alter table chunks add column headings text[] not null default '{}';
-- Pages from 1; null where the source has none.
alter table chunks add column first_page integer;
alter table chunks add column last_page integer;
-- Where it stands in the document's text, in UTF-16 code units; null for records and for chunks of before.
alter table chunks add column starts_at integer;
alter table chunks add column ends_at integer;
alter table chunks add column disabled boolean not null default false;
alter table chunks add column data_classes text[] not null default '{}';
-- Different stems in it, which is its length in BM25.
alter table chunks add column stems integer not null generated always as (length(lexemes)) stored;
alter table chunks drop constraint chunks_pkey;
alter table chunks add primary key (organization, environment, base, document, generation, number);
create unique index chunks_place on chunks (place);

-- Chunks as they were when they were cited: those that were replaced or corrected.
create table former_chunks (
  organization text collate "C" not null,
  environment text collate "C" not null,
  base text collate "C" not null,
  document text collate "C" not null,
  version integer not null,
  generation integer not null,
  number integer not null,
  revision integer not null,
  title text not null,
  text text not null,
  kind text not null,
  headings text[] not null,
  first_page integer,
  last_page integer,
  starts_at integer,
  ends_at integer,
  data_classes text[] not null,
  replaced_at timestamptz not null,
  primary key (organization, environment, document, version, generation, number, revision)
);
