-- How the caller wants the reply of a turn: stop texts, a format, functions of theirs. As JSON; null: in no particular way.
alter table chat_turns add column options text;
