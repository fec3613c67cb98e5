-- The approval with whose arguments people had a call made, in place of those that the agent wanted. Null: it was made as the agent wanted.
alter table steps add column edited_as text collate "C";
