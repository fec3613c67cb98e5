-- The length of a chunk, with words of headings counted as often as they weigh, is written with its lexemes (decision 0049). Rows that are there keep the number of their different
-- stems until their base is reindexed. That begins after the upgrade, but not for bases with vectors: a provider would be paid for their passages a second time.
alter table chunks alter column stems drop expression;

update knowledge_bases set next_generation = coalesce(next_generation, generation) + 1, next_language = coalesce(next_language, language)
where embedding is null and exists (select from documents d where d.organization = knowledge_bases.organization and d.environment = knowledge_bases.environment and d.base = knowledge_bases.id);
