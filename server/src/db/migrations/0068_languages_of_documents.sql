-- The language that a document is read in (decision 0076): as it was given, or found in its texts where that is not its base's. Null in a chunk: its base's.
alter table documents add column language text, add column found_language text;
alter table chunks add column language text;
-- Languages of an index's chunks besides its base's, so that a search reads its question in them too.
alter table chunk_indexes add column languages text[] not null default '{}';

-- A model that orders the best passages once more.
alter table knowledge_bases add column reranker jsonb;

-- Words of Chinese, Japanese and Thai texts are found by dictionary from here on, and languages of documents in their texts. Bases with vectors keep what they have until they are
-- reindexed: a provider would be paid for their passages a second time.
update knowledge_bases set next_generation = coalesce(next_generation, generation) + 1, next_language = coalesce(next_language, language)
where embedding is null and exists (select from documents d where d.organization = knowledge_bases.organization and d.environment = knowledge_bases.environment and d.base = knowledge_bases.id);
