-- Which versions of documents a step read: a JSON array of { document, version }; null: none.
alter table steps add column read jsonb;

-- Who decided what a document said that was deleted, in its versions.
alter table deleted_documents add column deciders jsonb;
