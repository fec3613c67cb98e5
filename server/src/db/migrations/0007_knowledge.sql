-- Knowledge: documents with text as well as records, and the passages that searches find.

alter table knowledge_bases
  add column description text not null default '',
  add column language text not null default 'english', -- the text search configuration that its passages and searches are read with
  add column author text collate "C" not null default 'system:seed';

alter table documents
  add column title text not null default '',
  add column text text, -- null: a record only
  add column digest text collate "C", -- SHA-256, in hexadecimal, of the canonical JSON (RFC 8785) of title, text and fields; null: stored before digests were kept
  add column author text collate "C" not null default 'system:seed',
  add column updated_at timestamptz not null default now();
update documents set updated_at = created_at;
-- Texts that were kept as records of a title and a text, because there was nothing else.
update documents set title = fields->>'title', text = fields->>'text', fields = null
  where fields ?& '{title,text}' and (select count(*) from jsonb_object_keys(fields)) = 2
    and jsonb_typeof(fields->'title') = 'string' and jsonb_typeof(fields->'text') = 'string';
-- What has no id of its own in another system is known by what it says.
create unique index documents_digest on documents (organization, environment, base, digest) where external_id is null;

-- What searches find: a piece of a document's text, or its record as lines of text.
create table passages (
  organization text collate "C" not null,
  environment text collate "C" not null,
  base text collate "C" not null,
  document text collate "C" not null,
  number integer not null, -- from 1, in the order of the document
  title text not null,
  text text not null,
  lexemes tsvector not null, -- of title (weight A) and text, by the base's language
  primary key (organization, environment, base, document, number)
);
create index passages_lexemes on passages using gin (lexemes);

insert into passages (organization, environment, base, document, number, title, text, lexemes)
select organization, environment, base, id, 1, said.title, said.words,
  setweight(to_tsvector('english', said.title), 'A') || to_tsvector('english', said.words)
from documents d, lateral (
  select case when d.title = '' then coalesce(d.external_id, '') else d.title end as title,
    coalesce(d.text, (select string_agg(f.key || ': ' || f.value, E'\n') from jsonb_each_text(d.fields) f where f.value <> '')) as words
) said
where said.words is not null;
