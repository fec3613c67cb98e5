-- The words of tasks, of their approvals and their steps, by which auditors find records. Filled behind the log, so that a call pays nothing for it.

-- What is compared: amounts are written as one (1,240.00 and 1240), and escapes of JSON end a word.
create function searchable_text(words text) returns text
  language sql immutable strict parallel safe
  return regexp_replace(regexp_replace(regexp_replace(regexp_replace(left(words, 200000),
    '\\[nrtbf"\\/]', ' ', 'g'),
    '(?<=\d),(?=\d{3}(?!\d))', '', 'g'),
    '(?<=\d\.\d)0(?!\d)', '', 'g'),
    '(?<=\d)\.0(?!\d)', '', 'g');

-- The words of a text. Of one whose words are more than an index entry takes, such as of long compounds in a rare script, only the beginning.
create function searchable_words(words text) returns tsvector
  language plpgsql immutable strict parallel safe
  as $$
begin
  return to_tsvector('simple', searchable_text(words));
exception when program_limit_exceeded then
  return to_tsvector('simple', searchable_text(left(words, 20000)));
end
$$;

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
