-- The words of tasks, of their approvals and their steps, by which auditors find records. Filled behind the log, so that a call pays nothing for it.

-- What is compared: amounts are written as one (1,240.00 and 1240), and escapes of JSON end a word.
create function searchable_text(words text) returns text
  language sql immutable strict parallel safe
  return regexp_replace(regexp_replace(regexp_replace(regexp_replace(left(words, 200000),
    '\\[nrtbf"\\/]', ' ', 'g'),
    '(?<=\d),(?=\d{3}(?!\d))', '', 'g'),
    '(?<=\d\.\d)0(?!\d)', '', 'g'),
    '(?<=\d)\.0(?!\d)', '', 'g');

create table audit_words (
  organization text collate "C" not null,
  environment text collate "C" not null,
  task_id text collate "C" not null,
  words tsvector not null,
  task_updated_at timestamptz not null,
  primary key (organization, environment, task_id)
);
create index audit_words_found on audit_words using gin (words);

create table audit_word_places (
  organization text collate "C" not null,
  environment text collate "C" not null,
  leaf_index bigint not null,
  primary key (organization, environment)
);
