-- Connectors of git repositories and JSON APIs.
alter table knowledge_connectors drop constraint knowledge_connectors_kind_check;
alter table knowledge_connectors add constraint knowledge_connectors_kind_check
  check (kind in ('folder', 'website', 's3', 'postgres', 'feed', 'git', 'json-api'));

-- What a sync left out by rule, such as submodules; null: nothing.
alter table knowledge_syncs add column left_out text;

-- How many documents of a connector are not searchable yet in their newest contents.
create index documents_unindexed on documents (organization, environment, connector) where connector is not null and state <> 'indexed';
