-- Whose sight an endpoint has: that of whoever set its address and events, as it was then. Null: it sees everything.
-- With which key an endpoint was made before is not known: of objects with readers it is sent what its creator is named for.
alter table webhooks
  add column sight text[] default '{}',
  add column sight_of text collate "C" not null default '';
update webhooks set sight_of = created_by, sight = array['member:' || created_by];

-- A question carries the lists of readers of what it was asked of: a JSON array of arrays of tokens and nulls, all of which have to admit a reader.
-- Of questions from before it is not known what they quote: who asked them reads them, and admins.
alter table knowledge_questions add column readers jsonb not null default '[[]]';
create index documents_restricted on documents (organization, environment, base) where readers is not null;
